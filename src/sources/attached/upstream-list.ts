import type { RecordType } from '../../contract/fields.ts'
import { DecodeError } from '../../encoding/record-reader.ts'
import { RecordListReader } from '../../encoding/record-list-reader.ts'
import type { ReadItems } from '../../encoding/record-list-reader.ts'
import { SourceError } from '../source.ts'
import type { JsonResponse } from './http/json-response.ts'

/** A list of the upstream, with the responses that own the bytes of its items. */
export class UpstreamList {
  readonly #reader: RecordListReader
  #pages: readonly JsonResponse[] = []
  #unused: readonly JsonResponse[] = []
  #items: ReadItems | null = null
  /** The number of items that changed in the last read. */
  changed = 0

  constructor(name: string, type: RecordType, keyField: 'id' | 'at_ns') {
    this.#reader = new RecordListReader(name, type, keyField)
  }

  /** Takes ownership of the responses. Those that are no longer needed are kept until `release`. */
  read(pages: readonly JsonResponse[]): ReadItems {
    let items
    try {
      items = this.#itemsOf(pages)
    } catch (error) {
      free(pages)
      if (!(error instanceof DecodeError)) throw error
      throw new SourceError('bad_record', `A record of the upstream is refused: ${error.message}`)
    }
    const isSame = items === this.#items
    this.#unused = isSame ? pages : this.#pages
    if (!isSame) this.#pages = pages
    this.#items = items
    this.changed = isSame ? 0 : items.changed
    return items
  }

  release(): void {
    free(this.#unused)
    this.#unused = []
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

const free = (pages: readonly JsonResponse[]): void => {
  for (const { response } of pages) response.free()
}
