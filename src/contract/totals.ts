import { defineRecord, int, list, listOf, num, str } from './fields.ts'
import type { RecordValue } from './fields.ts'

/**
 * Counters since the world began. Records show the current state only; events have to be counted when they happen, so
 * every source provides its totals with each snapshot. Totals never decrease.
 */

const count = int('Since the world began.')

const EventTotalSchema = defineRecord('EventTotal', 'Events of a kind.', {
  kind: str('Kind of the events.'),
  severity: str('Severity of the events.'),
  count,
})
const OpenedTotalSchema = defineRecord('OpenedTotal', 'Incidents opened.', {
  band: str('The band at opening.'),
  symptom_kind: str('Kind of the first symptom.'),
  count,
})
const ResolvedTotalSchema = defineRecord('ResolvedTotal', 'Incidents resolved.', {
  band: str('The highest band that they reached.'),
  root_kind: str('The confirmed kind of fault; Unknown if none was confirmed.'),
  count,
})
const TimeToResolveSchema = defineRecord('TimeToResolve', 'Durations of resolved incidents.', {
  band: str('The highest band that they reached.'),
  counts: list(count, 'Incidents by duration: a count per bucket, and one for longer ones; not cumulative.'),
  seconds: num('Sum of the durations.', 's'),
})
export const TotalsSchema = defineRecord('Totals', 'Counters since the world began.', {
  events: listOf(EventTotalSchema, 'By kind and severity.'),
  incidentsOpened: listOf(OpenedTotalSchema, 'By band and symptom.'),
  incidentsResolved: listOf(ResolvedTotalSchema, 'By band and fault.'),
  timeToResolve: listOf(TimeToResolveSchema, 'By band.'),
})

type WritableTotals = RecordValue<typeof TotalsSchema>
export type WorldTotals = { readonly [Name in keyof WritableTotals]: readonly WritableTotals[Name][number][] }

/** Upper bounds of the histogram of times to resolve incidents, in simulated seconds. */
export const timeToResolveBuckets = [
  300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400, 172_800, 604_800,
] as const

/** Totals with the operations that update them. */
export interface TotalsLedger extends WorldTotals {
  /** The same lists, as plain data. */
  readonly state: WorldTotals
  event(kind: string, severity: string): void
  incidentOpened(band: string, symptomKind: string): void
  incidentResolved(highestBand: string, rootKind: string, tookSeconds: number): void
}

/** The entry of a list with these labels, of which a list has at most one; it is added if it is new. */
function entryOf<T extends object, L extends Readonly<Record<string, string>>>(
  list: T[],
  labels: L,
  zero: Omit<T, keyof L>,
): T {
  const isSame = (entry: object): boolean =>
    Object.entries(labels).every(
      ([name, value]) => (entry as Readonly<Record<string, unknown>>)[name] === value,
    )
  const known = list.find(isSame)
  if (known !== undefined) return known
  const added = { ...labels, ...zero } as unknown as T
  list.push(added)
  return added
}

export function createTotalsLedger(): TotalsLedger {
  const state: WritableTotals = { events: [], incidentsOpened: [], incidentsResolved: [], timeToResolve: [] }
  const zero = { count: 0 }
  return {
    ...state,
    state,
    event(kind, severity) {
      entryOf(state.events, { kind, severity }, zero).count++
    },
    incidentOpened(band, symptomKind) {
      entryOf(state.incidentsOpened, { band, symptom_kind: symptomKind }, zero).count++
    },
    incidentResolved(band, rootKind, tookSeconds) {
      entryOf(state.incidentsResolved, { band, root_kind: rootKind }, zero).count++
      const counts = timeToResolveBuckets.map(() => 0).concat(0)
      const time = entryOf(state.timeToResolve, { band }, { counts, seconds: 0 })
      const bucket = timeToResolveBuckets.findIndex((bound) => tookSeconds <= bound)
      time.counts[bucket === -1 ? timeToResolveBuckets.length : bucket]++
      time.seconds += tookSeconds
    },
  }
}
