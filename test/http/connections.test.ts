import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { limits } from '../../src/http/limits.ts'
import { Connections } from '../../src/http/requests/connections.ts'

class OpenSocket extends EventEmitter {
  paused = false
  isPaused = (): boolean => this.paused
  pause = (): boolean => (this.paused = true)
  resume = (): boolean => (this.paused = false)
}

test('after each turn with 256 requests, the other connections are read in 100 turns', () => {
  const soon: (() => void)[] = []
  const connections = new Connections((call) => soon.push(call))
  const sockets = Array.from({ length: 201 }, () => new OpenSocket())
  for (const socket of sockets) connections.add(socket as unknown as Socket)
  const [busy] = sockets
  const request = (): void => {
    const response = new EventEmitter()
    const of = { socket: busy } as unknown as IncomingMessage
    connections.enqueue(of, response as ServerResponse, () => response.emit('close'))
  }
  const pausedAfterTurns = (turns: number): number => {
    for (; turns > 0; turns--) soon.splice(0).forEach((call) => call())
    return sockets.filter(({ paused }) => paused).length
  }
  for (let burst = 0; burst < 2; burst++) {
    for (let count = 1; count < limits.turnRequestsMax; count++) request()
    expect(pausedAfterTurns(0)).toBe(0)
    request()
    expect([pausedAfterTurns(0), pausedAfterTurns(1), pausedAfterTurns(1)]).toEqual([200, 198, 196])
    expect(pausedAfterTurns(150)).toBe(0)
  }
  expect(limits.turnRequestsMax).toBe(256)
})
