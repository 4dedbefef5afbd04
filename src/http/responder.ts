import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../contract/clock.ts'
import type { RouteName } from '../contract/routes.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { answerTo } from './answers/answers.ts'
import type { AnswerSources } from './answers/answers.ts'
import { CompressedSlices } from './compressed-slices.ts'
import { matchesTag } from './conditional.ts'
import { codingNames, NegotiatedCodings } from './content-coding.ts'
import type { CodingName } from './content-coding.ts'
import { Editions } from './edition.ts'
import type { Edition } from './edition.ts'
import { limits } from './limits.ts'
import { awaitsContinue } from './request-body.ts'
import { Problem, problemRepresentation, statusOf } from './problems.ts'
import { bytesOf, lengthOf } from './representation.ts'
import type { Representation } from './representation.ts'
import { formats, manyBulkCodings } from './spliced-streams.ts'
import { lengthOfParts, Transmission } from './transmission.ts'
import type { Part } from './transmission.ts'

/** What became of a request; `none` is for those that matched no route. */
export type Answered = (route: RouteName | 'none', status: number, seconds: number, bytes: number) => void

export interface ResponderOptions {
  readonly mirror: Mirror
  readonly clock: Clock
  /** The wall clock, for the Date header where Node doesn't write it. */
  readonly today: () => Date
  /** Differs from one run of the service to the next. */
  readonly bootId: string
  readonly sources: AnswerSources
  readonly answered: Answered
  readonly log: (line: string) => void
}

/** A request on its way to its response, and the edition of the world that answers all of it. */
interface Exchange {
  readonly route: RouteName | 'none'
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly edition: Edition
  readonly beganMs: number
}

/** What is sent, but for its age. */
interface Message {
  readonly status: number
  readonly representation: Representation
  readonly tag: string | null
}

function queryOf({ url = '' }: IncomingMessage): string {
  const mark = url.indexOf('?')
  if (mark < 0) return ''
  const end = url.indexOf('#', mark)
  return end < 0 ? url.slice(mark + 1) : url.slice(mark + 1, end)
}

/** Decides how every request is answered: freshness headers, conditional requests and compression are here. */
export class Responder {
  readonly #mirror: Mirror
  readonly #clock: Clock
  readonly #today: () => Date
  readonly #sources: AnswerSources
  readonly #answered: Answered
  readonly #log: (line: string) => void
  readonly #editions: Editions
  readonly #transmission: Transmission
  readonly #compressed = new CompressedSlices()
  readonly #codings = new NegotiatedCodings(codingNames)
  readonly #manyBulkCodings = new NegotiatedCodings(manyBulkCodings)

  constructor({ mirror, clock, today, bootId, sources, answered, log }: ResponderOptions) {
    this.#mirror = mirror
    this.#clock = clock
    this.#today = today
    this.#sources = sources
    this.#answered = answered
    this.#log = log
    this.#editions = new Editions(bootId)
    this.#transmission = new Transmission(mirror, clock)
  }

  /** The responses that are not on their way whole. */
  get open(): Transmission['open'] {
    return this.#transmission.open
  }

  /** Answers a request that matched a route. */
  answer(route: RouteName, request: IncomingMessage, response: ServerResponse, pathId?: string): void {
    const exchange = this.#exchange(route, request, response)
    try {
      const outcome = answerTo(route, exchange.edition.frame, pathId, queryOf(request), this.#sources)
      if (outcome instanceof Promise) void this.#answerLater(exchange, outcome)
      else this.#conclude(exchange, outcome)
    } catch (error) {
      this.#fault(exchange, error)
    }
  }

  /** Answers a request that matched no route, or is refused whatever it asks for. */
  refuse(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
    this.#conclude(this.#exchange('none', request, response), problem)
  }

  /** A refusal as text, for a connection on which no request could be read. It closes the connection. */
  refusalText(problem: Problem): string {
    const edition = this.#editions.of(this.#mirror.read())
    const ageMs = this.#mirror.ageMs(edition.frame)
    const representation = problemRepresentation(problem)
    const body = representation.head(edition, ageMs)
    const message = { status: statusOf(problem), representation, tag: null }
    const length = Buffer.byteLength(body)
    const headers = [...this.#headers(message, edition, ageMs, length)]
    headers.push('Date', this.#today().toUTCString(), 'Connection', 'close')
    let text = `HTTP/1.1 ${message.status} ${problem.title}\r\n`
    for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`
    this.#answered('none', message.status, 0, length)
    return `${text}\r\n${body}`
  }

  #exchange(route: RouteName | 'none', request: IncomingMessage, response: ServerResponse): Exchange {
    const beganMs = this.#clock.nowMs()
    return { route, request, response, edition: this.#editions.of(this.#mirror.read()), beganMs }
  }

  async #answerLater(exchange: Exchange, outcome: Promise<Representation | Problem>): Promise<void> {
    const release = this.#transmission.hold(exchange.edition.frame, exchange.response)
    try {
      this.#conclude(exchange, await outcome)
    } catch (error) {
      this.#fault(exchange, error)
    } finally {
      release()
    }
  }

  #conclude(exchange: Exchange, outcome: Representation | Problem): void {
    if (outcome instanceof Problem) {
      this.#send(exchange, {
        status: statusOf(outcome),
        representation: problemRepresentation(outcome),
        tag: null,
      })
      return
    }
    const { edition, request } = exchange
    const tag = outcome.name === null || edition.frame === null ? null : edition.tag(outcome.name)
    const known = request.headers['if-none-match']
    if (tag !== null && known !== undefined && matchesTag(known, tag)) this.#sendNotModified(exchange, tag)
    else this.#send(exchange, { status: 200, representation: outcome, tag })
  }

  #sendNotModified(exchange: Exchange, tag: string): void {
    const { edition } = exchange
    // biome-ignore format: names and values in pairs
    const headers = [
      'X-Sim-Age-Ms', String(this.#mirror.ageMs(edition.frame)),
      'X-Sim-Publish-Seq', edition.publishSeq,
      'Cache-Control', 'no-cache',
      'Vary', 'Accept-Encoding',
      'ETag', tag,
    ]
    this.#transmit(exchange, 304, headers, [], 0)
  }

  #send(exchange: Exchange, message: Message): void {
    const coding = this.#codingFor(exchange.request, message.representation)
    if (coding === null) this.#sendPlain(exchange, message)
    else void this.#sendCompressed(exchange, message, coding)
  }

  #codingFor(request: IncomingMessage, { slices }: Representation): CodingName | null {
    const accepted = request.headers['accept-encoding']
    if (accepted === undefined) return null
    let length = 0
    for (const slice of slices) length += lengthOf(slice)
    if (length < limits.compressedMin) return null
    return (slices.length > 1 ? this.#manyBulkCodings : this.#codings).for(accepted)
  }

  #sendPlain(exchange: Exchange, message: Message): void {
    const { edition } = exchange
    const { representation, status } = message
    const ageMs = this.#mirror.ageMs(edition.frame)
    const parts: Part[] = [representation.head(edition, ageMs)]
    for (const slice of representation.slices) parts.push(bytesOf(slice))
    if (representation.tail !== '') parts.push(representation.tail)
    const length = lengthOfParts(parts)
    this.#transmit(exchange, status, this.#headers(message, edition, ageMs, length), parts, length, true)
  }

  async #sendCompressed(exchange: Exchange, message: Message, coding: CodingName): Promise<void> {
    const { edition, response } = exchange
    const { representation, status } = message
    const release = this.#transmission.hold(edition.frame, response)
    try {
      const bulks = await this.#compressed.all(coding, representation.slices)
      const ageMs = this.#mirror.ageMs(edition.frame)
      const head = Buffer.from(representation.head(edition, ageMs))
      const parts = formats[coding].splice(head, bulks, Buffer.from(representation.tail))
      const length = lengthOfParts(parts)
      const headers = this.#headers(message, edition, ageMs, length)
      headers.push('Content-Encoding', coding)
      this.#transmit(exchange, status, headers, parts, length)
    } catch (error) {
      this.#fault(exchange, error)
    } finally {
      release()
    }
  }

  #fault(exchange: Exchange, error: unknown): void {
    const { route, response } = exchange
    this.#log(`A fault while answering ${route}: ${error instanceof Error ? error.stack : String(error)}`)
    if (response.headersSent) response.destroy()
    else this.#conclude(exchange, new Problem('InternalError', 'The service failed; its log says why.'))
  }

  #headers({ representation, tag }: Message, edition: Edition, ageMs: number, length: number): string[] {
    // biome-ignore format: names and values in pairs
    const headers = [
      'Content-Type', representation.mediaType,
      'Content-Length', String(length),
      'X-Sim-Age-Ms', String(ageMs),
      'X-Sim-Publish-Seq', edition.publishSeq,
      'Cache-Control', 'no-cache',
      'Vary', 'Accept-Encoding',
    ]
    if (tag !== null) headers.push('ETag', tag)
    if (representation.headers !== undefined) headers.push(...representation.headers)
    return headers
  }

  #transmit(
    exchange: Exchange,
    status: number,
    headers: string[],
    parts: readonly Part[],
    length: number,
    frameBytes = false,
  ): void {
    const { route, request, response, edition, beganMs } = exchange
    if (awaitsContinue(request)) headers.push('Connection', 'close')
    this.#transmission.send(response, status, headers, parts, length, frameBytes ? edition.frame : null)
    const sent = request.method === 'HEAD' ? 0 : length
    this.#answered(route, status, (this.#clock.nowMs() - beganMs) / 1000, sent)
  }
}
