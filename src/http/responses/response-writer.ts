import type { ServerResponse } from 'node:http'
import type { Clock } from '../../contract/clock.ts'
import type { Frame } from '../../encoding/frames/frame.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { limits } from '../limits.ts'

/** The source of frames for responses. */
export type FrameReader = Pick<Mirror, 'read' | 'readParts' | 'ageMs' | 'hold'>

/** Bytes of a body, or a string with one character per byte. */
export type Part = string | Uint8Array

/** The UTF-8 bytes of a text as a string with one character per byte. */
export const byteString = (text: string): string =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')

/** The parts as one string. Node sends a string and the headers with one system call, a buffer with two. */
function joined(parts: readonly Part[]): string {
  let whole = ''
  for (const part of parts) whole += typeof part === 'string' ? part : asBuffer(part).toString('latin1')
  return whole
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Writes responses to their connections, and leases frames until their bytes are sent. */
export class ResponseBodyWriter {
  readonly #mirror: Pick<FrameReader, 'hold'>
  readonly #clock: Clock

  constructor(mirror: Pick<FrameReader, 'hold'>, clock: Clock) {
    this.#mirror = mirror
    this.#clock = clock
  }

  /** Leases a frame while a response is made from it. */
  hold(frame: Frame | null, response: ServerResponse): () => void {
    const { socket } = response.req
    return frame === null ? () => {} : this.#mirror.hold(frame, () => socket.destroy())
  }

  /**
   * Sends a complete response. `frame` owns bytes of the parts; null if none does. Headers alternate names and values,
   * and must include the length of the parts.
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
      for (const part of parts) if (part.length > 0) response.write(part, 'latin1')
      response.end()
      return
    }
    // The rest waits for a client that may have disconnected.
    if (response.writableLength > 0) this.#watch(response, null)
  }

  /** Leases the frame until the response ends, and closes the connection if that takes too long. */
  #watch(response: ServerResponse, frame: Frame | null): void {
    const { socket } = response.req
    if (socket.destroyed) return
    const endConnection = (): void => {
      socket.destroy()
    }
    const release = frame === null ? () => {} : this.#mirror.hold(frame, endConnection)
    const stopWaiting = this.#clock.after(limits.responseTimeoutMs, endConnection)
    response.once('close', () => {
      stopWaiting()
      release()
    })
  }
}

export const lengthOfParts = (parts: readonly Part[]): number => {
  let length = 0
  for (const part of parts) length += part.length
  return length
}
