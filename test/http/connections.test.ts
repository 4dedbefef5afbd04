import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { limits } from '../../src/http/limits.ts'
import { Connections } from '../../src/http/requests/connections.ts'
import { ResponseBodyWriter } from '../../src/http/responses/response-writer.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'

class OpenSocket extends EventEmitter {
  paused = false
  isPaused = (): boolean => this.paused
  pause = (): boolean => (this.paused = true)
  resume = (): boolean => (this.paused = false)
  destroyed = false
  writable = true
  bytesWritten = 0
  destroy = (): boolean => (this.destroyed = true)
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
    for (let count = 1; count < 256; count++) request()
    expect(pausedAfterTurns(0)).toBe(0)
    request()
    expect([pausedAfterTurns(0), pausedAfterTurns(1), pausedAfterTurns(1)]).toEqual([200, 198, 196])
    expect(pausedAfterTurns(150)).toBe(0)
  }
})

test('a connection is closed with the first request beyond 50,000 that wait, and not before', () => {
  const connections = new Connections(() => {})
  const socket = new OpenSocket()
  connections.add(socket as unknown as Socket)
  const answers: (() => void)[] = []
  const requests = (count: number): boolean => {
    for (; count > 0; count--) {
      const response = new EventEmitter()
      const answer = (): void => void answers.push(() => response.emit('close'))
      connections.enqueue({ socket } as unknown as IncomingMessage, response as ServerResponse, answer)
    }
    return socket.destroyed
  }
  expect(requests(50_001)).toBe(false)
  answers.shift()!()
  expect([requests(1), requests(1)]).toEqual([false, true])
})

test('the limits of connections, which the simulator holds in a smaller form', () => {
  expect(limits).toMatchObject({
    connectionsMax: 10_000,
    pipelinedMax: 32,
    turnRequestsMax: 256,
    turnsMax: 100,
    turnBytesMax: 262_144,
  })
})

test.each([
  [16_384, 0],
  [16_385, 1],
])('a body of %d bytes is sent with its headers, or in %d parts of its own', (length, parts) => {
  let written = 0
  const response = Object.assign(new EventEmitter(), {
    req: { method: 'GET', socket: new EventEmitter() },
    writableLength: 0,
    writeHead: () => {},
    write: () => written++,
    end: () => {},
  }) as unknown as ServerResponse
  const writer = new ResponseBodyWriter({ hold: () => () => {} }, new FakeClock())
  writer.send(response, 200, [], ['x'.repeat(length)], length)
  expect(written).toBe(parts)
})
