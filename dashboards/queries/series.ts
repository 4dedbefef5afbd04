import {
  atEnd,
  bottomk,
  by,
  calculate,
  calculateEach,
  compare,
  filter,
  increase,
  metric,
  anyOf,
  overTime,
  recorded,
  simple,
  topk,
  withLabels,
} from '../../alerts/promql/expressions.ts'
import type { Expr } from '../../alerts/promql/expressions.ts'
import type { CounterName, MetricLabel, MetricName, TargetLabel } from '../../alerts/promql/metrics.ts'
import type { FullLink, fullLinks } from '../../alerts/rules/network.ts'
import type { trendSeries } from '../../alerts/rules/trends.ts'
import type { VariableName } from '../layout/variables.ts'

/** Series of the session that is chosen in the dashboard, over the time that it shows. */

/** Grafana's own choice of a window that always holds enough scrapes. */
const window = '$__rate_interval'

type Where<N extends MetricName> = NonNullable<Parameters<typeof metric<N>>[1]>
type GaugeName = Exclude<MetricName, CounterName>
/** The gauges whose series carry all of these labels. */
export type GaugeWith<L extends string> = {
  [N in GaugeName]: [L] extends [MetricLabel<N>] ? N : never
}[GaugeName]
type InfoName = Extract<MetricName, `${string}_info`>

/** What is chosen in a variable of the dashboard. */
export const matchesVariable = (name: VariableName) => anyOf([`$${name}`])

/** One session is chosen: an empty one selects the targets that have none. */
export const selected = {
  job: matchesVariable('job'),
  instance: matchesVariable('instance'),
  session: '$session',
}
/** The series of the session that is chosen. */
const within = <N extends MetricName>(where: Where<N>): Where<N> => ({ ...selected, ...where })

const none = {} as never

/** A gauge, as it is now. */
export const gauge = <N extends GaugeName>(name: N, where: Where<N> = none): Expr<MetricLabel<N>> =>
  metric<N>(name, within(where))

/** What recording rules keep, and the labels that it carries. */
type Kept = typeof trendSeries & Readonly<Record<typeof fullLinks, Expr<FullLink>>>

/** A series of the recording rules: read where its making would take too long over a day, or over months. */
export const recordedSeries = <N extends keyof Kept>(name: N): Kept[N] => recorded(name, selected) as Kept[N]

/** How much a counter grows a second of wall time. */
export const rate = <N extends CounterName>(name: N, where: Where<N> = none): Expr<MetricLabel<N>> =>
  simple(`rate(${metric<N>(name, within(where)).text}[${window}])`)

/** Sessions whose world was changed or restarted: its clock then goes back, and its counters mean something else. */
export const restarts = (over: string): Expr<TargetLabel> =>
  compare(overTime('resets', 'dcsim_sim_time_seconds', over, selected), '>', 0)

/**
 * How much a counter has grown within what the dashboard shows. Nothing if the world was changed meanwhile: the
 * counter of another world begins with what happened in it before.
 */
export const increaseOver = <N extends CounterName>(
  name: N,
  where: Where<N> = none,
  over = '$__range',
): Expr<MetricLabel<N>> => filter(increase<N>(name, over, within(where)), 'unless', restarts(over))

const simulatedSeconds = compare(overTime('delta', 'dcsim_sim_time_seconds', window, selected), '>', 0)

/** How much counters grow an hour, or another unit of simulated time: nothing while the world is paused. */
export const perGameTime = <
  N extends CounterName,
  const K extends Exclude<MetricLabel<N>, TargetLabel> = never,
>(
  name: N,
  labels: readonly K[] = [],
  { where = none, seconds = 3600 }: { where?: Where<N>; seconds?: number } = {},
): Expr<K | TargetLabel> => {
  const counted = by('sum', increase<N>(name, window, within(where)), labels)
  return calculateEach(calculate(counted, '*', seconds), '/', simulatedSeconds)
}

type HistogramName = Extract<
  MetricName,
  | 'dcsim_incidents_time_to_resolve_seconds'
  | 'dcsim_mirror_publish_duration_seconds'
  | 'dcsim_mirror_http_request_duration_seconds'
>

/** A quantile of what a histogram counted, for each of the things that the labels tell apart. */
export const quantile = <
  N extends HistogramName,
  const K extends Exclude<MetricLabel<N>, TargetLabel | 'le'> = never,
>(
  q: number,
  name: N,
  labels: readonly K[] = [],
  over = window,
): Expr<K | TargetLabel> => {
  const buckets = metric<N>(name, within<N>(none)).text.replace(name, `${name}_bucket`)
  const counts = simple<string>(`increase(${buckets}[${over}])`)
  return simple(`histogram_quantile(${q}, ${by('sum', counts, [...labels, 'le']).text})`)
}

/** How finely the highest and lowest values of what is shown are looked for. */
const coarsely = '[$__range:1m] @ end()'

/** The things with the highest values within what is shown, always: chosen point by point they would be more. */
export const highest = <L extends string>(
  count: number,
  expr: Expr<L>,
  labels: readonly Exclude<L, TargetLabel>[],
): Expr<L> => filter(expr, 'and', topk<L>(count, simple(`max_over_time((${expr.text})${coarsely})`)), labels)

/** The same with the lowest. */
export const lowest = <L extends string>(
  count: number,
  expr: Expr<L>,
  labels: readonly Exclude<L, TargetLabel>[],
): Expr<L> =>
  filter(expr, 'and', bottomk<L>(count, simple(`min_over_time((${expr.text})${coarsely})`)), labels)

/** Puts names to ids: labels of an info family, joined by the labels that both carry. */
export const named = <
  L extends string,
  N extends InfoName,
  const A extends Exclude<MetricLabel<N>, TargetLabel>,
>(
  expr: Expr<L>,
  info: N,
  key: readonly Exclude<L & MetricLabel<N>, TargetLabel>[],
  added: readonly A[],
): Expr<L | A> => withLabels({ ...expr, simple: false }, gauge<N>(info), key, added)

/** The same of hosts, by the names that they have at the end: those of a thousand, point for point, take long. */
export const hostNamed = <L extends string>(
  expr: Expr<L | 'host' | TargetLabel>,
): Expr<L | 'host' | 'name' | TargetLabel> =>
  withLabels({ ...expr, simple: false }, atEnd(gauge('dcsim_host_info')), ['host'], ['name'])

/** Network people think in bits. */
export const bytesToBits = <L extends string>(expr: Expr<L>): Expr<L> => calculate(expr, '*', 8)

/** A gauge added up within each session, for each of the things that the labels tell apart. */
export const gaugeSum = <N extends GaugeName, const K extends Exclude<MetricLabel<N>, TargetLabel> = never>(
  name: N,
  labels: readonly K[] = [],
  where: Where<N> = none,
): Expr<K | TargetLabel> => by('sum', gauge<N>(name, where), labels)

/** The highest values within a window: what lasted less than that, or has ended, is not missed. */
export const largestOver = <N extends GaugeName>(
  name: N,
  over: string,
  where: Where<N> = none,
): Expr<MetricLabel<N>> => overTime<N>('max_over_time', name, over, within<N>(where))
