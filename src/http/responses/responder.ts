import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../contract/clock.ts'
import type { RouteName } from '../../contract/routes.ts'
import type { FramePart } from '../../encoding/frames/frame-parts.ts'
import { SegmentCache } from '../content-coding/segment-cache.ts'
import { constantHeaderPairs } from './constant-headers.ts'
import { matchesEntityTag } from './entity-tags.ts'
import { negotiateCoding } from '../content-coding/negotiation.ts'
import { PublishedFrames } from './published-frame.ts'
import type { PublishedFrame } from './published-frame.ts'
import type { Frame } from '../../encoding/frames/frame.ts'
import { limits } from '../limits.ts'
import { awaitsContinue } from '../requests/request-body.ts'
import { Problem, problemRepresentation } from './problems.ts'
import { sliceBytes, sliceLength } from './representation.ts'
import type { Representation } from './representation.ts'
import type { CodingName } from '../content-coding/codings.ts'
import { byteString, lengthOfParts, ResponseBodyWriter } from './response-writer.ts'
import type { FrameReader, Part } from './response-writer.ts'

/** Called with every response; `none` stands for requests that matched no route. */
export type ResponseObserver = (
  route: RouteName | 'none',
  status: number,
  seconds: number,
  bytes: number,
) => void

export interface ResponderOptions {
  readonly mirror: FrameReader
  readonly clock: Clock
  /** A random id of this run of the service, part of every entity tag. */
  readonly bootId: string
  readonly onResponse: ResponseObserver
  readonly log: (line: string) => void
  /** By default a cache of its own, with all codings. */
  readonly segments?: SegmentCache
}

/** A request, its response, and the frame from which the whole response is made. */
export interface Exchange {
  route: RouteName | 'none'
  readonly request: IncomingMessage
  readonly response: ServerResponse
  published: PublishedFrame
  readonly startMs: number
}

/** A response without its age. */
interface Message {
  readonly status: number
  readonly representation: Representation
  readonly tag: string | null
}

const problemMessage = (problem: Problem, representation = problemRepresentation(problem)): Message => ({
  status: problem.status,
  representation,
  tag: null,
})

/** Alternating names and values. */
const sameHeaders = [...constantHeaderPairs, 'Vary', 'Accept-Encoding']

/** Writes responses, with freshness headers, conditional requests and compression. */
export class Responder {
  readonly #options: ResponderOptions
  readonly #frames: PublishedFrames
  readonly #writer: ResponseBodyWriter
  readonly #segments: SegmentCache

  constructor(options: ResponderOptions) {
    const { mirror, clock, bootId, segments = new SegmentCache() } = options
    this.#options = options
    this.#segments = segments
    this.#frames = new PublishedFrames(bootId)
    this.#writer = new ResponseBodyWriter(mirror, clock)
  }

  /** Counts as a read of the mirror, and fixes the frame of the response. */
  begin(request: IncomingMessage, response: ServerResponse): Exchange {
    const startMs = this.#options.clock.nowMs()
    return {
      route: 'none',
      request,
      response,
      published: this.#frames.of(this.#options.mirror.read()),
      startMs,
    }
  }

  /** Waits for a frame with the parts that are read, if this one lacks some: the response is of that one. */
  parts(exchange: Exchange, parts: readonly FramePart[]): Promise<void> | null {
    const { frame } = exchange.published
    if (frame === null || parts.length === 0) return null
    const next = this.#options.mirror.readParts(parts)
    return next instanceof Promise ? this.#awaitParts(exchange, frame, next) : null
  }

  async #awaitParts(exchange: Exchange, frame: Frame, next: Promise<Frame | null>): Promise<void> {
    const found = await next
    if (found !== null) exchange.published = this.#frames.of(found)
    else if (exchange.route === 'metrics')
      exchange.published = this.#frames.ofSamples(this.#options.mirror.read() ?? frame)
    else
      throw new Problem(
        'RecordsUnavailable',
        'No client has read these records lately, and the world does not answer.',
      )
  }

  /** Responds with a representation, or with 304 if the client has it already. */
  respond(exchange: Exchange, representation: Representation): void | Promise<void> {
    const { published, request } = exchange
    const { name } = representation
    const tag = name === null || published.frame === null ? null : published.tag(name)
    const condition = request.headers['if-none-match']
    if (tag !== null && condition !== undefined && matchesEntityTag(condition, tag)) {
      const headers = this.#headers(
        { status: 304, representation, tag },
        published,
        this.#options.mirror.ageMs(published.publish),
      )
      this.#transmit(exchange, 304, headers, [], 0)
      return
    }
    return this.#send(exchange, { status: 200, representation, tag })
  }

  /** Responds when a representation is ready. The frame is leased until then. */
  async respondLater(exchange: Exchange, representation: Promise<Representation>): Promise<void> {
    const release = this.#writer.hold(exchange.published.frame, exchange.response)
    try {
      await this.respond(exchange, await representation)
    } finally {
      release()
    }
  }

  /** `page` is shown by browsers in place of the problem. */
  respondWithProblem(exchange: Exchange, problem: Problem, page?: Representation): void {
    this.#sendPlain(exchange, problemMessage(problem, page))
  }

  /** Responds to an error of a hook or a handler. Any error but a problem is a bug of the service. */
  respondWithError(exchange: Exchange, error: unknown): void {
    if (error instanceof Problem) {
      this.respondWithProblem(exchange, error)
      return
    }
    const reason = error instanceof Error ? error.stack : String(error)
    this.#options.log(`A request of ${exchange.route} failed: ${reason}`)
    this.respondWithProblem(exchange, new Problem('InternalError', 'The service failed; its log says why.'))
  }

  /** A complete response for a connection whose request could not be parsed. It closes the connection. */
  rawProblemResponse(problem: Problem): string {
    const published = this.#frames.of(this.#options.mirror.read())
    const ageMs = this.#options.mirror.ageMs(published.publish)
    const message = problemMessage(problem)
    const body = message.representation.head(published, ageMs)
    const length = Buffer.byteLength(body)
    const headers = [...this.#headers(message, published, ageMs, length)]
    headers.push('Date', new Date(this.#options.clock.wallMs()).toUTCString(), 'Connection', 'close')
    let text = `HTTP/1.1 ${message.status} ${problem.title}\r\n`
    for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`
    this.#options.onResponse('none', message.status, 0, length)
    return `${text}\r\n${body}`
  }

  #send(exchange: Exchange, message: Message): void | Promise<void> {
    const coding = this.#codingFor(exchange.request, message.representation)
    if (coding !== null) return this.#sendCompressed(exchange, message, coding)
    this.#sendPlain(exchange, message)
  }

  #codingFor(request: IncomingMessage, { slices }: Representation): CodingName | null {
    const accepted = request.headers['accept-encoding']
    if (accepted === undefined) return null
    let length = 0
    for (const slice of slices) length += sliceLength(slice)
    if (length < limits.compressedMin) return null
    return negotiateCoding(accepted)
  }

  #sendPlain(exchange: Exchange, message: Message): void {
    const { published } = exchange
    const { representation, status } = message
    const ageMs = this.#options.mirror.ageMs(published.publish)
    const parts: Part[] = [byteString(representation.head(published, ageMs))]
    for (const slice of representation.slices) parts.push(sliceBytes(slice))
    if (representation.tail !== '') parts.push(byteString(representation.tail))
    const length = lengthOfParts(parts)
    this.#transmit(exchange, status, this.#headers(message, published, ageMs, length), parts, length, true)
  }

  async #sendCompressed(exchange: Exchange, message: Message, coding: CodingName): Promise<void> {
    const { published, response } = exchange
    const { representation, status } = message
    const release = this.#writer.hold(published.frame, response)
    try {
      const segment = await this.#segments.segmentOf(coding, representation.slices)
      const ageMs = this.#options.mirror.ageMs(published.publish)
      const head = Buffer.from(representation.head(published, ageMs))
      const parts = await this.#segments.codings[coding].assemble(
        head,
        segment,
        Buffer.from(representation.tail),
      )
      const length = lengthOfParts(parts)
      const headers = this.#headers(message, published, ageMs, length)
      headers.push('Content-Encoding', coding)
      this.#transmit(exchange, status, headers, parts, length)
    } finally {
      release()
    }
  }

  /** Those of a body are left out without its length. */
  #headers(
    { representation, tag }: Message,
    published: PublishedFrame,
    ageMs: number,
    length: number | null = null,
  ): string[] {
    const headers =
      length === null ? [] : ['Content-Type', representation.mediaType, 'Content-Length', String(length)]
    headers.push('X-Sim-Age-Ms', String(ageMs), 'X-Sim-Publish-Seq', published.publishSeq, ...sameHeaders)
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
    const { route, request, response, published, startMs } = exchange
    if (awaitsContinue(request)) headers.push('Connection', 'close')
    this.#writer.send(response, status, headers, parts, length, frameBytes ? published.frame : null)
    const sentBytes = request.method === 'HEAD' ? 0 : length
    this.#options.onResponse(route, status, (this.#options.clock.nowMs() - startMs) / 1000, sentBytes)
  }
}
