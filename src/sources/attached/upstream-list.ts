import type { LeftOut } from '../../contract/collections.ts'
import type { RecordType } from '../../contract/fields.ts'
import { DecodeError } from '../../encoding/record-reader.ts'
import { RecordListReader } from '../../encoding/record-list-reader.ts'
import type { ReadItems } from '../../encoding/record-list-reader.ts'
import { SourceError } from '../source.ts'
import { pageRangeOf } from './http/envelope.ts'
import type { PartName } from './publish-pieces.ts'
import type { JsonResponse } from './http/json-response.ts'

/** A list of the upstream. */
export class UpstreamList {
  readonly #reader: RecordListReader
  readonly #isCollection: boolean
  readonly #none: ReadItems
  #slices: readonly Uint8Array[] = []
  items: ReadItems
  /** The number of items that changed in the last read. */
  changed = 0

  constructor(name: string, type: RecordType, keyField: 'id' | 'at_ns') {
    this.#isCollection = keyField === 'id'
    this.#reader = new RecordListReader(name, type, keyField)
    this.#none = this.#reader.read([])
    this.items = this.#none
  }

  read(pages: readonly JsonResponse[]): ReadItems {
    let items
    try {
      items = this.#itemsOf(pages)
      if (this.#isCollection) checkCount(pages[0], items)
    } catch (error) {
      // Records are read into those of before, whose bytes are still there.
      this.items = this.#reader.read(this.#slices)
      if (!(error instanceof DecodeError)) throw error
      throw new SourceError('bad_record', `A record of the upstream is refused: ${error.message}`)
    }
    if (items !== this.items) this.#slices = pages.map((page) => page.items('items'))
    return this.#accept(items)
  }

  /** Reads records that were requested one by one. */
  readRecords(records: readonly Uint8Array[]): ReadItems {
    this.#slices = records
    return this.#accept(this.#reader.read(records))
  }

  /** Nothing is known of the list any more. */
  clear(): void {
    if (this.items === this.#none) return
    this.#slices = []
    this.#reader.read([])
    this.#accept(this.#none)
  }

  #accept(items: ReadItems): ReadItems {
    this.changed = items === this.items ? 0 : items.changed
    this.items = items
    return items
  }

  /** If the end of a page's list was inferred, the page is scanned before it is refused. */
  #itemsOf(pages: readonly JsonResponse[]): ReadItems {
    try {
      return this.#reader.read(pages.map((page) => page.items('items')))
    } catch (error) {
      const rescanned = pages.filter((page) => page.rescan())
      if (rescanned.length === 0) throw error
      return this.#reader.read(pages.map((page) => page.items('items')))
    }
  }
}

/** The pages of a collection have as many items as the first one promises, if it does. */
function checkCount(page: JsonResponse, { count, leftOut }: ReadItems): void {
  const total = pageRangeOf(page, 0)?.total
  const sent = count + [...leftOut.values()].reduce((sum, each) => sum + each, 0)
  if (total === undefined || total === sent) return
  throw page.error('bad_record', `is refused: it counts ${total} items, but sends ${sent}`)
}

/** The records that lists leave out, by the list. */
export const leftOutOf = (lists: Readonly<Record<string, ReadItems>>): LeftOut[] =>
  Object.entries(lists).flatMap(([name, { leftOut }]) =>
    Array.from(leftOut, ([reason, count]) => ({ part: name as PartName, reason, count })),
  )
