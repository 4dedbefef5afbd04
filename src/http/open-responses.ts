import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Responses that are not on their way to the reader whole. Each is told once when it is over, be it sent or cut
 * off. A response that waits behind another one on its connection hears nothing of the connection's end by
 * itself, which is why connections are watched too.
 */
export class OpenResponses {
  readonly #bySocket = new Map<Socket, Set<() => void>>()
  readonly #waiting = new Map<Socket, () => void>()
  #whenNone: () => void = () => {}

  get count(): number {
    let count = 0
    for (const open of this.#bySocket.values()) count += open.size
    return count
  }

  add(response: ServerResponse, socket: Socket, over: () => void): void {
    if (socket.destroyed) {
      over()
      return
    }
    const open = this.#bySocket.get(socket) ?? this.#watch(socket)
    const end = (): void => {
      if (!open.delete(end)) return
      over()
      if (open.size === 0) this.#forget(socket)
    }
    open.add(end)
    response.once('close', end)
  }

  /** Calls once nothing is open on a connection, at once if nothing is. */
  whenNoneOn(socket: Socket, call: () => void): void {
    if (this.#bySocket.has(socket)) this.#waiting.set(socket, call)
    else call()
  }

  /** Calls once nothing is open at all, at once if nothing is. */
  whenNone(call: () => void): void {
    if (this.#bySocket.size === 0) call()
    else this.#whenNone = call
  }

  #watch(socket: Socket): Set<() => void> {
    const open = new Set<() => void>()
    this.#bySocket.set(socket, open)
    socket.once('close', this.#closed)
    return open
  }

  readonly #closed = (): void => {
    for (const [socket, open] of this.#bySocket) {
      if (socket.destroyed) for (const end of open) end()
    }
  }

  #forget(socket: Socket): void {
    this.#bySocket.delete(socket)
    socket.removeListener('close', this.#closed)
    this.#waiting.get(socket)?.()
    this.#waiting.delete(socket)
    if (this.#bySocket.size === 0) this.#whenNone()
  }
}
