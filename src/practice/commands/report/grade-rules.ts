/** Evaluates the alert rules of a Prometheus over the time of a truth, and grades them. */
import type { TruthLine } from '../../../contract/game-days/truth-line.ts'
import type { Episode } from '../../grading/belonging.ts'
import { durationDaysMax } from '../../../options/setting.ts'
import { evaluateAlert } from '../../grading/evaluate.ts'
import { grade } from '../../grading/grade.ts'
import type { Grades } from '../../grading/grade.ts'
import { PrometheusError } from './prometheus-client.ts'
import type { AlertRule, PrometheusClient } from './prometheus-client.ts'

/** Points per query: Prometheus refuses queries with more than 11,000 points a series. */
const pointsMax = 1_400
const coverageSteps = 1_000
/** A month and a half at the usual interval of 15 s takes a quarter of this. */
const evaluationsMax = 1_000_000

/** Rules are evaluated from before the first fault, to recognize alerts that fire already. */
const leadSeconds = 60
const secondsPerDay = 86_400

/** In descending order of severity; rules with other severities come last. */
const knownSeverities = ['critical', 'error', 'warning', 'info', 'none']

interface GradingOptions {
  /** The names of the rules to grade. */
  readonly alerts: RegExp
  /** The session that the truth is of; empty for all sessions. */
  readonly session: string
  /** Grace period: seconds after the end of a fault in which an alert still counts for it. */
  readonly grace: number
  /** Seconds since 1970; null for the beginning of the session, or of the faults of a history. */
  readonly from: number | null
  /** Null for the end of the truth, or for now if the mirror runs. */
  readonly until: number | null
  readonly nowSeconds: number
  readonly onProgress: (share: number) => void
}

export interface Report {
  /** Seconds since 1970. */
  readonly from: number
  readonly until: number
  readonly rules: number
  /** Faults that began while Prometheus did not scrape the world. */
  readonly unseen: number
  /** Faults that began before, in the warm-up, or after. */
  readonly left_out: number
  /** Faults that last while the mirror runs: what they touch is not known to the end. */
  readonly lasting: number
  readonly grades: Grades
}

export async function gradeRules(
  prometheus: PrometheusClient,
  truth: readonly TruthLine[],
  options: GradingOptions,
): Promise<Report> {
  const rules = (await prometheus.rules()).filter(({ name }) => options.alerts.test(name))
  if (rules.length === 0)
    throw new PrometheusError(
      `Prometheus has no alert rules ${options.alerts.source === '' ? '' : 'of such names '}to grade: see rule_files in its configuration.`,
    )
  const { graded, earlier, leftOut } = chosenFaults(truth, options)
  const [from, until] = await coverageOf(prometheus, [...graded, ...earlier], options)
  const scraped = graded.filter(({ begin }) => begin.wall_s >= from && begin.wall_s <= until)
  const episodes = await allEpisodes(prometheus, rules, [from, until], options)
  const otherSeverities = [...new Set(rules.map(({ severity }) => severity))].filter(
    (one) => !knownSeverities.includes(one),
  )
  return {
    from,
    until,
    rules: rules.length,
    unseen: graded.length - scraped.length,
    left_out: leftOut,
    lasting: truth.filter(isLasting).length,
    grades: grade(scraped, episodes, [...knownSeverities, ...otherSeverities], options.grace, earlier),
  }
}

async function allEpisodes(
  prometheus: PrometheusClient,
  rules: readonly AlertRule[],
  span: readonly [from: number, until: number],
  { session, onProgress }: Pick<GradingOptions, 'session' | 'onProgress'>,
): Promise<Episode[]> {
  const episodes: Episode[] = []
  for (const [index, rule] of rules.entries()) {
    onProgress(index / rules.length)
    episodes.push(...(await episodesOf(prometheus, rule, span, session)))
  }
  return episodes
}

/** All alerts that fired over the time of these faults. */
export async function firedAlerts(
  prometheus: PrometheusClient,
  faults: readonly TruthLine[],
  options: Pick<GradingOptions, 'grace' | 'nowSeconds' | 'onProgress'>,
): Promise<Episode[]> {
  if (faults.length === 0) return []
  const all = { session: '', from: null, until: null, ...options }
  const span = await coverageOf(prometheus, faults, all)
  return await allEpisodes(prometheus, await prometheus.rules(), span, all)
}

/** Faults that last while their mirror runs. */
const isLasting = ({ end, session }: TruthLine): boolean => end === null && session?.ended === null

interface ChosenFaults {
  /** Faults that begin in the time to grade. */
  readonly graded: readonly TruthLine[]
  /** Faults that began earlier and last into it. */
  readonly earlier: readonly TruthLine[]
  readonly leftOut: number
}

function chosenFaults(truth: readonly TruthLine[], { from, until, grace }: GradingOptions): ChosenFaults {
  const beginsAt = ({ session }: TruthLine): number => from ?? session?.began.wall_s ?? 0
  const within = truth.filter(({ begin }) => begin.wall_s <= (until ?? Infinity))
  const graded = within.filter((fault) => fault.begin.wall_s >= beginsAt(fault))
  const earlier = within.filter(
    (fault) =>
      fault.begin.wall_s < beginsAt(fault) &&
      (fault.end === null || fault.end.wall_s + grace >= beginsAt(fault)),
  )
  if (graded.length + earlier.length === 0)
    throw new PrometheusError(
      'The truth has no fault of this time: faults of the warm-up are graded only by --from.',
    )
  return { graded, earlier, leftOut: truth.length - graded.length }
}

/** The span of the truth, as far as Prometheus has samples of the world from it. */
async function coverageOf(
  prometheus: PrometheusClient,
  truth: readonly TruthLine[],
  { session, grace, from, until, nowSeconds }: Omit<GradingOptions, 'alerts' | 'onProgress'>,
): Promise<readonly [from: number, until: number]> {
  const begin = truth.reduce(
    (least, fault) => Math.min(least, fault.session?.began.wall_s ?? fault.begin.wall_s - leadSeconds),
    Infinity,
  )
  const end = truth.reduce((most, fault) => Math.max(most, endOf(fault, nowSeconds - grace)), 0)
  const first = from ?? Math.floor(begin)
  const last = until ?? Math.ceil(end + grace)
  if (last - first > durationDaysMax * secondsPerDay)
    throw new PrometheusError(
      `The truth is about ${Math.round((last - first) / secondsPerDay)} days, expected at most ${durationDaysMax}.`,
    )
  const step = Math.max(5, Math.ceil((last - first) / coverageSteps))
  const selector = session === '' ? '' : `{session=${JSON.stringify(session)}}`
  const query = `max(max_over_time(dcsim_sim_time_seconds${selector}[${step}s]))`
  const [series] = await prometheus.range(query, first, last, step)
  if (series === undefined || series.values.length === 0) {
    const span = [first, last].map((seconds) => new Date(seconds * 1000).toISOString()).join(' to ')
    throw new PrometheusError(
      `Prometheus has no samples of dcsim_sim_time_seconds from the time of the truth, ${span}.`,
    )
  }
  const times = series.values.map(([at]) => at)
  return [Math.max(first, times[0] - step), Math.min(last, times.at(-1)!)]
}

const endOf = (fault: TruthLine, nowSeconds: number): number =>
  isLasting(fault) ? nowSeconds : (fault.end ?? fault.session?.ended ?? fault.begin).wall_s

async function episodesOf(
  prometheus: PrometheusClient,
  { name, query, forSeconds, keepFiringSeconds, severity, interval }: AlertRule,
  [from, until]: readonly [number, number],
  session: string,
): Promise<Episode[]> {
  const evaluations = Math.ceil((until - from) / interval)
  if (evaluations > evaluationsMax)
    throw new PrometheusError(
      `The rule ${name} has ${evaluations} evaluations, ${interval} s apart, expected at most ${evaluationsMax}.`,
    )
  const fired = await evaluateAlert(
    (start, end, step) => prometheus.range(query, start, end, step),
    { forSeconds, keepFiringSeconds },
    { zero: 0, from, until, step: interval, querySeconds: pointsMax * interval },
  )
  return (
    fired
      .filter(({ labels }) => session === '' || labels['session'] === session)
      .flatMap(({ labels, spans }) => spans.map((span) => ({ alert: name, severity, labels, span })))
      // An alert that fires at the first evaluation began before the time of the truth.
      .filter(({ span }) => span[0] > from + forSeconds)
  )
}
