/** Bounds of what the front of several sessions waits for and keeps. */
import type { ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { Agent, createServer, get } from 'node:http'
import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { processClock } from '../../src/process/clock.ts'
import { SessionFront } from '../../src/sessions/session-front.ts'
import { SessionProcess } from '../../src/sessions/session-process.ts'
import { askBounds, upTo } from '../fixtures/bounds.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { connected } from '../http/raw-connection.ts'
import { listening } from '../fixtures/listening.ts'

/** The port of a process at these seconds after its only heartbeat, and when it is killed. */
function silent(seconds: readonly number[]): unknown[] {
  const clock = new FakeClock()
  const killedAt: number[] = []
  const kill = (): number => killedAt.push(clock.nowMs())
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() }
  const child = Object.assign(new EventEmitter(), { pid: 1, kill, ...streams })
  const session = new SessionProcess({
    name: 'a',
    entry: 'mirror',
    words: [],
    environment: {},
    clock,
    log: () => {},
    onRefused: () => {},
    start: () => child as unknown as ChildProcess,
  })
  session.start()
  child.emit('message', { port: 4711 })
  const ports = seconds.map((second) => {
    clock.advanceTo(second * 1_000)
    return session.port
  })
  return [ports, killedAt]
}

/** Connections to a mirror, while 40 requests wait for it and after they are answered. */
async function connectionsToMirror(): Promise<number[]> {
  const waiting: ServerResponse[] = []
  const mirror = createServer((_request, response) => waiting.push(response))
  const sessions = [{ name: 'a', port: await listening(mirror) }]
  const front = new SessionFront({ sessions, allowedHosts: [], clock: processClock, log: () => {} })
  const { port } = await front.listen('127.0.0.1', 0)
  const connections = (): Promise<number> =>
    new Promise((resolve) => mirror.getConnections((_error, count) => resolve(count)))
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isSo())) await new Promise(setImmediate)
  }
  const agent = new Agent()
  const answered = upTo(40).map(async () => {
    const [response] = await once(get({ port, host: '127.0.0.1', path: '/x?session=a', agent }), 'response')
    await once((response as NodeJS.ReadableStream).resume(), 'end')
  })
  await until(() => waiting.length === 40)
  const found = [await connections()]
  for (const response of waiting) response.end('ok')
  await Promise.all(answered)
  await until(async () => (await connections()) <= 32)
  await new Promise((resolve) => setTimeout(resolve, 50))
  found.push(await connections())
  await front.close()
  mirror.close()
  return found
}

/** How many of three connections to a front stay that may have so many in all. */
async function connectionsToFront(connectionsMax: number): Promise<number> {
  const front = new SessionFront({
    sessions: [],
    allowedHosts: [],
    connectionsMax,
    clock: processClock,
    log: () => {},
  })
  const { port } = await front.listen('127.0.0.1', 0)
  const sockets = await Promise.all(upTo(3).map(() => connected(port)))
  await Promise.race([
    ...sockets.map((socket) => once(socket, 'close')),
    new Promise((resolve) => setTimeout(resolve, 1_000)),
  ])
  await new Promise((resolve) => setTimeout(resolve, 50))
  const open = sockets.filter(({ destroyed }) => !destroyed).length
  await front.close()
  return open
}

askBounds([
  ['connections of clients and to mirrors', () => connectionsToFront(5), 2],
  ['seconds without a heartbeat', () => silent([4, 5, 19, 20]), [[4711, null, null, null], [20_000]]],
  ['idle connections', connectionsToMirror, [40, 32]],
])
