/** Reads the file of a session for commands that print what happened, whose mirror may run. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ArchiveReader } from '../../store/archive/archive-reader.ts'
import { DayWriter } from '../../store/archive/day-writer.ts'
import type { CurrentWorld } from '../../store/archive/current-world.ts'
import { unpacked } from '../../store/archive/record-body.ts'
import { pageLimitMax, tableLimitMax } from '../../contract/routes.ts'
import { collectionNames } from '../../contract/collections.ts'
import type { CollectionName } from '../../contract/collections.ts'
import { parseLossless } from '../../encoding/lossless-json.ts'
import { readingWhileOthersWrite } from '../../store/read-session-file.ts'
import { sqliteErrorText } from '../../store/sqlite-error.ts'
import { statementOf } from '../../store/statements.ts'
import type { TableFrame } from '../../tables/engine/frame-records.ts'
import { everything } from '../../tables/engine/archive-range.ts'
import { TableMaker } from '../../tables/thread/table-maker.ts'
import type { TableRequest } from '../../tables/thread/table-maker.ts'
import { MirrorError } from './mirror.ts'
import type { AnsweredRow, WorldReader } from './mirror.ts'

const emptyList = { bytes: new Uint8Array(), starts: Uint32Array.of(0), ids: new BigInt64Array() }

/** A file has no present: all of its records are of the archive. */
const nothing: TableFrame = {
  publishSeq: 0,
  simTimeNs: 0n,
  capturedAtMs: 0,
  collections: Object.fromEntries(collectionNames.map((name) => [name, emptyList])) as Record<
    CollectionName,
    TableFrame['collections'][CollectionName]
  >,
  events: { ...emptyList, atNs: new BigInt64Array(), newestEvictedNs: -1n },
  diagnostics: Buffer.from('{}'),
  unknown: {},
}

/** Of the last world in the file. */
export class FileReader implements WorldReader {
  readonly #path: string
  readonly #database: () => DatabaseSync
  readonly #maker: TableMaker

  constructor(path: string) {
    this.#path = path
    this.#database = readingWhileOthersWrite(path)
    const ask = <T>(read: (reader: ArchiveReader, world: CurrentWorld) => T): T => {
      const database = this.#database()
      return read(new ArchiveReader(database, new DayWriter(database), false), this.#world())
    }
    this.#maker = new TableMaker({
      archive: {
        read: (query) => ask((reader, world) => reader.answer(query, world)),
        days: (query) => ask((reader, world) => reader.days(query, world)),
        worlds: () => ask((reader, world) => reader.worlds(world)),
      },
    })
    this.#maker.show(nothing)
  }

  async events({ since_ns: since = '-1' }: Readonly<Record<string, string>>): Promise<unknown> {
    return this.#reading(() => {
      const { number: world, simNs } = this.#world()
      const ofWorld = `FROM record WHERE world = ? AND kind = 'event'`
      const rows = this.#select(`SELECT number, body ${ofWorld} AND number > ? ORDER BY number LIMIT ?`).all(
        world,
        BigInt(since),
        pageLimitMax,
      )
      const items = rows.map(({ body }) => parseLossless(unpacked(body as Uint8Array).toString('utf8')))
      // Of events with equal times, all but the first have a number beyond their time.
      const next = rows.at(-1)?.['number'] ?? BigInt(since)
      const now = this.#select(`SELECT max(?, ifnull(max(number), 0)) AS sim_time_ns ${ofWorld}`)
      return { meta: now.get(simNs, world), items, next_since_ns: next }
    })
  }

  async rows(
    table: string,
    { sort = '', from, limit, ...filters }: Readonly<Record<string, string>> = {},
  ): Promise<readonly AnsweredRow[]> {
    const request: TableRequest = {
      table,
      format: 'json',
      filters: new Map(Object.entries(filters).map(([name, value]) => [name, [value]])),
      sort: sort === '' ? null : { column: sort, descending: false },
      offset: 0,
      limit: Number(limit ?? tableLimitMax),
      range: { ...everything, fromMs: from === undefined ? null : Date.parse(from) },
    }
    return this.#reading(() => parseLossless(this.#maker.make(request).toString('utf8')) as AnsweredRow[])
  }

  #world(): CurrentWorld {
    const select = this.#select('SELECT number, sim_ns, event_ns FROM world ORDER BY number DESC LIMIT 1')
    const row = select.get() as { number: bigint; sim_ns: bigint; event_ns: bigint } | undefined
    if (row === undefined) throw new MirrorError(`${this.#path} has nothing that happened yet.`)
    return { number: Number(row.number), simNs: row.sim_ns, eventNs: row.event_ns }
  }

  #select(sql: string): StatementSync {
    return statementOf(this.#database(), sql)
  }

  #reading<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (error instanceof MirrorError) throw error
      throw new MirrorError(`Cannot read ${this.#path}: ${sqliteErrorText(error)}.`)
    }
  }
}
