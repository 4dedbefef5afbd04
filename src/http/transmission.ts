import type { ServerResponse } from 'node:http'
import type { Clock } from '../contract/clock.ts'
import type { Frame } from '../encoding/frame.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { limits } from './limits.ts'
import { OpenResponses } from './open-responses.ts'

export type Part = string | Uint8Array

const lengthOfPart = (part: Part): number =>
  typeof part === 'string' ? Buffer.byteLength(part) : part.byteLength

/**
 * Parts as one string of a character a byte. Node sends such a string and the headers before it with one call to the
 * system, for bytes it makes two buffers of them.
 */
function joined(parts: readonly Part[]): string {
  let whole = ''
  for (const part of parts) {
    if (typeof part !== 'string') whole += asBuffer(part).toString('latin1')
    else whole += Buffer.byteLength(part) === part.length ? part : Buffer.from(part).toString('latin1')
  }
  return whole
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Hands responses to their connections, and keeps what they are made of until they have left. */
export class Transmission {
  readonly open = new OpenResponses()
  readonly #mirror: Mirror
  readonly #clock: Clock

  constructor(mirror: Mirror, clock: Clock) {
    this.#mirror = mirror
    this.#clock = clock
  }

  /** Keeps a frame as it is while a response is being made from it. */
  hold(frame: Frame | null, response: ServerResponse): () => void {
    const { socket } = response.req
    this.open.add(response, socket, () => {})
    return frame === null ? () => {} : this.#mirror.hold(frame, () => socket.destroy())
  }

  /**
   * Sends a response whole. `frame` is the one whose own bytes are among the parts, if there is one. Headers are
   * names and values in turn, and must tell the length of the parts.
   */
  send(
    response: ServerResponse,
    status: number,
    headers: string[],
    parts: readonly Part[],
    length: number,
    frame: Frame | null = null,
  ): void {
    response.writeHead(status, headers)
    if (response.req.method === 'HEAD' || length === 0) response.end()
    else if (length <= limits.joinedMax) response.end(joined(parts), 'latin1')
    else {
      this.#watch(response, frame)
      for (const part of parts) if (part.length > 0) response.write(part)
      response.end()
      return
    }
    // What a connection does not take at once may wait behind another response, or for a reader who is gone.
    if (response.writableLength > 0) this.#watch(response, null)
  }

  /** Holds the frame until the response is over, and ends the connection if that takes too long. */
  #watch(response: ServerResponse, frame: Frame | null): void {
    const { socket } = response.req
    const endConnection = (): void => {
      socket.destroy()
    }
    const release = frame === null ? () => {} : this.#mirror.hold(frame, endConnection)
    const stopWaiting = this.#clock.after(limits.responseTimeoutMs, endConnection)
    this.open.add(response, socket, () => {
      stopWaiting()
      release()
    })
  }
}

export const lengthOfParts = (parts: readonly Part[]): number => {
  let length = 0
  for (const part of parts) length += lengthOfPart(part)
  return length
}
