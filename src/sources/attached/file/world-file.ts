import { isUtf8 } from 'node:buffer'
import { fileURLToPath } from 'node:url'
import { routes } from '../../../contract/routes.ts'
import { FileTooLargeError, readChangedFile } from '../../../files/regular-file.ts'
import { systemErrorText } from '../../../files/system-error.ts'
import { SourceError, StatusError } from '../../source.ts'
import { bodyBytesMax, responseError } from '../http/http-client.ts'
import type { ConnectionOptions, HttpResponse, RequestOptions, UpstreamClient } from '../http/http-client.ts'
import { JsonResponse } from '../http/json-response.ts'

const listPrefix = '/api/v1/'

/** A content of the file. */
interface Content {
  /** Differs for any other content. */
  readonly key: string
  readonly seenMs: number
  /** The JSON document, or why there is none. */
  readonly document: JsonResponse | SourceError
  /** Counts contents, for documents that do not number themselves. */
  readonly number: number
}

/**
 * A world in a JSON file that another program rewrites, in the place of an upstream: its members answer the routes. A file
 * that is missing, or half written, fails as an upstream does that cannot be reached.
 */
export class WorldFile implements UpstreamClient {
  readonly name: string
  readonly silence = 'is there, but is not written again'
  readonly #path: string
  readonly #clock: ConnectionOptions['clock']
  #content: Content | null = null
  #contents = 0

  constructor({ origin, clock }: ConnectionOptions) {
    const path = fileURLToPath(origin)
    this.name = `The file ${path}`
    this.#path = path
    this.#clock = clock
  }

  async get(target: string, { mayBeMissing = false }: RequestOptions = {}): Promise<HttpResponse> {
    const content = this.#read()
    const { document } = content
    if (document instanceof SourceError) throw document
    const [path] = target.split('?', 1)
    const meta = this.#metaOf(content, document)
    if (path === routes.health.path) return this.#response(Buffer.from(`{"world_ready":true,${meta}}`))
    const list = path.startsWith(listPrefix) ? path.slice(listPrefix.length) : path
    if (path === routes.diagnostics.path && document.has(list)) return this.#response(document.value(list))
    if (document.has(list)) {
      const head = Buffer.from(`{"meta":{${meta}},"possible_gap":false,"items":[`)
      return this.#response(Buffer.concat([head, document.items(list), Buffer.from(']}')]))
    }
    if (mayBeMissing) return { ...this.#response(Buffer.from('{}')), isMissing: true }
    throw new StatusError(404, `${this.name} has no ${list}.`)
  }

  close(): void {
    this.#content = null
  }

  #metaOf({ seenMs, number }: Content, document: JsonResponse): string {
    const simTimeNs = document.metaInt64('sim_time_ns')
    const publishSeq = document.metaInteger('publish_seq', Number.MAX_SAFE_INTEGER) ?? number
    const fresh = `"age_ms":${Math.round(this.#clock.nowMs() - seenMs)},"publish_seq":${publishSeq}`
    return simTimeNs === null ? fresh : `${fresh},"sim_time_ns":${simTimeNs}`
  }

  #response(body: Buffer): HttpResponse {
    return { name: this.name, headers: {}, body, receivedMs: this.#clock.nowMs(), isMissing: false }
  }

  /** The content of the file, which is read again when it has changed. */
  #read(): Content {
    const before = this.#content
    let file
    try {
      file = readChangedFile(this.#path, before?.key ?? '', bodyBytesMax)
    } catch (error) {
      const isTooLarge = error instanceof FileTooLargeError
      const problem = isTooLarge ? error.message : `cannot be read: ${systemErrorText(error)}`
      throw responseError(this.name, isTooLarge ? 'too_big' : 'unreachable', problem)
    }
    if (file === null) return before!
    const document = this.#documentOf(file.bytes)
    this.#content = { key: file.key, seenMs: this.#clock.nowMs(), document, number: ++this.#contents }
    return this.#content
  }

  #documentOf(bytes: Buffer): JsonResponse | SourceError {
    try {
      if (!isUtf8(bytes)) throw responseError(this.name, 'not_json', 'is not valid UTF-8')
      const document = new JsonResponse(this.#response(bytes))
      // Its lists follow each other.
      document.rescan()
      return document
    } catch (error) {
      if (error instanceof SourceError) return error
      throw error
    }
  }
}
