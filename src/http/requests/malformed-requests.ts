import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { Clock } from '../../contract/clock.ts'
import type { Connections } from './connections.ts'
import { methodNotAllowed } from './request-guard.ts'
import { limits } from '../limits.ts'
import { quoted } from '../../text/quoted.ts'
import { Problem } from '../responses/problems.ts'
import type { Responder } from '../responses/responder.ts'

/** The error of Node's parser for a request that it cannot parse. */
export interface ParserError extends Error {
  readonly code?: string | undefined
  readonly reason?: string | undefined
  readonly bytesParsed?: number | undefined
  readonly rawPacket?: Buffer | undefined
}

/** An unsupported method, possibly incomplete: the rest may be in the next packet. */
const unknownMethod = /^(?!(?:GET|HEAD)\b)([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?: |$)/
const failedPartMax = 256

/** The beginning of the line at which the parser failed. */
function failedPart({ rawPacket, bytesParsed = 0 }: ParserError): string {
  if (rawPacket === undefined) return ''
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf(10, bytesParsed - 1) + 1
  return rawPacket.toString('latin1', start, start + failedPartMax)
}

function overflow(part: string): Problem {
  const expected = `expected at most ${limits.headerBytesMax} bytes`
  // An overflow in the first line is due to the target.
  return /^(?:GET|HEAD) \S*$/.test(part)
    ? new Problem('TargetTooLong', `The request line alone is too long, ${expected} with all headers.`)
    : new Problem('HeadersTooLarge', `The header section is too large, ${expected}.`)
}

export function parserProblem(error: ParserError): Problem {
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

/** Responds on connections whose request could not be parsed, after their earlier requests are answered. */
export class MalformedRequestHandler {
  readonly #responder: Responder
  readonly #connections: Connections
  readonly #clock: Clock
  readonly #refused = new WeakSet<Duplex>()

  constructor(responder: Responder, connections: Connections, clock: Clock) {
    this.#responder = responder
    this.#connections = connections
    this.#clock = clock
  }

  /** The parser reports the same connection again for each further packet. */
  refuse(socket: Socket, problem: Problem): void {
    // A request on a paused connection cannot arrive in time.
    if (problem.kind === 'RequestTimeout' && this.#connections.isHeldBack(socket)) return
    if (this.#refused.has(socket)) return
    this.#refused.add(socket)
    if (!socket.writable) {
      socket.destroy()
      return
    }
    this.#connections.whenAnswered(socket, () => this.#end(socket, problem))
  }

  /** Closing a connection with unread bytes resets it, and the client may lose the response. */
  #end(socket: Socket, problem: Problem): void {
    if (socket.destroyed) return
    socket.end(this.#responder.rawProblemResponse(problem))
    socket.resume()
    const stopWaiting = this.#clock.after(limits.lingerMs, () => socket.destroy())
    socket.once('close', stopWaiting)
  }
}
