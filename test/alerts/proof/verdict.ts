import type { Alert } from '../../../alerts/rule.ts'
import { severityOf } from './rules.ts'
import type { AlertName } from '../../../alerts/cases/alert-cases.ts'
import type { AlertSeverity } from '../../../alerts/severity.ts'
import { criticalName } from './causes.ts'
import { meets } from '../../../src/practice/grading/firing.ts'
import type { Span } from '../../../src/practice/grading/firing.ts'
import type { Chronicle } from './chronicle.ts'
import type { Claim } from './claim.ts'
import { claimsOfRun } from './claims.ts'
import type { Fired } from '../../../src/practice/grading/evaluate.ts'
import { secondsOf } from './evaluate.ts'
import { scrapeSeconds } from './play.ts'
import type { Played } from './play.ts'

/** The longest delay from a condition to the evaluation that sees it: a scrape and an evaluation. */
const seenWithin = 2 * scrapeSeconds

/** The result of one alert in one run. */
export interface Verdict {
  readonly run: string
  readonly alert: AlertName
  readonly severity: AlertSeverity
  /** The number of spans in which its claim held for as long as its `for`. */
  readonly expected: number
  /** The number of these spans in which it fired. */
  readonly detected: number
  /** Wall seconds from the beginning of the condition to firing, including its `for`. */
  readonly delays: readonly number[]
  readonly missed: readonly string[]
  readonly fired: number
  /** Fired while its claim did not hold. */
  readonly false: readonly string[]
  /** For severity critical: fired without a fault that justifies it. */
  readonly causeless: readonly string[]
}

const claims = claimsOfRun() as Readonly<Partial<Record<AlertName, Claim>>>

/** Labels of alerts on injected conditions. */
const alteredKeys: Readonly<Partial<Record<AlertName, readonly string[]>>> = {
  DcsimGatewayFirewallOff: ['gateway'],
  DcsimMirrorCollectorFails: ['collector'],
  DcsimRuleFailures: ['rule_group'],
  DcsimNotificationsFail: ['integration'],
  DcsimIncidentOfUnknownBand: ['incident'],
}
const alteredKey: Readonly<Partial<Record<AlertName, string>>> = {
  DcsimGatewayFirewallOff: '1',
  DcsimSwitchWornOut: '1',
  DcsimMirrorCollectorFails: 'hosts',
  DcsimRackHot: '1',
  DcsimPoolGpuFillsUp: '1',
  DcsimZoneGpuFillsUp: '1',
  DcsimRackOnOneFeed: '1',
  DcsimDiskWearHigh: '1',
  DcsimRuleFailures: '/rules/sla.rules.yaml;dcsim-sla',
  DcsimNotificationsFail: 'slack',
}

type ByKey = Chronicle[string]

/** Spans in which the alert should have fired: with certainty, and with tolerance. */
function expectations(alert: AlertName, played: Played): { surely: ByKey; nearly: ByKey } {
  const altered = played.altered[alert]
  if (altered !== undefined) {
    const spans = { [alteredKey[alert] ?? '']: altered }
    return { surely: spans, nearly: spans }
  }
  const name = alert === 'DcsimIncidentOfUnknownBand' && played.foreign ? 'DcsimIncidentCritical' : alert
  if (alert === 'DcsimIncidentCritical' && played.foreign) return { surely: {}, nearly: {} }
  return { surely: played.surely[name] ?? {}, nearly: played.nearly[name] ?? {} }
}

const widened = ([from, to]: Span, before: number, after: number): Span => [from - before, to + after]
const spanText = (key: string, [from, to]: Span): string => `${key} ${from}–${to}`

/** Compares fired alerts with the truth of a run. */
export function judge(rule: Alert, fired: readonly Fired[], played: Played): Verdict {
  const alert = rule.alert
  const { key = alteredKeys[alert] ?? [], lingers = 0 } = claims[alert] ?? {}
  const holds = secondsOf(rule.for)
  const { surely, nearly } = expectations(alert, played)
  const byKey = new Map<string, Span[]>()
  for (const { labels, spans } of fired) {
    const own = key.map((label) => labels[label]).join('/')
    byKey.set(own, [...(byKey.get(own) ?? []), ...spans])
  }
  const delays: number[] = []
  const missed: string[] = []
  let expected = 0
  for (const [own, spans] of Object.entries(surely)) {
    for (const span of spans) {
      if (span[1] - span[0] < holds + seenWithin) continue
      expected++
      const seen = widened(span, 0, seenWithin)
      const first = (byKey.get(own) ?? []).filter((one) => meets(one, seen)).map(([from]) => from)
      if (first.length === 0) missed.push(spanText(own, span))
      else delays.push(Math.max(0, Math.min(...first) - span[0]))
    }
  }
  const wrong: string[] = []
  const causeless: string[] = []
  let all = 0
  for (const [own, spans] of byKey) {
    for (const span of spans) {
      all++
      // The last scrape may have seen a condition that has ended; windows contain it for longer.
      const back = widened(span, seenWithin + lingers + holds, 0)
      const isSo = (chronicle: ByKey | undefined, from: Span): boolean =>
        (chronicle?.[own] ?? []).some((one) => meets(one, from))
      if (!isSo(nearly, back)) wrong.push(spanText(own, span))
      if (alert === criticalName && !isSo(played.caused[alert], widened(back, faultLingers, 0))) {
        causeless.push(spanText(own, span))
      }
    }
  }
  const detected = expected - missed.length
  const severity = severityOf(alert)
  return {
    run: played.run,
    alert,
    severity,
    expected,
    detected,
    delays,
    missed,
    fired: all,
    false: wrong,
    causeless,
  }
}

/** The effects of a fault justify alerts for this long after its end: an hour and a half of simulated time. */
const faultLingers = 90

/** An incident in a band, and the delay of its alert. */
export interface BandAlerted {
  readonly run: string
  readonly incident: string
  readonly band: 'Major' | 'Critical'
  readonly reached: number
  /** Wall seconds until an alert of its band, or of a graver one, fired; null for never. */
  readonly delay: number | null
  /** So short that it may lie between two scrapes. */
  readonly isBrief: boolean
}

/** Every time that an incident reached a grave band. */
export function graveIncidents(
  played: Played,
  firedOf: (alert: AlertName) => readonly Fired[],
): BandAlerted[] {
  const alertedBy = {
    Major: ['DcsimIncidentMajor', 'DcsimIncidentCritical', 'DcsimIncidentOfUnknownBand'],
    Critical: ['DcsimIncidentCritical', 'DcsimIncidentOfUnknownBand'],
  } as const
  return (['Major', 'Critical'] as const).flatMap((band) =>
    Object.entries(played.surely[`DcsimIncident${band}`] ?? {}).flatMap(([incident, spans]) => {
      const fired = alertedBy[band]
        .flatMap((alert) => firedOf(alert))
        .filter(({ labels }) => labels['incident'] === incident)
        .flatMap((one) => one.spans)
      // The last seconds of a run are not evaluated.
      const early = spans.filter(([reached]) => reached <= played.seconds - seenWithin)
      return early.map(([reached, left]): BandAlerted => {
        const seen = fired.filter((span) => meets(span, [reached, left + seenWithin]))
        const delay =
          seen.length === 0 ? null : Math.max(0, Math.min(...seen.map(([from]) => from)) - reached)
        return { run: played.run, incident, band, reached, delay, isBrief: left - reached < seenWithin }
      })
    }),
  )
}
