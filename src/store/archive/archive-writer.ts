import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ArchiveQuery } from '../../contract/archive.ts'
import { feedCollections } from '../../contract/collections.ts'
import type { FeedCollection, IncidentRecord } from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'
import { int64Max } from '../../contract/routes.ts'
import { collectionOf } from '../../encoding/frames/frame-assembly.ts'
import { itemsOf } from '../../encoding/frames/joined-items.ts'
import type { JsonItem } from '../../encoding/frames/joined-items.ts'
import type { Changes, WorldFigures } from '../../encoding/frames/changes.ts'
import { ChangedItems } from '../../encoding/frames/changed-items.ts'
import type { CurrentWorld } from './current-world.ts'
import { dayOf, DayWriter } from './day-writer.ts'
import { mention } from './mentioned-entities.ts'
import { atItsWorst, isReadable, packed, readIncident, unpacked } from './record-body.ts'
import { recordKinds } from './record-kinds.ts'
import { summaryOf } from './record-words.ts'
import { timePairOf, nsPerMs, placeInTime, wallTimeOf } from './wall-times.ts'
import { openMs } from '../schema.ts'
import { isConstraint, isSqliteError } from '../sqlite-error.ts'
import { setWords } from './word-index.ts'
import { inTransaction, statementOf } from '../statements.ts'

const upsert = `
  INSERT INTO record (world, kind, number, incident, from_ns, to_ns, from_ms, to_ms, body, summary)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (world, kind, number) DO UPDATE SET
    incident = excluded.incident, from_ns = excluded.from_ns, to_ns = excluded.to_ns,
    from_ms = coalesce(from_ms, excluded.from_ms),
    to_ms = CASE WHEN to_ns IS excluded.to_ns AND to_ms IS NOT NULL THEN to_ms ELSE excluded.to_ms END,
    body = excluded.body, summary = excluded.summary
  RETURNING id`

/** Throws a RangeError for an integer that SQLite cannot store. */
function storable<T extends Int64 | null>(value: T): T {
  if (value !== null && BigInt.asIntN(64, BigInt(value)) !== BigInt(value))
    throw new RangeError(`${value} exceeds 64 bits`)
  return value
}

/** Whether figures are those of two worlds. An upstream without diagnostics has no seed. */
const differ = (one: WorldFigures, other: WorldFigures): boolean =>
  one.seed !== '' &&
  other.seed !== '' &&
  (one.seed !== other.seed || one.scale !== other.scale || one.scenario !== other.scenario)

/** Stores what happens. Each batch is one transaction: after a failure, the next one stores the same again. */
export class ArchiveWriter {
  readonly #database: DatabaseSync
  readonly #session: string
  readonly #wallMs: () => number
  readonly #days: DayWriter
  readonly #lists: Record<FeedCollection, ChangedItems>
  #events: readonly JsonItem[] = []
  /** The events that are stored whole; null if some may not be. */
  #storedEvents: readonly JsonItem[] | null = null
  #world: CurrentWorld | null = null
  /** The identity of the world of the last batch that was stored. */
  #last: Pick<Changes, 'worldId' | 'simTimeNs' | 'figures'> | null = null
  /** Whether names of what records mention may be unknown. */
  hasUnnamed = true
  /** Records that the source gave, but that do not match the contract or cannot be stored. */
  invalid = 0

  constructor(database: DatabaseSync, session: string, wallMs: () => number) {
    this.#database = database
    this.#session = session
    this.#wallMs = wallMs
    this.#days = new DayWriter(database)
    this.#lists = Object.fromEntries(feedCollections.map((name) => [name, new ChangedItems()])) as Record<
      FeedCollection,
      ChangedItems
    >
  }

  /** The world of the last batch. */
  get world(): CurrentWorld | null {
    return this.#world
  }

  /** Stores a batch of changes. Throws the errors of SQLite, with nothing of it stored. */
  write(changes: Changes): void {
    this.#take(changes)
    const before = this.#world === null ? null : { ...this.#world }
    try {
      inTransaction(this.#database, () => {
        const world = this.#worldOf(changes)
        // A continued world repeats its last steps: until then, what is stored is newer.
        if (changes.simTimeNs >= world.simNs) this.#store(world, changes)
      })
      const { worldId, simTimeNs, figures } = changes
      this.#last = { worldId, simTimeNs, figures }
    } catch (error) {
      this.#world = before
      this.#forget()
      throw error
    }
  }

  #take({ events, collections }: Changes): void {
    if (events !== null) this.#events = itemsOf(collectionOf(events).value)
    for (const name of feedCollections) {
      const part = collections[name]
      if (part !== undefined) this.#lists[name].latest = itemsOf(collectionOf(part).value)
    }
  }

  /** Everything is stored again. */
  #forget(): void {
    this.#storedEvents = null
    for (const list of Object.values(this.#lists)) list.forget()
  }

  /** Nothing more comes of the current world now: what was not published gets its wall times. */
  close(): void {
    if (this.#world === null) return
    const { number, simNs } = this.#world
    placeInTime(this.#database, number, { simNs, wallMs: this.#wallMs(), pace: nsPerMs })
  }

  #worldOf(changes: Changes): CurrentWorld {
    const { worldId, simTimeNs, figures } = changes
    const last = this.#last
    const continues =
      worldId === last?.worldId &&
      (worldId !== null || (simTimeNs >= last.simTimeNs && !differ(figures, last.figures)))
    if (continues) return this.#world!
    this.#forget()
    const found = this.#findWorld(changes) ?? this.#addWorld(changes)
    this.#world = found
    this.#endOthers(found)
    this.#days.begin(found)
    return found
  }

  /** A world without an id continues if its time did not go back. */
  #findWorld({ worldId, figures: { seed, scale, scenario }, simTimeNs }: Changes): CurrentWorld | null {
    const found = (condition: string): StatementSync =>
      statementOf(this.#database, `SELECT number, sim_ns, event_ns FROM world WHERE ${condition}`)
    const row = (
      worldId !== null
        ? found('id = ?').get(worldId)
        : found(`id IS NULL AND session = ? AND seed = ? AND scale = ? AND scenario = ? AND sim_ns <= ?
              AND number = (SELECT max(number) FROM world)`).get(
            this.#session,
            seed,
            scale,
            scenario,
            simTimeNs,
          )
    ) as { number: bigint; sim_ns: bigint; event_ns: bigint } | undefined
    return row === undefined ? null : { number: Number(row.number), simNs: row.sim_ns, eventNs: row.event_ns }
  }

  /** Ends open records of other worlds at the time at which these were seen last. */
  #endOthers({ number: current }: CurrentWorld): void {
    const others = statementOf(this.#database, 'SELECT number, sim_ns, wall_ms FROM world WHERE number <> ?')
    for (const { number, sim_ns, wall_ms } of others.all(current) as Record<string, bigint | null>[]) {
      const wallMs = wall_ms === null ? Math.round(this.#wallMs()) : Number(wall_ms)
      placeInTime(this.#database, Number(number), { simNs: sim_ns!, wallMs, pace: nsPerMs })
      statementOf(
        this.#database,
        'UPDATE record SET to_ns = coalesce(to_ns, ?), to_ms = ? WHERE world = ? AND to_ms = ?',
      ).run(sim_ns, wallMs, number, openMs)
    }
  }

  #addWorld({ worldId, figures: { seed, scale, scenario } }: Changes): CurrentWorld {
    const { lastInsertRowid } = statementOf(
      this.#database,
      `
        INSERT INTO world (id, session, seed, scale, scenario, sim_ns, event_ns, gaps)
        VALUES (?, ?, ?, ?, ?, -1, -1, 0)`,
    ).run(worldId, this.#session, seed, scale, scenario)
    return { number: Number(lastInsertRowid), simNs: -1n, eventNs: -1n }
  }

  #store(world: CurrentWorld, changes: Changes): void {
    const { simTimeNs, newestEvictedNs } = changes
    const isGap = world.eventNs >= 0n && newestEvictedNs > world.eventNs
    this.#storeEvents(world, changes)
    const { incidents, resolvedIncidents, workOrders } = this.#lists
    for (const list of [incidents, resolvedIncidents])
      for (const item of list.changed) this.#put(world, changes, 'incident', item)
    for (const item of workOrders.changed) this.#put(world, changes, 'order', item)
    if (changes.wallMs !== null) {
      placeInTime(this.#database, world.number, timePairOf(changes, changes.wallMs))
      this.#endUnseen(world, changes, 'incident', [incidents, resolvedIncidents])
      this.#endUnseen(world, changes, 'order', [workOrders])
    }
    world.simNs = simTimeNs
    statementOf(
      this.#database,
      `
        UPDATE world SET sim_ns = ?, event_ns = ?, gaps = gaps + ?, wall_ms = coalesce(?, wall_ms)
        WHERE number = ?`,
    ).run(world.simNs, world.eventNs, Number(isGap), wallTimeOf(changes, simTimeNs), world.number)
    this.#days.advance(world, dayOf(simTimeNs))
    this.#storedEvents = this.#events
    for (const list of Object.values(this.#lists)) list.store()
  }

  /** Events of an upstream may have equal times: those of the newest time that are stored are known by their content. */
  #storeEvents(world: CurrentWorld, changes: Changes): void {
    if (this.#storedEvents === this.#events) return
    const stored = statementOf(
      this.#database,
      `SELECT number, body FROM record WHERE world = ? AND kind = 'event' AND number >= ? ORDER BY number`,
    ).all(world.number, world.eventNs) as { number: bigint; body: Uint8Array }[]
    const known = stored.flatMap(({ body }) => (isReadable(body) ? [unpacked(body)] : []))
    const isStored = (json: Uint8Array): boolean => {
      const at = known.findIndex((one) => one.equals(json))
      if (at >= 0) known.splice(at, 1)
      return at >= 0
    }
    let previous = stored.at(-1)?.number ?? world.eventNs
    const { eventNs } = world
    for (const { id, json } of this.#events) {
      if (id < eventNs || (id === eventNs && isStored(json))) continue
      const number: bigint = id > previous ? id : previous + 1n
      if (number > int64Max) {
        this.invalid++
        continue
      }
      previous = number
      world.eventNs = id
      this.#put(world, changes, 'event', { id: number, json })
    }
  }

  /** An incident with the gravest band that it had: the band of an open one is that of now. */
  #atItsWorst(world: CurrentWorld, number: bigint, json: Uint8Array): Uint8Array {
    const row = statementOf(
      this.#database,
      `SELECT body FROM record WHERE world = ? AND kind = 'incident' AND number = ?`,
    ).get(world.number, number) as { body: Uint8Array } | undefined
    try {
      return row === undefined ? json : atItsWorst(json, unpacked(row.body))
    } catch {
      // A damaged body is replaced.
      return json
    }
  }

  /** A record of an upstream that does not match the contract, or cannot be stored, is not kept. */
  #put(world: CurrentWorld, changes: Changes, kind: ArchiveQuery['kind'], item: JsonItem): void {
    try {
      this.#putValid(world, changes, kind, item)
    } catch (error) {
      if (isSqliteError(error) && !isConstraint(error)) throw error
      this.invalid++
    }
  }

  #putValid(world: CurrentWorld, changes: Changes, kind: ArchiveQuery['kind'], { id, json }: JsonItem): void {
    const itsKind = recordKinds[kind]
    const record = itsKind.read(json)
    const isIncident = kind === 'incident'
    const incident = isIncident ? id : kind === 'order' ? itsKind.incident(record) : null
    const kept = isIncident ? this.#atItsWorst(world, id, json) : json
    const [fromNs, toNs] = itsKind.span(record, changes.simTimeNs)
    const fromMs = wallTimeOf(changes, fromNs)
    const toMs = toNs === null ? (fromMs === null ? null : openMs) : wallTimeOf(changes, toNs)
    const { id: row } = statementOf(this.#database, upsert).get(
      world.number,
      kind,
      storable(id),
      storable(incident),
      storable(fromNs),
      storable(toNs),
      fromMs,
      toMs,
      packed(kept),
      isIncident ? summaryOf(kept === json ? (record as IncidentRecord) : readIncident(kept)) : null,
    ) as { id: bigint }
    setWords(this.#database, row, itsKind.words(record))
    if (mention(this.#database, world.number, dayOf(changes.simTimeNs), itsKind.entities(record)))
      this.hasUnnamed = true
  }

  /** Ends records that ended while the mirror did not see it, and have left their list since. */
  #endUnseen(
    world: CurrentWorld,
    changes: Changes,
    kind: 'incident' | 'order',
    lists: readonly ChangedItems[],
  ): void {
    const seen = `[${lists.flatMap(({ ids }) => ids).join()}]`
    statementOf(
      this.#database,
      `UPDATE record SET to_ns = ?, to_ms = ? WHERE world = ? AND kind = ? AND to_ms = ?
         AND number NOT IN (SELECT value FROM json_each(?))`,
    ).run(world.simNs, wallTimeOf(changes, world.simNs), world.number, kind, openMs, seen)
  }
}
