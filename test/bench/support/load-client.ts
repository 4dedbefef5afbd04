/** A process that keeps a server busy: each connection sends a request after each complete response. */
import { fork } from 'node:child_process'
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

const headEnd = Buffer.from('\r\n\r\n')
const lengthHeader = /content-length: ([0-9]+)/i

/** Calls at the end of each response on a connection; parses only the heads. */
function onResponses(socket: Socket, ended: () => void): void {
  let bodyLeft = 0
  let head: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    if (bodyLeft > 0) bodyLeft -= chunk.length
    else {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const end = head.indexOf(headEnd)
      if (end < 0) return
      const [, length = '0'] = lengthHeader.exec(head.toString('latin1', 0, end)) ?? []
      bodyLeft = Number(length) - (head.length - end - headEnd.length)
      head = Buffer.alloc(0)
    }
    if (bodyLeft < 0) throw new Error('More came than one response holds.')
    if (bodyLeft === 0) ended()
  })
}

const nap = new Int32Array(new SharedArrayBuffer(4))

/** Sends requests on all connections until the number of responses is reached. */
async function keepBusy({ port, request, connections, responses, sleepMs }: Load): Promise<void> {
  const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1').setNoDelay(true))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let sent = 0
  let answered = 0
  const ask = (socket: Socket): void => {
    if (sent === responses) return
    sent++
    socket.write(request)
  }
  const askOnAll = (): void => {
    for (const socket of sockets) ask(socket)
    if (sleepMs !== undefined) Atomics.wait(nap, 0, 0, sleepMs)
  }
  for (const socket of sockets) {
    socket.on('error', reject)
    onResponses(socket, () => {
      answered++
      if (answered === responses) resolve()
      else if (sleepMs === undefined) ask(socket)
      else if (answered === sent) askOnAll()
    })
  }
  askOnAll()
  await promise
  for (const socket of sockets) socket.destroy()
}

/** The client, as the measuring process uses it. */
export class LoadClient {
  readonly #child = fork(fileURLToPath(import.meta.url), { execArgv: [] })

  async run(load: Load): Promise<void> {
    this.#child.send(load)
    await once(this.#child, 'message')
  }

  close(): void {
    this.#child.disconnect()
  }
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url))
  process.on('message', (load: Load) => void keepBusy(load).then(() => process.send!('done')))
