import { EventEmitter } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Connections } from '../../src/http/requests/connections.ts'
import type { Place, Scheduler } from './scheduler.ts'

export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** A request, until its answer is read or its connection closes. */
export interface Asked {
  readonly target: string
  readonly askedMs: number
  readonly onAnswer: (answer: Answer) => void
}

interface ConnectionOptions {
  readonly scheduler: Scheduler
  readonly server: Place
  readonly connections: Connections
  readonly answer: RequestListener
  readonly onClose: (isByServer: boolean, unanswered: readonly Asked[]) => void
}

/** A client's connection as the service sees it: a socket, the parsed requests, and responses that the client reads. */
export class ClientConnection extends EventEmitter {
  writable = true
  destroyed = false
  /** How long the client takes to read a response. */
  readMs = 1
  /** Requests that the service has parsed, the oldest first. */
  readonly parsed: Asked[] = []
  /** When the last response was read. */
  answeredMs = 0
  /** Packets that the service has not read yet. */
  readonly #unread: Asked[][] = []
  readonly #options: ConnectionOptions
  #isPaused = false
  /** The response whose turn it is. */
  #response: Response | null = null

  constructor(options: ConnectionOptions) {
    super()
    this.#options = options
  }

  get unanswered(): readonly Asked[] {
    return [...this.parsed, ...this.#unread.flat()]
  }

  isPaused = (): boolean => this.#isPaused

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    if (this.#unread.length > 0) this.#later(0, () => this.#read())
  }

  destroy(): void {
    this.#close(true)
  }

  leave(): void {
    this.#close(false)
  }

  #close(isByServer: boolean): void {
    if (this.destroyed) return
    this.destroyed = true
    this.writable = false
    this.#options.onClose(isByServer, this.unanswered)
    this.#unread.length = 0
    this.#later(0, () => {
      this.parsed.length = 0
      this.emit('close')
      this.#response?.emitClose()
    })
  }

  /** Sends requests in one packet. */
  send(asked: Asked[]): void {
    if (this.destroyed) return
    this.#unread.push(asked)
    this.#later(1, () => this.#read())
  }

  /** Node parses all requests of a packet at once, and packets in turns of their own. */
  #read(): void {
    if (this.#isPaused || this.destroyed) return
    for (const asked of this.#unread.shift() ?? []) {
      this.parsed.push(asked)
      const request = requestOf(this, asked)
      const response = new Response(request, this, asked)
      const { connections, answer } = this.#options
      connections.enqueue(request, response as unknown as ServerResponse, (req, res) => {
        this.#response = response
        answer(req, res)
      })
    }
    if (this.#unread.length > 0) this.#later(0, () => this.#read())
  }

  #later(delayMs: number, call: () => void): void {
    const { scheduler, server } = this.#options
    scheduler.after(delayMs, server, call)
  }

  /** The client reads a response; what it reads is what the bytes are then. */
  transmit(response: Response, asked: Asked, head: Omit<Answer, 'body'>, parts: readonly Uint8Array[]): void {
    this.#later(this.readMs, () => {
      if (this.destroyed) return
      const body = Buffer.concat(parts)
      this.parsed.splice(this.parsed.indexOf(asked), 1)
      this.answeredMs = this.#options.scheduler.nowMs()
      response.emitClose()
      asked.onAnswer({ ...head, body })
    })
  }
}

const requestOf = (socket: ClientConnection, { target }: Asked): IncomingMessage => {
  const [url, accepted = '', tag = ''] = target.split(' ')
  const headers = {
    ...(accepted === '' ? {} : { 'accept-encoding': accepted }),
    ...(tag === '' ? {} : { 'if-none-match': tag }),
  }
  return { url, method: 'GET', headers, socket } as unknown as IncomingMessage
}

/** Node's response, as far as the service uses it. */
class Response extends EventEmitter {
  readonly req: IncomingMessage
  headersSent = false
  writableLength = 0
  readonly #socket: ClientConnection
  readonly #asked: Asked
  readonly #parts: Uint8Array[] = []
  #head: Omit<Answer, 'body'> | null = null
  #isClosed = false

  constructor(req: IncomingMessage, socket: ClientConnection, asked: Asked) {
    super()
    this.req = req
    this.#socket = socket
    this.#asked = asked
  }

  get destroyed(): boolean {
    return this.#isClosed || this.#socket.destroyed
  }

  writeHead(status: number, pairs: readonly string[]): void {
    const headers = new Map<string, string>()
    for (let i = 0; i < pairs.length; i += 2) headers.set(pairs[i].toLowerCase(), pairs[i + 1])
    this.headersSent = true
    this.#head = { status, headers }
  }

  write(part: string | Uint8Array): void {
    this.#parts.push(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
    this.writableLength += part.length
  }

  end(part?: string): void {
    if (part !== undefined) this.write(part)
    this.#socket.transmit(this, this.#asked, this.#head!, this.#parts)
  }

  emitClose(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.emit('close')
  }
}
