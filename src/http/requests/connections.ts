import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../limits.ts'

type ConnectionLimits = {
  readonly [K in
    | 'pipelinedMax'
    | 'pipelinedInAllMax'
    | 'turnRequestsMax'
    | 'turnsMax'
    | 'turnBytesMax']: number
}

/** The requests of one connection that wait for the response to an earlier one. */
interface Connection {
  readonly waiting: (() => void)[]
  readonly next: () => void
  isBusy: boolean
  /** The response that is being sent. */
  response: ServerResponse | null
  /** Bytes sent on the connection up to the last counted answer. */
  sentBytes: number
}

/**
 * Answers the requests of each connection one after the other. Clients may pipeline, and a response takes far more
 * memory than its request, so a request waits until the previous response is sent. Reading pauses on a connection with
 * too many waiting requests; at the limit for all connections, the connection that exceeds it is closed.
 */
export class Connections {
  readonly #soon: (call: () => void) => void
  readonly #limits: ConnectionLimits
  readonly #connections = new Map<Socket, Connection>()
  /** Connections whose reading waits for a later turn of the event loop, in the order of their turns. */
  readonly #unread = new Set<Socket>()
  /** Requests that arrived in this turn of the event loop. */
  #arrived = 0
  readonly #postponed: (() => void)[] = []
  #turnBytes = 0
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
    const connection = this.#connections.get(socket) ?? this.add(socket)
    this.#countArrival(socket)
    if (connection.isBusy) {
      this.#wait(socket, connection, () => this.#start(connection, request, response, answer))
    } else this.#start(connection, request, response, answer)
  }

  /** Calls back once every request on a connection is answered; at once if none waits. */
  whenAnswered(socket: Socket, call: () => void): void {
    const connection = this.#connections.get(socket)
    if (connection?.isBusy === true) this.#wait(socket, connection, call)
    else call()
  }

  /** Continues a response that waits for its socket to drain, where Node no longer does so itself. */
  drained(socket: Socket): void {
    this.#connections.get(socket)?.response?.emit('drain')
  }

  /** Whether reading from the connection is suspended because too many of its requests wait. */
  isHeldBack(socket: Socket): boolean {
    return (this.#connections.get(socket)?.waiting.length ?? 0) >= this.#limits.pipelinedMax
  }

  /** Calls back once no request is unanswered; at once if none is. */
  whenIdle(call: () => void): void {
    if (this.#busy === 0) call()
    else this.#whenIdle = call
  }

  /** Registers a new connection. */
  add(socket: Socket): Connection {
    const connection = {
      waiting: [],
      isBusy: false,
      response: null,
      sentBytes: 0,
      next: () => this.#finish(socket, connection),
    }
    this.#connections.set(socket, connection)
    socket.once('close', () => {
      this.#connections.delete(socket)
      this.#unread.delete(socket)
    })
    return connection
  }

  /**
   * Node parses all requests of a packet at once, and the packets of all connections in one turn of the event loop.
   * After a turn with many requests, the other connections are read in later turns, a few in each.
   */
  #countArrival(socket: Socket): void {
    if (this.#arrived++ === 0) this.#soon(() => (this.#arrived = 0))
    if (this.#arrived !== this.#limits.turnRequestsMax) return
    const isReadingInTurns = this.#unread.size > 0
    for (const other of this.#connections.keys()) {
      if (other === socket || other.isPaused()) continue
      other.pause()
      this.#unread.add(other)
    }
    if (!isReadingInTurns) this.#soon(() => this.#readNext())
  }

  #readNext(): void {
    const count = Math.ceil(this.#unread.size / this.#limits.turnsMax)
    for (const socket of this.#unread.values().take(count)) {
      this.#unread.delete(socket)
      if (!this.isHeldBack(socket)) socket.resume()
    }
    if (this.#unread.size > 0) this.#soon(() => this.#readNext())
  }

  #start(
    connection: Connection,
    request: IncomingMessage,
    response: ServerResponse,
    answer: RequestListener,
  ): void {
    connection.isBusy = true
    connection.response = response
    this.#busy++
    response.on('close', connection.next)
    answer(request, response)
  }

  #wait(socket: Socket, { waiting }: Connection, start: () => void): void {
    waiting.push(start)
    this.#waiting++
    if (waiting.length === this.#limits.pipelinedMax) this.#holdBack(socket)
    if (this.#waiting > this.#limits.pipelinedInAllMax) socket.destroy()
  }

  /** Clients that pipeline and read at full speed must not starve all others of the event loop. */
  #finish(socket: Socket, connection: Connection): void {
    if (connection.waiting.length > 0) {
      this.#turnBytes += socket.bytesWritten - connection.sentBytes
      connection.sentBytes = socket.bytesWritten
      if (this.#turnBytes > this.#limits.turnBytesMax) {
        this.#postponed.push(() => this.#next(socket, connection))
        if (this.#postponed.length === 1) this.#soon(() => this.#startTurn())
        return
      }
    }
    this.#next(socket, connection)
  }

  /** Sends one of the postponed answers in each turn of the event loop. */
  #startTurn(): void {
    this.#turnBytes = 0
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

  /**
   * Node resumes a connection after each request that it has parsed or finished, so the pause has to be set after that.
   */
  #holdBack(socket: Socket): void {
    queueMicrotask(() => {
      if (this.isHeldBack(socket)) socket.pause()
    })
  }
}
