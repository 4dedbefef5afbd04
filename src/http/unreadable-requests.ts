import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { Clock } from '../contract/clock.ts'
import { methodNotAllowed } from './admission.ts'
import { limits } from './limits.ts'
import { Problem, quoted } from './problems.ts'
import type { Responder } from './responder.ts'

/** What Node's parser tells about a request that it could not read. */
export interface ParserError extends Error {
  readonly code?: string | undefined
  readonly reason?: string | undefined
  readonly bytesParsed?: number | undefined
  readonly rawPacket?: Buffer | undefined
}

/** A method that the parser does not know, as far as it has come: the rest may be in the next packet. */
const unknownMethod = /^(?!(?:GET|HEAD)\b)([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?: |$)/
const failedPartMax = 256

/** What came from the beginning of the line on at which the parser gave up. */
function failedPart({ rawPacket, bytesParsed = 0 }: ParserError): string {
  if (rawPacket === undefined) return ''
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf(10, bytesParsed - 1) + 1
  return rawPacket.toString('latin1', start, start + failedPartMax)
}

function overflow(part: string): Problem {
  const expected = `expected at most ${limits.headerBytesMax} bytes`
  // Where the parser gave up in the very first line, the target is to blame.
  return /^(?:GET|HEAD) \S*$/.test(part)
    ? new Problem('TargetTooLong', `The request line alone is too long, ${expected} with all headers.`)
    : new Problem('HeadersTooLarge', `The header section is too large, ${expected}.`)
}

export function problemOf(error: ParserError): Problem {
  const part = failedPart(error)
  if (error.code === 'HPE_HEADER_OVERFLOW') return overflow(part)
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const headers = `expected its headers within ${limits.headersTimeoutMs / 1000} s`
    const whole = `all of it within ${limits.requestTimeoutMs / 1000} s`
    return new Problem('RequestTimeout', `The request did not arrive whole, ${headers} and ${whole}.`)
  }
  const method = error.code === 'HPE_INVALID_METHOD' ? unknownMethod.exec(part)?.[1] : undefined
  if (method !== undefined) return methodNotAllowed(method)
  const reason = error.reason ?? 'It cannot be read'
  return new Problem('MalformedRequest', `${reason} near ${quoted(part)}, expected HTTP/1.1.`)
}

/** Answers connections on which no request could be read, after whatever is still being answered on them. */
export class UnreadableRequests {
  readonly #responder: Responder
  readonly #clock: Clock
  readonly #refused = new WeakSet<Duplex>()

  constructor(responder: Responder, clock: Clock) {
    this.#responder = responder
    this.#clock = clock
  }

  /** The parser reports the same connection again for everything else that comes in on it. */
  refuse(socket: Socket, problem: Problem): void {
    if (this.#refused.has(socket)) return
    this.#refused.add(socket)
    if (!socket.writable) {
      socket.destroy()
      return
    }
    this.#responder.open.whenNoneOn(socket, () => this.#end(socket, problem))
  }

  /** A connection that is closed with bytes unread is reset, and the client may lose the answer to that. */
  #end(socket: Socket, problem: Problem): void {
    if (socket.destroyed) return
    socket.end(this.#responder.refusalText(problem))
    socket.resume()
    const stopWaiting = this.#clock.after(limits.lingerMs, () => socket.destroy())
    socket.once('close', stopWaiting)
  }
}
