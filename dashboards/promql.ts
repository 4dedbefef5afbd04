import {
  calculate,
  calculateEach,
  compare,
  filter,
  increase,
  metric,
  oneOf,
  overTime,
  recorded,
  targetLabels,
} from '../alerts/promql.ts'
import type { CounterName, Expr, MetricLabel, MetricName, TargetLabel } from '../alerts/promql.ts'
import type { FullLink, fullLinks } from '../alerts/rules/network.ts'
import type { trends } from '../alerts/rules/trends.ts'
import type { VariableName } from './house/variables.ts'

export {
  by,
  calculate,
  calculateEach,
  compare,
  either,
  filter,
  isNot,
  complement as lacking,
  oneOf,
} from '../alerts/promql.ts'
export type { Expr } from '../alerts/promql.ts'

/** Grafana's own choice of a window that always holds enough scrapes. */
const window = '$__rate_interval'

type Where<N extends MetricName> = NonNullable<Parameters<typeof metric<N>>[1]>
type GaugeName = Exclude<MetricName, CounterName>
type InfoName = Extract<MetricName, `${string}_info`>

const simple = <L extends string>(text: string): Expr<L> => ({ text, simple: true })

/** What is chosen in a variable of the dashboard. */
export const matchesVariable = (name: VariableName) => oneOf([`$${name}`])

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
type Kept = typeof trends & Readonly<Record<typeof fullLinks, Expr<FullLink>>>

/** A series of the recording rules: read where its making would take too long over a day, or over months. */
export const recordedSeries = <N extends keyof Kept>(name: N): Kept[N] => recorded(name, selected) as Kept[N]

/**
 * The values as they are at the end of what is shown: of things that hardly change, so that they are looked up once
 * and not for every point of a graph.
 */
export const lastOverTime = <L extends string>(selector: Expr<L>): Expr<L> =>
  simple(`${selector.text} @ end()`)

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
  const kept = [...targetLabels, ...labels].join(', ')
  const counted = simple<K | TargetLabel>(
    `sum by (${kept}) (${increase<N>(name, window, within(where)).text})`,
  )
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
  const kept = [...targetLabels, ...labels, 'le'].join(', ')
  const buckets = metric<N>(name, within<N>(none)).text.replace(name, `${name}_bucket`)
  return simple(`histogram_quantile(${q}, sum by (${kept}) (increase(${buckets}[${over}])))`)
}

/** The series with the highest values. */
export const top = <L extends string>(count: number, expr: Expr<L>): Expr<L> =>
  simple(`topk(${count}, ${expr.text})`)

/** The same with the lowest. */
export const bottom = <L extends string>(count: number, expr: Expr<L>): Expr<L> =>
  simple(`bottomk(${count}, ${expr.text})`)

/** How finely the highest and lowest values of what is shown are looked for. */
const coarsely = '[$__range:1m] @ end()'

/** The things with the highest values within what is shown, always: chosen point by point they would be more. */
export const highest = <L extends string>(
  count: number,
  expr: Expr<L>,
  labels: readonly Exclude<L, TargetLabel>[],
): Expr<L> =>
  filter(expr, 'and', simple<L>(`topk(${count}, max_over_time((${expr.text})${coarsely}))`), labels)

/** The same with the lowest. */
export const lowest = <L extends string>(
  count: number,
  expr: Expr<L>,
  labels: readonly Exclude<L, TargetLabel>[],
): Expr<L> =>
  filter(expr, 'and', simple<L>(`bottomk(${count}, min_over_time((${expr.text})${coarsely}))`), labels)

function namedFrom<L extends string>(
  expr: Expr<never>,
  info: Expr<never>,
  key: readonly string[],
  added: readonly string[],
): Expr<L> {
  const on = [...targetLabels, ...key].join(', ')
  const names = `max by (${on}, ${added.join(', ')}) (${info.text})`
  return simple(`(${expr.text}) * on (${on}) group_left (${added.join(', ')}) ${names}`)
}

/**
 * Puts names to ids: labels of an info family, joined by the labels that both carry. Only these labels are looked at,
 * so that another one that changes, with both values to be seen for a while, makes no second partner.
 */
export const named = <L extends string, N extends InfoName, const A extends MetricLabel<N>>(
  expr: Expr<L>,
  info: N,
  key: readonly Exclude<L & MetricLabel<N>, TargetLabel>[],
  added: readonly A[],
): Expr<L | A> => {
  return namedFrom(expr, metric<N>(info, within<N>(none)), key, added)
}

/** The same of hosts, by the names that they have at the end: those of a thousand, point for point, take long. */
export const hostNamed = <L extends string>(
  expr: Expr<L | 'host' | TargetLabel>,
): Expr<L | 'host' | 'name' | TargetLabel> =>
  namedFrom(expr, lastOverTime(gauge('dcsim_host_info')), ['host'], ['name'])

/** Calls a label otherwise. */
export const relabeled = <L extends string, const F extends L, const T extends string>(
  expr: Expr<L>,
  from: F,
  to: T,
): Expr<Exclude<L, F> | T> => simple(`label_replace(${expr.text}, "${to}", "$1", "${from}", "(.*)")`)

/** Prometheus orders series by the texts of their labels, which puts 10 before 9. This puts numbers in their order. */
export const inNumericOrder = <L extends string>(expr: Expr<L>, label: L): Expr<L> =>
  simple(
    [1, 2, 3, 4, 5].reduce(
      (ordered, digits) => `label_replace(${ordered}, "digits", "${digits}", "${label}", "[0-9]{${digits}}")`,
      expr.text,
    ),
  )

/** Network people think in bits. */
export const bytesToBits = <L extends string>(expr: Expr<L>): Expr<L> => calculate(expr, '*', 8)

/** Part of a whole. The series of both carry the same labels; a whole of zero gives nothing. */
export const share = <L extends string>(part: Expr<L>, whole: Expr<NoInfer<L>>): Expr<L> =>
  calculate(part, '/', compare(whole, '>', 0))

/** A gauge added up within each session, for each of the things that the labels tell apart. */
export const total = <N extends GaugeName, const K extends Exclude<MetricLabel<N>, TargetLabel> = never>(
  name: N,
  labels: readonly K[] = [],
  where: Where<N> = none,
): Expr<K | TargetLabel> => {
  const kept = [...targetLabels, ...labels].join(', ')
  return simple(`sum by (${kept}) (${gauge<N>(name, where).text})`)
}

export const whole = <L extends string>(expr: Expr<L>): Expr<L> => simple(`floor(${expr.text})`)

export const modulo = <L extends string>(expr: Expr<L>, divisor: number): Expr<L> => ({
  text: `${expr.text} % ${divisor}`,
  simple: false,
})

/** The highest values within a window: what lasted less than that, or has ended, is not missed. */
export const largestOver = <N extends GaugeName>(
  name: N,
  over: string,
  where: Where<N> = none,
): Expr<MetricLabel<N>> => overTime<N>('max_over_time', name, over, within<N>(where))
