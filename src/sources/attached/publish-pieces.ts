import { collectionNames } from '../../contract/collections.ts'
import type { CollectionName, WorldPart } from '../../contract/collections.ts'
import { pageLimitMax, routes } from '../../contract/routes.ts'
import type { Route } from '../../contract/routes.ts'
import type { SourceError } from '../source.ts'
import { envelopeOf, pageRangeOf } from './http/envelope.ts'
import type { Envelope } from './http/envelope.ts'
import type { HttpResponse } from './http/http-client.ts'
import { JsonResponse } from './http/json-response.ts'

/** The parts of a world that have a route of their own. */
export type PartName = Exclude<WorldPart, 'simTime'>
export const partNames: readonly PartName[] = [...collectionNames, 'events', 'diagnostics']

const collectionPaths = Object.fromEntries(
  (Object.values(routes) as Route[]).flatMap(({ path, answer }) =>
    answer.kind === 'page' ? [[answer.collection, path]] : [],
  ),
) as Record<CollectionName, string>

export const partPaths: Readonly<Record<PartName, string>> = {
  ...collectionPaths,
  events: routes.events.path,
  diagnostics: routes.diagnostics.path,
}

/** One response of a publish, requested again until it belongs to the right one. */
export class Page {
  readonly path: string
  response: HttpResponse | null = null
  envelope: Envelope | null = null
  readonly #part: PartPieces
  readonly #offset: number
  #json: JsonResponse | null = null
  /** The size of the collection according to the page; null if it does not tell it. */
  total: number | null = null

  constructor(part: PartPieces, index: number) {
    const offset = index * pageLimitMax
    this.path = partPaths[part.name] + part.queryOf(offset)
    this.#part = part
    this.#offset = offset
  }

  get json(): JsonResponse {
    return this.#json!
  }

  /** A page beyond the end of a collection that has shrunk is not needed. */
  isNeeded(): boolean {
    return this.#part.failure === null && (this.#offset === 0 || this.#offset < this.#part.total)
  }

  /** Replaces the previous response. Throws a `SourceError` if the new one does not match the request. */
  accept(response: HttpResponse): void {
    this.response = response
    this.#json = new JsonResponse(response)
    this.envelope = envelopeOf(this.#json)
    if (!this.#part.isCollection) return
    const { length } = this.#json.items('items')
    const { total, count } = pageRangeOf(this.#json, this.#offset) ?? { total: null, count: 0 }
    // A claimed total must not cost requests for pages without items.
    if (length < 2 * count - 1)
      throw this.#json.error('bad_record', `is refused: ${length} bytes cannot hold ${count} items`)
    this.total = total
    this.#part.total = this.total ?? 0
  }

  /** A page that cannot be read costs its part. */
  fail(error: SourceError): void {
    this.#part.failure ??= error
  }
}

/** The pages of a collection, or the only response of another part. */
class PartPieces {
  readonly name: PartName
  readonly isCollection: boolean
  readonly pages: Page[]
  /** The size of the collection according to the latest response. */
  total: number
  failure: SourceError | null = null

  constructor(name: PartName, pageCount: number) {
    this.name = name
    this.isCollection = name !== 'events' && name !== 'diagnostics'
    this.total = pageCount * pageLimitMax
    this.pages = Array.from({ length: pageCount }, (_, index) => new Page(this, index))
  }

  queryOf(offset: number): string {
    if (this.isCollection) return `?offset=${offset}&limit=${pageLimitMax}`
    return this.name === 'events' ? `?limit=${pageLimitMax}` : ''
  }

  /** Adds pages that the collection has gained, and drops those that it has lost. */
  resize(): void {
    if (!this.isCollection || this.failure !== null) return
    const count = Math.max(1, Math.ceil(this.total / pageLimitMax))
    this.pages.splice(count)
    while (this.pages.length < count) this.pages.push(new Page(this, this.pages.length))
  }

  /** Fails if the pages do not agree on the size of the collection. */
  check(): void {
    if (this.failure !== null) return
    const [{ total: expected }] = this.pages
    const other = this.pages.find(({ total }) => total !== expected)
    if (other === undefined) return
    const problem = `is refused: total: got ${other.total}, expected ${expected}`
    this.failure = other.json.error('bad_record', problem)
  }
}

/** The responses of one publish that have arrived so far. */
export class PublishPieces {
  readonly parts: readonly PartPieces[]

  constructor(names: readonly PartName[], pageCounts: ReadonlyMap<PartName, number>) {
    this.parts = names.map((name) => new PartPieces(name, pageCounts.get(name) ?? 1))
  }

  /** The pages of parts that have not failed. */
  get all(): readonly Page[] {
    return this.parts.flatMap(({ failure, pages }) => (failure === null ? pages : []))
  }

  get bytes(): number {
    return this.all.reduce((bytes, { response }) => bytes + (response?.body.length ?? 0), 0)
  }

  resize(): void {
    for (const part of this.parts) part.resize()
  }
}
