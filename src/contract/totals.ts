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

type EventTotal = RecordValue<typeof EventTotalSchema>
type OpenedTotal = RecordValue<typeof OpenedTotalSchema>
type ResolvedTotal = RecordValue<typeof ResolvedTotalSchema>
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

export function createTotalsLedger(): TotalsLedger {
  const state: WritableTotals = { events: [], incidentsOpened: [], incidentsResolved: [], timeToResolve: [] }
  return {
    ...state,
    state,
    event(kind, severity) {
      const isSame = (entry: EventTotal): boolean => entry.kind === kind && entry.severity === severity
      entryOf(state.events, isSame, () => ({ kind, severity, count: 0 })).count++
    },
    incidentOpened(band, symptomKind) {
      const isSame = (entry: OpenedTotal): boolean =>
        entry.band === band && entry.symptom_kind === symptomKind
      entryOf(state.incidentsOpened, isSame, () => ({ band, symptom_kind: symptomKind, count: 0 })).count++
    },
    incidentResolved(band, rootKind, tookSeconds) {
      const isSame = (entry: ResolvedTotal): boolean => entry.band === band && entry.root_kind === rootKind
      entryOf(state.incidentsResolved, isSame, () => ({ band, root_kind: rootKind, count: 0 })).count++
      const time = entryOf(
        state.timeToResolve,
        (entry) => entry.band === band,
        () => ({
          band,
          counts: Array.from({ length: timeToResolveBuckets.length + 1 }, () => 0),
          seconds: 0,
        }),
      )
      const bucket = timeToResolveBuckets.findIndex((bound) => tookSeconds <= bound)
      time.counts[bucket === -1 ? timeToResolveBuckets.length : bucket]++
      time.seconds += tookSeconds
    },
  }
}

/**
 * The entry of a list, which is added if it is new. A list has at most one entry for each combination of label values.
 */
function entryOf<T>(list: T[], isSame: (entry: T) => boolean, create: () => T): T {
  const known = list.find(isSame)
  if (known !== undefined) return known
  const created = create()
  list.push(created)
  return created
}
