/** The chronicle: one row for each simulated day, which stays when the records of the day have gone. */
import { nsPerDay } from '../../contract/time-units.ts'
import type { DatabaseSync } from 'node:sqlite'
import type { ChronicleDay } from '../../contract/archive.ts'
import { messageText } from '../../contract/messages/catalog.ts'
import { int64Max } from '../../contract/routes.ts'
import type { EventRecord, IncidentRecord } from '../../contract/collections.ts'
import { incidentHeadline } from '../../words/incidents.ts'
import { bandRank } from '../../words/vocabulary.ts'
import type { CurrentWorld } from './current-world.ts'
import { packed, readEvent, readIncident, unpacked } from './record-body.ts'
import { statementOf } from '../statements.ts'

const nsPerMinute = 60e9

/** The last day that int64 can name ends at its maximum. */
const endOf = (day: number): bigint => {
  const end = BigInt(day + 1) * nsPerDay
  return end < int64Max ? end : int64Max
}

export const dayOf = (ns: bigint): number => Number(ns / nsPerDay)

/** Days whose incidents may still have been open when their row was written. */
const rewrittenDays = 3

const rankOf = ({ band }: IncidentRecord): number => bandRank(band)

interface Span {
  readonly from: number
  readonly to: number
}

interface DayIncident extends Span {
  readonly incident: IncidentRecord
  readonly isNew: boolean
}

/** The length of the union of spans. */
function covered(spans: readonly Span[]): number {
  let [sum, end] = [0, -Infinity]
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    sum += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return sum
}

const numberIn = ({ msg_args }: EventRecord, key: string): number => {
  const found = msg_args.find((argument) => argument.key === key)
  return found !== undefined && Number.isFinite(found.number) ? found.number : 0
}
const nameIn = ({ msg_args }: EventRecord): string =>
  msg_args.find(({ key }) => key === 'customer')?.text ?? ''

const sumOf = <T>(items: readonly T[], read: (item: T) => number): number =>
  Math.round(items.reduce((sum, item) => sum + read(item), 0) * 100) / 100

export class DayWriter {
  readonly #database: DatabaseSync
  #written = 0

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  begin({ number }: CurrentWorld): void {
    const { day } = this.#database
      .prepare(`SELECT coalesce(max(number), -1) AS day FROM record WHERE world = ? AND kind = 'day'`)
      .get(number) as { day: number }
    this.#written = day + 1
  }

  /** Writes the rows of the days before `today`. */
  advance(world: CurrentWorld, today: number): void {
    if (today <= this.#written) return
    const first = Math.max(0, this.#written - rewrittenDays)
    for (const day of this.#daysWithEvents(world, first, today)) this.#write(world, day)
    this.#written = today
  }

  /** A world of an upstream may be seen first on any day, and jump over centuries. */
  #daysWithEvents({ number }: CurrentWorld, first: number, end: number): number[] {
    const rows = this.#database
      .prepare(`
        SELECT DISTINCT number / ${nsPerDay} AS day FROM record
        WHERE world = ? AND kind = 'event' AND number >= ? AND number < ? ORDER BY day`)
      .all(number, BigInt(first) * nsPerDay, BigInt(end) * nsPerDay) as { day: number }[]
    return rows.map(({ day }) => day)
  }

  #write(world: CurrentWorld, day: number): void {
    const row = this.dayRow(world, day)
    if (row === null) return
    statementOf(
      this.#database,
      `
        INSERT INTO record (world, kind, number, from_ns, to_ns, from_ms, to_ms, body)
        VALUES (?, 'day', ?, ?, ?, ?, ?, ?)
        ON CONFLICT (world, kind, number) DO UPDATE SET
          from_ms = excluded.from_ms, to_ms = excluded.to_ms, body = excluded.body`,
    ).run(
      world.number,
      day,
      BigInt(day) * nsPerDay,
      endOf(day),
      row.beganMs,
      row.endedMs,
      // The view of days reads it.
      packed(Buffer.from(JSON.stringify(row)), true),
    )
  }

  /** The row of a day, which may not be over; null for a day of which nothing is kept. */
  dayRow(world: CurrentWorld, day: number): ChronicleDay | null {
    const startNs = BigInt(day) * nsPerDay
    const endNs = endOf(day)
    const rows = this.#eventsOf(world, startNs, endNs)
    const events = rows.flatMap(({ body }) => unlessDamaged(() => readEvent(unpacked(body))))
    if (events.length === 0) return null
    const incidents = this.#incidentsOf(world, startNs, endNs)
    const opened = incidents.filter(({ isNew }) => isNew).map(({ incident }) => incident)
    const [worst] = opened.toSorted(
      (one, other) =>
        rankOf(other) - rankOf(one) ||
        other.revenue_at_risk_per_hour_dollars - one.revenue_at_risk_per_hour_dollars,
    )
    const ofBand = (rank: number): number => opened.filter((one) => rankOf(one) === rank).length
    const ofKind = (...kinds: readonly string[]): EventRecord[] =>
      events.filter(({ kind }) => kinds.includes(kind))
    return {
      day,
      beganMs: rows[0].from_ms,
      endedMs: rows.at(-1)!.from_ms,
      isOver: world.simNs >= endNs,
      critical: ofBand(4),
      major: ofBand(3),
      minor: ofBand(2),
      watch: ofBand(1),
      worstId: worst === undefined ? null : String(worst.id),
      worst: worst === undefined ? null : incidentHeadline(worst),
      troubledMinutes: Math.floor(
        covered(incidents.filter(({ incident }) => rankOf(incident) >= 3)) / nsPerMinute,
      ),
      atRiskDollars: sumOf(
        incidents,
        ({ from, to, incident }) =>
          ((to - from) / nsPerMinute / 60) * (incident.revenue_at_risk_per_hour_dollars || 0),
      ),
      creditedDollars: sumOf(ofKind('SlaCredited'), (event) => numberIn(event, 'dollars')),
      spentDollars: sumOf(ofKind('CapacityOrdered', 'StaffHired'), (event) => numberIn(event, 'dollars')),
      chapters: ofKind('ChapterBegan').map(({ msg_key, msg_args }) => messageText(msg_key, msg_args)),
      won: ofKind('CustomerSigned')
        .filter(({ msg_key }) => msg_key === 'event.customer-signed')
        .map(nameIn),
      lost: ofKind('CustomerLeft').map(nameIn),
      events: events.length,
      ordersDone: ofKind('WorkFinished').length,
    }
  }

  #eventsOf({ number }: CurrentWorld, startNs: bigint, endNs: bigint) {
    return this.#database
      .prepare(`
        SELECT body, from_ms FROM record
        WHERE world = ? AND kind = 'event' AND number >= ? AND number < ? ORDER BY number`)
      .all(number, startNs, endNs) as { body: Uint8Array; from_ms: number | null }[]
  }

  #incidentsOf({ number, simNs }: CurrentWorld, startNs: bigint, endNs: bigint): DayIncident[] {
    const statement = statementOf(
      this.#database,
      `
      SELECT from_ns, to_ns, body FROM record WHERE world = :number AND kind = 'incident' AND to_ns >= :startNs
        AND from_ns < :endNs
      UNION ALL
      SELECT from_ns, to_ns, body FROM record WHERE world = :number AND kind = 'incident' AND to_ns IS NULL
        AND from_ns < :endNs`,
    )
    const rows = statement.all({ number, startNs, endNs }) as {
      from_ns: bigint
      to_ns: bigint | null
      body: Uint8Array
    }[]
    return rows.flatMap(({ from_ns, to_ns, body }) =>
      unlessDamaged(() => {
        const latest = simNs < endNs ? simNs : endNs
        const end = to_ns === null || to_ns > latest ? latest : to_ns
        const from = Math.max(0, Number(from_ns - startNs))
        return {
          incident: readIncident(unpacked(body)),
          isNew: from_ns >= startNs,
          from,
          to: Math.max(from, Number(end - startNs)),
        }
      }),
    )
  }
}

/** A damaged record is left out; the error of one that cannot be read at all is passed on. */
function unlessDamaged<T>(read: () => T): T[] {
  try {
    return [read()]
  } catch (error) {
    if (error instanceof Error && 'errcode' in error) throw error
    return []
  }
}
