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
} from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import type { CounterName, MetricLabel, MetricName, TargetLabel } from '../../promql/metrics.ts'
import type { FullLink, fullLinks } from '../../alerts/rules/network.ts'
import type { trendSeries } from '../../alerts/rules/trends.ts'
import type { VariableName } from '../layout/variables.ts'

/** Series of the selected session, over the displayed time range. */

/** Grafana's own window, which always contains enough scrapes. */
const window = '$__rate_interval'

type Where<N extends MetricName> = NonNullable<Parameters<typeof metric<N>>[1]>
type GaugeName = Exclude<MetricName, CounterName>
/** The gauges whose series have all of these labels. */
export type GaugeWith<L extends string> = {
  [N in GaugeName]: [L] extends [MetricLabel<N>] ? N : never
}[GaugeName]
type InfoName = Extract<MetricName, `${string}_info`>

/** Matches the selected values of a dashboard variable. */
export const matchesVariable = (name: VariableName) => anyOf([`$${name}`])

/** One session is selected: an empty value selects targets without one. */
export const selected = {
  job: matchesVariable('job'),
  instance: matchesVariable('instance'),
  session: '$session',
}
/** The series of the selected session. */
const within = <N extends MetricName>(where: Where<N>): Where<N> => ({ ...selected, ...where })

const none = {} as never

/** The current value of a gauge. */
export const gauge = <N extends GaugeName>(name: N, where: Where<N> = none): Expr<MetricLabel<N>> =>
  metric<N>(name, within(where))

/** Recorded series, and their labels. */
type Kept = typeof trendSeries & Readonly<Record<typeof fullLinks, Expr<FullLink>>>

/** A recorded series, for queries that would take too long over a day, or over months. */
export const recordedSeries = <N extends keyof Kept>(name: N): Kept[N] => recorded(name, selected) as Kept[N]

/** The rate of a counter per second of wall time. */
export const rate = <N extends CounterName>(name: N, where: Where<N> = none): Expr<MetricLabel<N>> =>
  simple(`rate(${metric<N>(name, within(where)).text}[${window}])`)

/** Sessions whose world was replaced or restarted: the clock goes back, and counters restart. */
export const restarts = (over: string): Expr<TargetLabel> =>
  compare(overTime('resets', 'dcsim_sim_time_seconds', over, selected), '>', 0)

/**
 * The increase of a counter within the displayed time range. Empty if the world was replaced meanwhile: the counter of
 * another world begins with that world's earlier events.
 */
export const increaseOver = <N extends CounterName>(
  name: N,
  where: Where<N> = none,
  over = '$__range',
): Expr<MetricLabel<N>> => filter(increase<N>(name, over, within(where)), 'unless', restarts(over))

const simulatedSeconds = compare(overTime('delta', 'dcsim_sim_time_seconds', window, selected), '>', 0)

/** The rate of counters per hour, or per another unit of simulated time: empty while the world is paused. */
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

/** A quantile of a histogram, for each combination of labels. */
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

/** The resolution at which the highest and lowest values in the displayed time range are searched. */
const coarsely = '[$__range:1m] @ end()'

/** The entities with the highest values in the whole displayed range: chosen point by point they would be more. */
export const highest = <L extends string>(
  count: number,
  expr: Expr<L>,
  labels: readonly Exclude<L, TargetLabel>[],
): Expr<L> => filter(expr, 'and', topk<L>(count, simple(`max_over_time((${expr.text})${coarsely})`)), labels)

/** The same for the lowest values. */
export const lowest = <L extends string>(
  count: number,
  expr: Expr<L>,
  labels: readonly Exclude<L, TargetLabel>[],
): Expr<L> =>
  filter(expr, 'and', bottomk<L>(count, simple(`min_over_time((${expr.text})${coarsely})`)), labels)

/** Adds names to ids: labels of an info family, joined by the labels that both have. */
export const withNames = <
  L extends string,
  N extends InfoName,
  const A extends Exclude<MetricLabel<N>, TargetLabel>,
>(
  expr: Expr<L>,
  info: N,
  key: readonly Exclude<L & MetricLabel<N>, TargetLabel>[],
  added: readonly A[],
  where: Where<N> = none,
): Expr<L | A> => withLabels({ ...expr, simple: false }, gauge<N>(info, where), key, added)

/** The same for hosts, with the names at the end of the range: joining a thousand names at every point takes long. */
export const hostNamed = <L extends string>(
  expr: Expr<L | 'host' | TargetLabel>,
  where: Where<'dcsim_host_info'> = none,
): Expr<L | 'host' | 'name' | TargetLabel> =>
  withLabels({ ...expr, simple: false }, atEnd(gauge('dcsim_host_info', where)), ['host'], ['name'])

/** Network bandwidth is displayed in bits. */
export const bytesToBits = <L extends string>(expr: Expr<L>): Expr<L> => calculate(expr, '*', 8)

/** The sum of a gauge within each session, by labels. */
export const gaugeSum = <N extends GaugeName, const K extends Exclude<MetricLabel<N>, TargetLabel> = never>(
  name: N,
  labels: readonly K[] = [],
  where: Where<N> = none,
): Expr<K | TargetLabel> => by('sum', gauge<N>(name, where), labels)

/** The highest values within a window, which include short and ended peaks. */
export const largestOver = <N extends GaugeName>(
  name: N,
  over: string,
  where: Where<N> = none,
): Expr<MetricLabel<N>> => overTime<N>('max_over_time', name, over, within<N>(where))
