import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type {
  ArchiveAnswer,
  ArchivedEntity,
  ArchivedWorld,
  ArchiveQuery,
  ChronicleDay,
} from '../contract/archive.ts'
import type { Int64 } from '../contract/fields.ts'
import { joinedItems } from '../encoding/frames/joined-items.ts'
import { dayOf } from './day-writer.ts'
import type { DayWriter } from './day-writer.ts'
import { entitiesOfEvent, entitiesOfIncident, exactId, isCollection } from './mentioned-entities.ts'
import type { EntityId } from './mentioned-entities.ts'
import type { KnownWorld } from './known-world.ts'
import { ofRecord, unpacked } from './record-body.ts'
import { searchFor } from './record-words.ts'
import { openMs } from '../store/schema.ts'

/** Bound of the JSON in an answer: the latest records that fit are answered. */
const answerBytesMax = 16 * 2 ** 20
/** Bound of the records of an answer: more fit into no answer. */
const limitMax = 1_000_000
/** Bound of the incidents that events and orders refer to. */
const referredMax = 1_000

interface StoredRow {
  readonly number: bigint
  readonly to_ns: bigint | null
  readonly to_ms: bigint | null
  readonly body: Uint8Array
}

interface FoundRecord {
  readonly id: bigint
  readonly json: Buffer
  readonly isOpen: boolean
}

const unresolved = /"resolved_at_ns"\s*:\s*null/

/** The record of an incident that ended unseen says since when it is known to be over. */
function recordOf({ number, to_ns, to_ms, body }: StoredRow): FoundRecord {
  const json = unpacked(body)
  const isOpen = to_ms === BigInt(openMs) || to_ns === null
  if (isOpen) return { id: number, json, isOpen }
  const text = json.toString('utf8')
  return unresolved.test(text)
    ? { id: number, json: Buffer.from(text.replace(unresolved, `"resolved_at_ns":${to_ns}`)), isOpen }
    : { id: number, json, isOpen }
}

interface Mentions {
  readonly entities: readonly EntityId[]
  /** The incident that an event or an order is about. */
  readonly incident: bigint | null
}

const noMentions: Mentions = { entities: [], incident: null }
const idOrNull = (id: Int64 | null): bigint | null => (id === null ? null : exactId(id))

function mentionsOf(kind: ArchiveQuery['kind'], json: Buffer): Mentions {
  if (kind === 'day') return noMentions
  try {
    if (kind === 'incident')
      return ofRecord(kind, json, (one) => ({ entities: entitiesOfIncident(one), incident: null }))
    if (kind === 'order')
      return ofRecord(kind, json, (one) => ({ entities: [], incident: idOrNull(one.incident_id) }))
    return ofRecord(kind, json, (one) => ({
      entities: entitiesOfEvent(one),
      incident: one.entity_kind === 'Incident' ? idOrNull(one.entity_id) : null,
    }))
  } catch {
    // A record of another version of the contract.
    return noMentions
  }
}

/** Answers questions about what the archive keeps. Values reach SQLite as bound parameters only. */
export class ArchiveReader {
  readonly #database: DatabaseSync
  readonly #days: DayWriter
  /** Records whose bytes are damaged, since the start. */
  damaged = 0

  constructor(database: DatabaseSync, days: DayWriter) {
    this.#database = database
    this.#days = days
  }

  worlds(current: KnownWorld | null): ArchivedWorld[] {
    const statement = this.#database.prepare(`
      SELECT number, session, seed, scale, scenario, sim_ns, gaps,
        (SELECT min(to_ms) FROM record WHERE record.world = world.number AND kind = 'event') AS began_ms,
        (SELECT max(to_ms) FROM record WHERE record.world = world.number AND kind = 'event') AS last_ms
      FROM world ORDER BY number DESC`)
    statement.setReadBigInts(true)
    const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value))
    return statement.all().map((row) => ({
      number: Number(row['number']),
      isCurrent: Number(row['number']) === current?.number,
      session: String(row['session']),
      seed: String(row['seed']),
      scale: String(row['scale']),
      scenario: String(row['scenario']),
      beganMs: numberOrNull(row['began_ms']),
      lastMs: numberOrNull(row['last_ms']),
      simTimeNs: row['sim_ns'] as bigint,
      gaps: Number(row['gaps']),
    }))
  }

  /** Null if there is no such world. */
  answer(query: ArchiveQuery, current: KnownWorld | null): ArchiveAnswer | null {
    const number = query.world ?? current?.number ?? 0
    const world = this.worlds(current).find((one) => one.number === number)
    if (world === undefined) return null
    const found = query.kind === 'day' ? this.#daysOf(query, number, current) : this.#recordsOf(query, number)
    const mentioned = new Map<string, EntityId>()
    const referred = new Set<bigint>()
    for (const { json } of found) {
      const { entities, incident } = mentionsOf(query.kind, json)
      for (const entity of entities) mentioned.set(`${entity.collection} ${entity.id}`, entity)
      if (incident !== null) referred.add(incident)
    }
    const incidents = this.#incidentsOf(number, [...referred].slice(0, referredMax))
    return {
      world,
      found: joinedItems(found),
      isOpen: Uint8Array.from(found, ({ isOpen }) => Number(isOpen)),
      incidents: joinedItems(incidents),
      entities: this.#entitiesOf(number, [...mentioned.values()]),
    }
  }

  /** In ascending order of their numbers. */
  #recordsOf(query: ArchiveQuery, world: number): FoundRecord[] {
    const { kind, fromMs, toMs, text, incidents, limit } = query
    const search = searchFor(text)
    if (text.trim() !== '' && search === null) return []
    const conditions = ['world = ?', 'kind = ?', 'to_ms >= ?', 'from_ms <= ?']
    const values: SQLInputValue[] = [world, kind, fromMs ?? -openMs, toMs ?? openMs]
    if (kind === 'event') {
      conditions.push('to_ms <= ?')
      values.push(toMs ?? openMs)
    }
    if (search !== null) {
      conditions.push('id IN (SELECT rowid FROM word WHERE word MATCH ?)')
      values.push(search)
    }
    if (incidents !== null) {
      // JSON, as a list has no other form as one parameter.
      conditions.push('incident IN (SELECT value FROM json_each(?))')
      values.push(JSON.stringify(incidents.map(String)).replaceAll('"', ''))
    }
    const statement = this.#database.prepare(`
      SELECT number, to_ns, to_ms, body FROM record WHERE ${conditions.join(' AND ')}
      ORDER BY to_ms DESC, number DESC LIMIT ?`)
    statement.setReadBigInts(true)
    const found = this.#unpackedOf(
      statement.iterate(...values, Math.min(limit, limitMax)) as Iterable<unknown>,
    )
    return found.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  }

  #unpackedOf(rows: Iterable<unknown>): FoundRecord[] {
    const found: FoundRecord[] = []
    let bytes = 0
    for (const row of rows) {
      try {
        const record = recordOf(row as StoredRow)
        bytes += record.json.length
        if (bytes > answerBytesMax) break
        found.push(record)
      } catch (error) {
        if (error instanceof Error && 'errcode' in error) throw error
        this.damaged++
      }
    }
    return found
  }

  #incidentsOf(world: number, numbers: readonly bigint[]): FoundRecord[] {
    if (numbers.length === 0) return []
    const statement = this.#database.prepare(`
      SELECT number, to_ns, to_ms, body FROM record
      WHERE world = ? AND kind = 'incident' AND number IN (SELECT value FROM json_each(?)) ORDER BY number`)
    statement.setReadBigInts(true)
    return this.#unpackedOf(statement.iterate(world, `[${numbers.join(',')}]`) as Iterable<unknown>)
  }

  /** The mentioned entities, and all zones, by which racks are named. */
  #entitiesOf(world: number, mentioned: readonly EntityId[]): ArchivedEntity[] {
    const zones = this.#database.prepare(
      `SELECT collection, number AS id, json, sum FROM entity WHERE world = ? AND collection = 'azs'`,
    )
    const one = this.#database.prepare(
      'SELECT collection, number AS id, json, sum FROM entity WHERE world = ? AND collection = ? AND number = ?',
    )
    zones.setReadBigInts(true)
    one.setReadBigInts(true)
    const rows = [
      ...zones.all(world),
      ...mentioned.map(({ collection, id }) => one.get(world, collection, id)),
    ]
    return rows.flatMap((row) => {
      if (row === undefined || !isCollection(String(row['collection']))) return []
      const { sum, ...entity } = row as typeof row & ArchivedEntity & { readonly sum: bigint }
      if (sum === BigInt(crc32(entity.json))) return [entity]
      this.damaged++
      return []
    })
  }

  /** The day that has not ended has no row yet. */
  #daysOf({ fromMs, toMs, limit }: ArchiveQuery, world: number, current: KnownWorld | null): FoundRecord[] {
    const statement = this.#database.prepare(`
      SELECT number, to_ns, to_ms, from_ms, body FROM record
      WHERE world = ? AND kind = 'day' AND to_ms >= ? AND from_ms <= ? ORDER BY to_ms DESC LIMIT ?`)
    statement.setReadBigInts(true)
    const rows = statement.all(world, fromMs ?? -openMs, toMs ?? openMs, Math.min(limit, limitMax))
    const days = rows.flatMap((row) => {
      try {
        const day = JSON.parse(unpacked(row['body'] as Uint8Array).toString('utf8')) as ChronicleDay
        return [{ ...day, beganMs: Number(row['from_ms']), endedMs: Number(row['to_ms']) }]
      } catch {
        this.damaged++
        return []
      }
    })
    const today = current?.number === world ? this.#days.dayRow(current, dayOf(current.simNs)) : null
    const isWanted =
      today !== null &&
      (toMs === null || (today.beganMs ?? 0) <= toMs) &&
      (fromMs === null || (today.endedMs ?? 0) >= fromMs)
    return [...days.toReversed(), ...(isWanted ? [today] : [])].map((day) => ({
      id: BigInt(day.day),
      json: Buffer.from(JSON.stringify(day)),
      isOpen: !day.isOver,
    }))
  }
}
