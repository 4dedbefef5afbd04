import { alertSeverities } from '../../../alerts/severity.ts'
import type { AlertName } from '../../../alerts/cases/alert-cases.ts'
import type { AlertSeverity } from '../../../alerts/severity.ts'
import type { Proof } from './prove.ts'
import { allAlerts } from './rules.ts'

/** The results of one alert over all runs. */
interface Row {
  readonly alert: AlertName
  readonly severity: AlertSeverity
  readonly should: number
  readonly did: number
  /** Wall seconds; null if the alert never should have fired. */
  readonly medianDelay: number | null
  readonly worstDelay: number | null
  readonly fired: number
  readonly false: number
  /** Runs in which it fired. */
  readonly runs: readonly string[]
}

const median = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)]

export function rowsOf(proof: Proof): Row[] {
  const bySeverity = allAlerts().toSorted(
    (one, other) =>
      alertSeverities.indexOf(one.labels['severity'] as AlertSeverity) -
      alertSeverities.indexOf(other.labels['severity'] as AlertSeverity),
  )
  return bySeverity.map(({ alert, labels }) => {
    const verdicts = proof.verdicts.filter((verdict) => verdict.alert === alert)
    const sum = (of: (verdict: (typeof verdicts)[number]) => number): number =>
      verdicts.reduce((total, verdict) => total + of(verdict), 0)
    const delays = verdicts.flatMap((verdict) => verdict.delays).toSorted((one, other) => one - other)
    return {
      alert,
      severity: labels['severity'] as AlertSeverity,
      should: sum((verdict) => verdict.expected),
      did: sum((verdict) => verdict.detected),
      medianDelay: delays.length > 0 ? median(delays) : null,
      worstDelay: delays.at(-1) ?? null,
      fired: sum((verdict) => verdict.fired),
      false: sum((verdict) => verdict.false.length),
      runs: verdicts.filter((verdict) => verdict.fired > 0).map(({ run }) => run),
    }
  })
}

const headings = ['alert', 'severity', 'should', 'did', 'delay', 'worst', 'fired', 'false', 'runs']

export function tableText(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.alert,
    row.severity,
    String(row.should),
    String(row.did),
    row.medianDelay === null ? '–' : `${row.medianDelay} s`,
    row.worstDelay === null ? '–' : `${row.worstDelay} s`,
    String(row.fired),
    String(row.false),
    String(row.runs.length),
  ])
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column].length)),
  )
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
  return [line(headings), ...cells.map(line)].join('\n')
}

export const legend = `should  how often what the alert claims held for as long as the alert waits and ten seconds more, by the
        world's own state, second by second: never by what Prometheus stored
did     how often it fired then
delay   wall seconds from when it began to hold until the alert fired, its own wait included; median and worst
fired   how often it fired in all, also for what held too briefly to count under should
false   how often it fired while what it claims had not held (windows and the last scrape considered)
runs    in how many runs it fired
Rates and trends are recomputed from the state; where they are within a tolerance of their limit, firing and
not firing are both right. Scrapes are 5 s apart, and rules see them 4 s later. Forecasts are held against the
straight line through the last 30 simulated hours, not against what came. Alerts about the watching fire in the run
troubled-watching, whose exposition has gaps and troubles put in; those about unknown bands, firewalls that
are switched off and switches that are worn out in foreign-world, where that was put in; the one
about incidents without a work order in workless-world, which has none: our own world never gives
cause for them.`
