import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Connections } from '../../src/http/requests/connections.ts'
import type { PipeliningTask } from './pipelining-client.ts'

const connectionCount = 20
const requestsPerConnection = 1_500
/** Time for all requests to reach the buffers of the kernel. */
const blockedMs = 300

test('of a burst on many connections, one turn of the event loop parses one packet', async () => {
  const connections = new Connections()
  const server = createServer()
  const opened: Socket[] = []
  let arrived = 0
  let arrivedInTurn = 0
  let mostInTurn = 0
  const allAnswered = Promise.withResolvers<void>()
  const endTurn = (): void => {
    mostInTurn = Math.max(mostInTurn, arrivedInTurn)
    arrivedInTurn = 0
  }
  server.on('connection', (socket) => {
    connections.add(socket)
    if (opened.push(socket) < connectionCount) return
    const untilMs = performance.now() + blockedMs
    while (performance.now() < untilMs);
  })
  server.on('request', (request, response) => {
    arrived++
    if (arrivedInTurn++ === 0) setImmediate(endTurn)
    connections.enqueue(request, response, () => response.end())
    if (arrived === connectionCount * requestsPerConnection) connections.whenIdle(allAnswered.resolve)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = fork(fileURLToPath(new URL('pipelining-client.ts', import.meta.url)), { execArgv: [] })
  const task = {
    port,
    target: '/metrics',
    connections: connectionCount,
    requestsPerConnection,
    isReading: true,
    durationMs: 30_000,
  }
  client.send(task satisfies PipeliningTask)
  await allAnswered.promise
  client.kill()
  server.close()
  expect(arrived).toBe(connectionCount * requestsPerConnection)
  expect(mostInTurn).toBeLessThan(2 * requestsPerConnection)
})
