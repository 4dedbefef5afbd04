import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../limits.ts'

type ConnectionLimits = Readonly<Record<'pipelinedMax' | 'pipelinedInAllMax', number>>

/** The requests of one connection that wait for the response to an earlier one. */
interface Connection {
  readonly waiting: (() => void)[]
  isBusy: boolean
  /** The response that is being sent. */
  response: ServerResponse | null
}

/**
 * Answers the requests of each connection one after the other. Clients may pipeline, and a response takes far more
 * memory than its request, so a request waits until the previous response is sent. Reading pauses on a connection with
 * too many waiting requests; at the limit for all connections, the connection that exceeds it is closed.
 */
export class Connections {
  readonly #soon: (call: () => void) => void
  readonly #limits: ConnectionLimits
  readonly #connections = new WeakMap<Socket, Connection>()
  readonly #postponed: (() => void)[] = []
  #busy = 0
  #waiting = 0
  #whenIdle: () => void = () => {}

  /** `soon` calls back in a later turn of the event loop. */
  constructor(soon: (call: () => void) => void = setImmediate, bounds: ConnectionLimits = limits) {
    this.#soon = soon
    this.#limits = bounds
  }

  /** Answers a request after every earlier one on its connection; at once if none waits. */
  enqueue(request: IncomingMessage, response: ServerResponse, answer: RequestListener): void {
    const { socket } = request
    const connection = this.#connectionOf(socket)
    const start = (): void => {
      connection.isBusy = true
      connection.response = response
      this.#busy++
      response.on('close', () => this.#finish(socket, connection))
      answer(request, response)
    }
    if (connection.isBusy) this.#wait(socket, connection, start)
    else start()
  }

  /** Calls back once every request on a connection is answered; at once if none waits. */
  whenAnswered(socket: Socket, call: () => void): void {
    const connection = this.#connectionOf(socket)
    if (connection.isBusy) this.#wait(socket, connection, call)
    else call()
  }

  /** Continues a response that waits for its socket to drain, where Node no longer does so itself. */
  drained(socket: Socket): void {
    this.#connections.get(socket)?.response?.emit('drain')
  }

  /** Calls back once no request is unanswered; at once if none is. */
  whenIdle(call: () => void): void {
    if (this.#busy === 0) call()
    else this.#whenIdle = call
  }

  /** Whether reading from the connection is suspended because too many of its requests wait. */
  isHeldBack(socket: Socket): boolean {
    return this.#connectionOf(socket).waiting.length >= this.#limits.pipelinedMax
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket)
    if (known !== undefined) return known
    const connection = { waiting: [], isBusy: false, response: null }
    this.#connections.set(socket, connection)
    return connection
  }

  #wait(socket: Socket, { waiting }: Connection, start: () => void): void {
    if (socket.destroyed) return
    waiting.push(start)
    this.#waiting++
    if (this.#waiting > this.#limits.pipelinedInAllMax) socket.destroy()
    else if (waiting.length === this.#limits.pipelinedMax) this.#holdBack(socket)
  }

  /** Node resumes a connection after each request that it has parsed or finished, so the pause has to be set after that. */
  #holdBack(socket: Socket): void {
    queueMicrotask(() => {
      if (this.isHeldBack(socket)) socket.pause()
    })
  }

  #finish(socket: Socket, connection: Connection): void {
    const next = (): void => this.#next(socket, connection)
    if (connection.waiting.length === 0) next()
    else if (this.#postponed.push(next) === 1) this.#soon(() => this.#startTurn())
  }

  /** Of all pipelined requests one starts in each turn of the event loop, so that they do not starve others of it. */
  #startTurn(): void {
    const next = this.#postponed.shift()!
    if (this.#postponed.length > 0) this.#soon(() => this.#startTurn())
    next()
  }

  #next(socket: Socket, connection: Connection): void {
    const { waiting } = connection
    connection.isBusy = false
    connection.response = null
    this.#busy--
    if (!socket.writable) {
      this.#waiting -= waiting.length
      waiting.length = 0
    }
    const start = waiting.shift()
    if (start !== undefined) {
      this.#waiting--
      start()
      if (this.isHeldBack(socket)) this.#holdBack(socket)
      else if (socket.isPaused()) socket.resume()
    }
    if (this.#busy === 0) this.#whenIdle()
  }
}
