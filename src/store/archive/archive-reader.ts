import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type {
  ArchiveAnswer,
  ArchivedEntity,
  ArchivedRecord,
  ArchivedWorld,
  ArchiveQuery,
  ChronicleDay,
  DayQuery,
} from '../../contract/archive.ts'
import type { IncidentRecord } from '../../contract/collections.ts'
import { dayOf } from './day-writer.ts'
import type { DayWriter } from './day-writer.ts'
import { exactId, isCollection } from './mentioned-entities.ts'
import type { EntityId } from './mentioned-entities.ts'
import type { CurrentWorld } from './current-world.ts'
import { unpacked } from './record-body.ts'
import { recordKinds } from './record-kinds.ts'
import { searchFor } from './record-words.ts'
import { openMs } from '../schema.ts'
import { statementOf } from '../statements.ts'

/** Bound of the JSON in an answer: the latest records that fit are answered. */
const answerBytesMax = 16 * 2 ** 20
/** Bound of the records of an answer: more fit into no answer. */
const limitMax = 1_000_000
/** Bound of the incidents that events and orders refer to. */
const referredMax = 1_000

const anything = { fromMs: null, toMs: null, text: '' } as const

interface StoredRow {
  readonly number: bigint
  readonly from_ms: bigint | null
  readonly to_ns: bigint | null
  readonly to_ms: bigint | null
  readonly body: Uint8Array
}

const unresolved = /"resolved_at_ns"\s*:\s*null/

/** The JSON of a row. That of an incident that ended unseen says since when it is known to be over. */
function jsonOf({ to_ns, body }: StoredRow, isOpen: boolean): Buffer {
  const json = unpacked(body)
  if (isOpen) return json
  const text = json.toString('utf8')
  return unresolved.test(text) ? Buffer.from(text.replace(unresolved, `"resolved_at_ns":${to_ns}`)) : json
}

interface Mentions {
  readonly entities: readonly EntityId[]
  /** The incident that an event or an order is about. */
  readonly incident: bigint | null
}

function mentionsOf(kind: ArchiveQuery['kind'], record: ArchivedRecord['record']): Mentions {
  try {
    const incident = recordKinds[kind].incident(record)
    const entities = recordKinds[kind].entities(record)
    return { entities, incident: incident === null ? null : exactId(incident) }
  } catch {
    // A record of another version of the contract.
    return { entities: [], incident: null }
  }
}

/** Answers questions about what the archive keeps. Values reach SQLite as bound parameters only. */
export class ArchiveReader {
  readonly #database: DatabaseSync
  readonly #days: DayWriter
  readonly #isBlind: boolean
  /** Records whose bytes are damaged, since the start. */
  damaged = 0

  constructor(database: DatabaseSync, days: DayWriter, isBlind: boolean) {
    this.#database = database
    this.#days = days
    this.#isBlind = isBlind
  }

  /**
   * All worlds that clients may read. In a blind session that is the current one alone: a rehearsal with its scenario and
   * seed names its causes, and even another scenario with its seed shares what breaks by itself.
   */
  worlds(current: CurrentWorld | null): ArchivedWorld[] {
    const statement = statementOf(
      this.#database,
      `
      SELECT number, session, seed, scale, scenario, sim_ns, gaps,
        (SELECT min(to_ms) FROM record WHERE record.world = world.number AND kind = 'event') AS began_ms,
        (SELECT max(to_ms) FROM record WHERE record.world = world.number AND kind = 'event') AS last_ms
      FROM world ORDER BY number DESC`,
    )
    const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value))
    const all = statement.all().map((row) => ({
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
    return this.#isBlind ? all.filter(({ isCurrent }) => isCurrent) : all
  }

  /** Null if there is no such world. */
  answer(query: ArchiveQuery, current: CurrentWorld | null): ArchiveAnswer | null {
    const number = query.world ?? current?.number ?? 0
    const world = this.worlds(current).find((one) => one.number === number)
    if (world === undefined) return null
    const found = this.#recordsOf(query, number)
    const mentioned = new Map<string, EntityId>()
    const referred = new Set<bigint>()
    for (const { record } of found) {
      const { entities, incident } = mentionsOf(query.kind, record)
      for (const entity of entities) mentioned.set(`${entity.collection} ${entity.id}`, entity)
      if (incident !== null) referred.add(incident)
    }
    return {
      world,
      found,
      incidents: this.#recordsOf(
        { ...anything, kind: 'incident', incidents: [...referred].slice(0, referredMax), limit: referredMax },
        number,
      ) as ArchivedRecord<IncidentRecord>[],
      entities: this.#entitiesOf(number, [...mentioned.values()]),
    }
  }

  /** In ascending order of their numbers. */
  #recordsOf(query: Omit<ArchiveQuery, 'world'>, world: number): ArchivedRecord[] {
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
    const statement = statementOf(
      this.#database,
      `
      SELECT number, to_ns, from_ms, to_ms, body FROM record WHERE ${conditions.join(' AND ')}
      ORDER BY to_ms DESC, number DESC LIMIT ?`,
    )
    const rows = statement.iterate(...values, Math.min(limit, limitMax)) as Iterable<unknown>
    const found = this.#readRows(rows, (json) => recordKinds[kind].read(json))
    return found.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  }

  /** A record that is damaged, or of another version of the contract, is left out. */
  #readRows<R>(rows: Iterable<unknown>, read: (json: Buffer, row: StoredRow) => R): ArchivedRecord<R>[] {
    const found: ArchivedRecord<R>[] = []
    let bytes = 0
    for (const each of rows) {
      const row = each as StoredRow
      try {
        const isOpen = row.to_ms === BigInt(openMs) || row.to_ns === null
        const json = jsonOf(row, isOpen)
        bytes += json.length
        if (bytes > answerBytesMax) break
        found.push({ id: row.number, record: read(json, row), isOpen })
      } catch {
        this.damaged++
      }
    }
    return found
  }

  /** The mentioned entities, and all zones, by which racks are named. */
  #entitiesOf(world: number, mentioned: readonly EntityId[]): ArchivedEntity[] {
    const zones = statementOf(
      this.#database,
      `SELECT collection, number AS id, json, sum FROM entity WHERE world = ? AND collection = 'azs'`,
    )
    const one = statementOf(
      this.#database,
      "SELECT collection, number AS id, json, sum FROM entity WHERE world = ? AND collection = ? AND number = ? AND json <> ''",
    )
    const rows = [
      ...zones.all(world),
      ...mentioned.map(({ collection, id }) => one.get(world, collection, id)),
    ]
    return rows.flatMap((row) => {
      const collection = String(row?.['collection'])
      if (row === undefined || !isCollection(collection)) return []
      const json = String(row['json'])
      if (row['sum'] === BigInt(crc32(json)))
        return [{ collection, id: row['id'] as bigint, record: JSON.parse(json) as object }]
      this.damaged++
      return []
    })
  }

  /** Oldest first. The day that has not ended has no row yet. */
  days({ world: number, fromMs, toMs, limit }: DayQuery, current: CurrentWorld | null): ChronicleDay[] {
    const world = number ?? current?.number ?? 0
    if (!this.worlds(current).some((one) => one.number === world)) return []
    const statement = statementOf(
      this.#database,
      `
      SELECT number, to_ns, from_ms, to_ms, body FROM record
      WHERE world = ? AND kind = 'day' AND to_ms >= ? AND from_ms <= ? ORDER BY to_ms DESC LIMIT ?`,
    )
    const rows = statement.iterate(world, fromMs ?? -openMs, toMs ?? openMs, Math.min(limit, limitMax))
    const found = this.#readRows(rows as Iterable<unknown>, (json, { from_ms, to_ms }) => {
      const day = JSON.parse(json.toString('utf8')) as ChronicleDay
      return { ...day, beganMs: Number(from_ms), endedMs: Number(to_ms) }
    })
    const days = found.map(({ record }) => record)
    const today = current?.number === world ? this.#days.dayRow(current, dayOf(current.simNs)) : null
    const isWanted =
      today !== null &&
      (toMs === null || (today.beganMs ?? 0) <= toMs) &&
      (fromMs === null || (today.endedMs ?? 0) >= fromMs)
    return [...days.toReversed(), ...(isWanted ? [today] : [])]
  }
}
