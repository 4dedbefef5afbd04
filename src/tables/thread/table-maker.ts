import { ArchiveUnavailable } from '../../contract/archive.ts'
import { ArchivedRecords, archiveQueryOf } from '../engine/archived-records.ts'
import { tables } from '../catalog.ts'
import { bytesOf, encodeRows } from '../engine/formats.ts'
import type { TableFormat } from '../engine/formats.ts'
import { FrameRecords } from '../engine/frame-records.ts'
import type { TableFrame } from '../engine/frame-records.ts'
import type { PathHistory } from '../engine/history.ts'
import { withQuery } from '../engine/own-links.ts'
import type { ArchiveAccess, ArchiveRange } from '../engine/archive-range.ts'
import { matchedItems, sortedItems } from '../engine/query.ts'
import type { TableQuery } from '../engine/query.ts'
import { TableRefused } from '../engine/refused.ts'
import { rowOfItem } from '../engine/table.ts'
import type { AnyTable, Asked } from '../engine/table.ts'
import { TableWorld } from '../engine/table-world.ts'

/** A request for a table or a picture. */
export interface TableRequest extends TableQuery {
  /** The name of the table. */
  readonly table: string
  /** A document is that of the first item. */
  readonly format: TableFormat | 'document'
  /** The part of the archive that is asked for; null or left out for the frame. */
  readonly range?: ArchiveRange | null
  /** The query that links in a page or a picture have; none if it is left out. */
  readonly linkQuery?: string
}

/** Worlds are numbered from 1. */
const noWorld = 0

interface TableMakerOptions {
  /** Null without an archive. */
  readonly archive: ArchiveAccess | null
  readonly tables?: ReadonlyMap<string, AnyTable>
}

/** Makes tables and pictures of a frame and of the archive, one after the other. */
export class TableMaker {
  readonly #archive: ArchiveAccess | null
  readonly #tables: ReadonlyMap<string, AnyTable>
  #world: TableWorld | null = null

  constructor({ archive, tables: known = tables }: TableMakerOptions) {
    this.#archive = archive
    this.#tables = known
  }

  /** Requests are about this frame from now on. Nothing is decoded before one needs it. */
  show(frame: TableFrame): void {
    this.#world = new TableWorld(new FrameRecords(frame), this.#archive)
  }

  /** The encoded rows or the document. The bytes are in memory of their own. */
  make(request: TableRequest, histories: readonly PathHistory[] = []): Buffer<ArrayBuffer> {
    const table = this.#tables.get(request.table)!
    const range = this.#rangeOf(request.range ?? null)
    const { format, offset, limit, filters, linkQuery = '' } = request
    const world = this.#worldFor(table, { ...request, range })
    const asked: Asked = { filters, range, histories }
    const items = world === null ? [] : this.#itemsOf(table, request, asked, world)
    const page = items.slice(offset, offset + limit)
    if (format === 'document') return bytesOf(withQuery(table.documentOf!(page[0]), linkQuery))
    const rows = page.values().map((item) => rowOfItem(table, item, world!))
    return encodeRows(format, Object.keys(table.columns), rows, linkQuery)
  }

  /** Without an order, matching stops at the end of the page. */
  #itemsOf(table: AnyTable, request: TableRequest, asked: Asked, world: TableWorld): readonly unknown[] {
    const { sort, offset, limit } = request
    if (sort === null) return matchedItems(table, asked, world, offset + limit)
    return sortedItems(table, matchedItems(table, asked, world), sort, world)
  }

  /** A session that this mirror had earlier is its last world in the archive, or the one of its worlds that is asked for. */
  #rangeOf(range: ArchiveRange | null): ArchiveRange | null {
    if (range === null || range.session === null) return range
    const own = (this.#archive?.worlds() ?? []).filter(({ session }) => session === range.session)
    if (own.length === 0) throw new TableRefused('session', `No world had the session ${range.session}.`)
    const numbers = own.map(({ number }) => number).filter((number) => number === (range.world ?? number))
    return { ...range, world: Math.max(noWorld, ...numbers) }
  }

  /** The world of the frame, or of the archive for what is not in it; null for one that the archive does not have. */
  #worldFor(table: AnyTable, request: TableRequest): TableWorld | null {
    const world = this.#world!
    const query = archiveQueryOf(table, request, world.records)
    if (query === null) return world
    if (this.#archive === null) {
      if ((request.range ?? null) === null) return world
      throw new ArchiveUnavailable('This mirror has no archive.')
    }
    const answer = this.#archive.read(query)
    return answer === null
      ? null
      : new TableWorld(new ArchivedRecords(query, answer, world.records), this.#archive)
  }
}
