import { collectionNames, collections } from '../../contract/collections.ts'
import type { CollectionName } from '../../contract/collections.ts'
import type { RecordType } from '../../contract/fields.ts'
import { pageLimitMax, routes } from '../../contract/routes.ts'
import type { Route } from '../../contract/routes.ts'
import { envelopeOf, headerEnvelope, pageRangeOf } from './http/envelope.ts'
import type { Envelope } from './http/envelope.ts'
import type { HttpResponse } from './http/http-client.ts'
import { JsonResponse } from './http/json-response.ts'
import { totalsPath } from './upstream-totals.ts'

export const collectionPaths = Object.fromEntries(
  (Object.values(routes) as Route[]).flatMap(({ path, answer }) =>
    answer.kind === 'page' ? [[answer.collection, path]] : [],
  ),
) as Record<CollectionName, string>

/** The envelope of a response without a publish number, which matches any publish. */
export const anyPublish: Envelope = { publishSeq: -1, simTimeNs: null, capturedAtMs: Infinity }

export const perCollection = <T>(make: (name: CollectionName) => T): Record<CollectionName, T> =>
  Object.fromEntries(collectionNames.map((name) => [name, make(name)])) as Record<CollectionName, T>

/** One response of a publish, requested again until it belongs to the right one. */
export abstract class Piece {
  readonly path: string
  response: HttpResponse | null = null
  envelope: Envelope | null = null

  constructor(path: string) {
    this.path = path
  }

  isNeeded(): boolean {
    return true
  }

  /** Replaces the previous response. Throws a `SourceError` if the new one does not match the request. */
  accept(response: HttpResponse): void {
    this.response?.free()
    this.response = response
  }
}

class JsonPiece extends Piece {
  #json: JsonResponse | null = null

  override accept(response: HttpResponse): void {
    super.accept(response)
    this.#json = new JsonResponse(response)
    this.envelope = envelopeOf(this.#json)
  }

  get json(): JsonResponse {
    return this.#json!
  }
}

export class TotalsPiece extends Piece {
  override accept(response: HttpResponse): void {
    super.accept(response)
    this.envelope = headerEnvelope(response) ?? anyPublish
  }
}

class PagePiece extends JsonPiece {
  readonly #collection: CollectionPieces
  readonly #offset: number
  /** The size of the collection according to the page. */
  total = 0

  constructor(collection: CollectionPieces, index: number) {
    const offset = index * pageLimitMax
    super(`${collectionPaths[collection.name]}?offset=${offset}&limit=${pageLimitMax}`)
    this.#collection = collection
    this.#offset = offset
  }

  override isNeeded(): boolean {
    return this.#offset === 0 || this.#offset < this.#collection.total
  }

  override accept(response: HttpResponse): void {
    super.accept(response)
    const { total, count } = pageRangeOf(this.json, this.#offset)
    const bytesMin = count * itemBytesMin[this.#collection.name]
    const { length } = this.json.items('items')
    if (length < bytesMin)
      throw this.json.error('bad_record', `is refused: ${length} bytes cannot hold ${count} items`)
    this.total = this.#collection.total = total
  }
}

/** The pages of a collection. */
class CollectionPieces {
  readonly name: CollectionName
  readonly pages: PagePiece[]
  /** The size of the collection according to the latest response. */
  total: number

  constructor(name: CollectionName, pageCount: number) {
    this.name = name
    this.total = pageCount * pageLimitMax
    this.pages = Array.from({ length: pageCount }, (_, index) => new PagePiece(this, index))
  }

  /** Adds pages that the collection has gained, and drops those that it has lost. */
  resize(): void {
    const count = Math.max(1, Math.ceil(this.total / pageLimitMax))
    for (const { response } of this.pages.splice(count)) response?.free()
    while (this.pages.length < count) this.pages.push(new PagePiece(this, this.pages.length))
  }

  /** The pages, whose sizes of the collection must agree. */
  json(): JsonResponse[] {
    const [{ total: expected }] = this.pages
    for (const { total, json } of this.pages) {
      if (total !== expected)
        throw json.error('bad_record', `is refused: total: got ${total}, expected ${expected}`)
    }
    return this.pages.map(({ json }) => json)
  }
}

/** The responses of one publish that have arrived so far. */
export class PublishPieces {
  readonly collections: Readonly<Record<CollectionName, CollectionPieces>>
  readonly events = new JsonPiece(`${routes.events.path}?limit=${pageLimitMax}`)
  readonly diagnostics = new JsonPiece(routes.diagnostics.path)
  readonly totals: TotalsPiece | null

  constructor(pageCounts: Readonly<Record<CollectionName, number>>, hasTotals: boolean) {
    this.collections = perCollection((name) => new CollectionPieces(name, pageCounts[name]))
    this.totals = hasTotals ? new TotalsPiece(totalsPath) : null
  }

  get all(): readonly Piece[] {
    const others: Piece[] = [this.events, this.diagnostics]
    if (this.totals !== null) others.push(this.totals)
    return [...collectionNames.flatMap((name): Piece[] => this.collections[name].pages), ...others]
  }

  get bytes(): number {
    return this.all.reduce((bytes, { response }) => bytes + (response?.body.length ?? 0), 0)
  }

  resizeCollections(): void {
    for (const name of collectionNames) this.collections[name].resize()
  }
}

/**
 * Lower bound of a record's length. A record that may lack fields has at least `{"id":0}`; in any other the value of a
 * field takes at least a byte.
 */
function recordBytesMin({ fields, isOpen }: RecordType): number {
  const names = isOpen === true ? ['id'] : Object.keys(fields)
  return names.reduce((bytes, name) => bytes + name.length + '"":0,'.length, '{}'.length - 1)
}

const itemBytesMin = perCollection((name) => recordBytesMin(collections[name]))
