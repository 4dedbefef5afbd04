/** A process that keeps a server busy: each connection sends a request after each complete response. */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface Load {
  readonly port: number
  /** The bytes of the request. */
  readonly request: string
  readonly connections: number
  /** The number of responses per round: a busy machine makes the round longer, not empty. */
  readonly responses: number
  /**
   * The pause after a request on all connections. A client that waits for each response has to be woken up by it, which
   * the kernel charges to the server, the more the slower the server is.
   */
  readonly sleepMs?: number
}

export interface Served {
  readonly responses: number
  readonly bytes: number
  readonly seconds: number
}

const headEnd = Buffer.from('\r\n\r\n')
const lengthHeader = /content-length: ([0-9]+)/i

/** Counts the responses on one connection, parsing only their heads. */
class Counted {
  responses = 0
  bytes = 0
  #bodyLeft = 0
  #head: Buffer = Buffer.alloc(0)

  /** Returns whether a response has ended with this chunk. */
  take(chunk: Buffer): boolean {
    this.bytes += chunk.length
    if (this.#bodyLeft > 0) return this.#takeBody(chunk.length)
    this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
    const end = this.#head.indexOf(headEnd)
    if (end < 0) return false
    const [, length = '0'] = lengthHeader.exec(this.#head.toString('latin1', 0, end)) ?? []
    const arrived = this.#head.length - end - headEnd.length
    this.#head = Buffer.alloc(0)
    this.#bodyLeft = Number(length)
    return this.#takeBody(arrived)
  }

  #takeBody(arrived: number): boolean {
    this.#bodyLeft -= arrived
    if (this.#bodyLeft > 0) return false
    if (this.#bodyLeft < 0) throw new Error('More came than one response holds.')
    this.responses++
    return true
  }
}

interface Connection {
  readonly socket: Socket
  readonly counted: Counted
}

async function connected({ port }: Load): Promise<Connection> {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  await once(socket, 'connect')
  return { socket, counted: new Counted() }
}

const nap = new Int32Array(new SharedArrayBuffer(4))

/** Sends requests on all connections until the number of responses is reached. */
async function askAll(all: readonly Connection[], { request, responses, sleepMs }: Load): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let sent = 0
  let answered = 0
  const ask = (socket: Socket): void => {
    if (sent === responses) return
    sent++
    socket.write(request)
  }
  const askOnAll = (): void => {
    for (const { socket } of all) ask(socket)
    if (sleepMs !== undefined) Atomics.wait(nap, 0, 0, sleepMs)
  }
  for (const { socket, counted } of all) {
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      if (!counted.take(chunk)) return
      answered++
      if (answered === responses) resolve()
      else if (sleepMs === undefined) ask(socket)
      else if (answered === sent) askOnAll()
    })
  }
  askOnAll()
  return promise
}

async function keepBusy(load: Load): Promise<Served> {
  const all = await Promise.all(Array.from({ length: load.connections }, () => connected(load)))
  const began = process.hrtime.bigint()
  await askAll(all, load)
  const seconds = Number(process.hrtime.bigint() - began) / 1e9
  const sum = (of: (counted: Counted) => number) => all.reduce((total, { counted }) => total + of(counted), 0)
  const served = { responses: sum((one) => one.responses), bytes: sum((one) => one.bytes), seconds }
  for (const { socket } of all) socket.destroy()
  return served
}

/** The client, as the measuring process uses it. */
export class LoadClient {
  readonly #child: ChildProcess = fork(fileURLToPath(import.meta.url), { execArgv: [] })

  async run(load: Load): Promise<Served> {
    this.#child.send(load)
    const [served] = (await once(this.#child, 'message')) as [Served]
    return served
  }

  close(): void {
    this.#child.disconnect()
  }
}

async function report(load: Load): Promise<void> {
  process.send!(await keepBusy(load))
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on('message', (load: Load) => void report(load))
}
