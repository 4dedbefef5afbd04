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

/** Totals with the operations that update them. */
export interface TotalsLedger extends WorldTotals {
  event(kind: string, severity: string): void
  incidentOpened(band: string, symptomKind: string): void
  incidentResolved(highestBand: string, rootKind: string, tookSeconds: number): void
}

export function createTotalsLedger(): TotalsLedger {
  const events = new Map<string, EventTotal>()
  const opened = new Map<string, OpenedTotal>()
  const resolved = new Map<string, ResolvedTotal>()
  const times = new Map<string, TimeToResolve>()
  const ledger = {
    events: [] as EventTotal[],
    incidentsOpened: [] as OpenedTotal[],
    incidentsResolved: [] as ResolvedTotal[],
    timeToResolve: [] as TimeToResolve[],
  }
  /** The entry of a key; added if the key is new. */
  const entry = <T>(index: Map<string, T>, list: T[], key: string, make: () => T): T => {
    const known = index.get(key)
    if (known !== undefined) return known
    const made = make()
    index.set(key, made)
    list.push(made)
    return made
  }
  return {
    ...ledger,
    event(kind, severity) {
      entry(events, ledger.events, `${kind}\n${severity}`, () => ({ kind, severity, count: 0 })).count++
    },
    incidentOpened(band, symptomKind) {
      const make = (): OpenedTotal => ({ band, symptom_kind: symptomKind, count: 0 })
      entry(opened, ledger.incidentsOpened, `${band}\n${symptomKind}`, make).count++
    },
    incidentResolved(highestBand, rootKind, tookSeconds) {
      const make = (): ResolvedTotal => ({ band: highestBand, root_kind: rootKind, count: 0 })
      entry(resolved, ledger.incidentsResolved, `${highestBand}\n${rootKind}`, make).count++
      const time = entry(times, ledger.timeToResolve, highestBand, () => ({
        band: highestBand,
        counts: Array.from({ length: timeToResolveBuckets.length + 1 }, () => 0),
        seconds: 0,
      }))
      const bucket = timeToResolveBuckets.findIndex((bound) => tookSeconds <= bound)
      time.counts[bucket === -1 ? timeToResolveBuckets.length : bucket]++
      time.seconds += tookSeconds
    },
  }
}
