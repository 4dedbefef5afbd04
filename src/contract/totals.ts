/**
 * Counters since the world began. Records show the current state; what has begun and ended can only be counted when it
 * happens, so that every source provides its totals with each snapshot. Totals never decrease.
 */

interface EventTotal {
  readonly kind: string
  readonly severity: string
  count: number
}

interface OpenedTotal {
  /** The band when it was opened. */
  readonly band: string
  readonly symptom_kind: string
  count: number
}

interface ResolvedTotal {
  /** The highest band it reached. */
  readonly band: string
  /** The confirmed root kind; Unknown if none was confirmed. */
  readonly root_kind: string
  count: number
}

export interface TimeToResolve {
  /** The highest band the incidents reached. */
  readonly band: string
  /** Incidents by duration: a count per bucket and one for longer durations; not cumulative. */
  readonly counts: number[]
  seconds: number
}

export interface WorldTotals {
  readonly events: readonly EventTotal[]
  readonly incidentsOpened: readonly OpenedTotal[]
  readonly incidentsResolved: readonly ResolvedTotal[]
  readonly timeToResolve: readonly TimeToResolve[]
}

/** Upper bounds of the histogram of times to resolve, in simulated seconds. */
export const timeToResolveBuckets = [
  300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400, 172_800, 604_800,
] as const

type WritableTotals = { -readonly [Name in keyof WorldTotals]: WorldTotals[Name][number][] }

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

/** The entry of a list, which is added if it is new. The lists have as many entries as there are combinations of names. */
function entryOf<T>(list: T[], isSame: (entry: T) => boolean, create: () => T): T {
  const known = list.find(isSame)
  if (known !== undefined) return known
  const created = create()
  list.push(created)
  return created
}
