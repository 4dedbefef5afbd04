import { targetLabels } from './metrics.ts'
import type { CounterName, MetricLabel, MetricName, TargetLabel } from './metrics.ts'

/**
 * PromQL as typed values. A metric that no family declares does not compile, nor does a label that an expression
 * does not carry, nor a rate of something that is no counter.
 */

/** An expression, and the labels that all its series carry. */
export interface Expr<L extends string> {
  readonly text: string
  /** Whether it can stand as an operand without parentheses. */
  readonly simple: boolean
  /** Never there: it keeps the labels in the type. */
  readonly carries?: (label: L) => void
}

/** An expression of which only the text matters. */
type AnyExpr = Expr<never>

export interface Matcher {
  readonly operator: '!=' | '=~' | '!~'
  readonly value: string
}
export const isNot = (value: string): Matcher => ({ operator: '!=', value })
export const noneOf = (values: readonly string[]): Matcher => ({ operator: '!~', value: values.join('|') })
export const anyOf = (values: readonly string[]): Matcher => ({ operator: '=~', value: values.join('|') })

type Where<L extends string> = { readonly [K in L]?: string | Matcher }

/** An expression that stands as an operand without parentheses. */
export const simple = <L extends string>(text: string): Expr<L> => ({ text, simple: true })
const compound = <L extends string>(text: string): Expr<L> => ({ text, simple: false })
const operand = (value: AnyExpr | number): string =>
  typeof value === 'number' ? String(value) : value.simple ? value.text : `(${value.text})`

function selector(name: string, where: Readonly<Record<string, string | Matcher | undefined>>): string {
  const matchers = Object.entries(where).map(([label, wanted]) => {
    const { operator, value } = typeof wanted === 'object' ? wanted : { operator: '=', value: wanted }
    return `${label}${operator}${JSON.stringify(value)}`
  })
  return matchers.length === 0 ? name : `${name}{${matchers.join(', ')}}`
}

/** The series of a declared family. */
export const metric = <N extends MetricName>(
  name: N,
  where: Where<MetricLabel<N>> = {},
): Expr<MetricLabel<N>> => simple(selector(name, where))

/** The series that a recording rule makes. */
export const recorded = <L extends string>(name: string, where: Where<L> = {}): Expr<L> =>
  simple(selector(name, where))

export const increase = <N extends CounterName>(
  name: N,
  window: string,
  where: Where<MetricLabel<N>> = {},
): Expr<MetricLabel<N>> => simple(`increase(${selector(name, where)}[${window}])`)

type OverTime =
  | 'changes'
  | 'count_over_time'
  | 'deriv'
  | 'delta'
  | 'max_over_time'
  | 'min_over_time'
  | 'resets'

/** What became of gauges in a window. */
export const overTime = <N extends Exclude<MetricName, CounterName>>(
  how: OverTime,
  name: N,
  window: string,
  where: Where<MetricLabel<N>> = {},
): Expr<MetricLabel<N>> => simple(`${how}(${selector(name, where)}[${window}])`)

/** The value at the end of the range of a query: looked up once and not for every point of a graph. */
export const atEnd = <L extends string>(selected: Expr<L>): Expr<L> => simple(`${selected.text} @ end()`)

type Aggregation = 'sum' | 'max' | 'min' | 'count' | 'avg'

const withinTarget = (labels: readonly string[]): string => `by (${[...targetLabels, ...labels].join(', ')})`

/** The same with a label more, made from another by a template in which `$1` is its value. */
export const relabeled = <L extends string, const A extends string>(
  expr: Expr<L>,
  added: A,
  template: string,
  from: NoInfer<L>,
): Expr<L | A> => simple(`label_replace(${expr.text}, "${added}", "${template}", "${from}", "(.+)")`)

/** Aggregates within each target: the labels that identify it always stay. */
export const by = <L extends string, const K extends Exclude<L, TargetLabel> = never>(
  how: Aggregation,
  expr: Expr<L | TargetLabel>,
  labels: readonly K[] = [],
): Expr<K | TargetLabel> => simple(`${how} ${withinTarget(labels)} (${expr.text})`)

type Arithmetic = '+' | '-' | '*' | '/'
type Comparison = '>' | '>=' | '<' | '<=' | '==' | '!='

/** Between a vector and a number, or vectors whose series carry the very same labels. */
export const calculate = <L extends string>(
  left: Expr<L>,
  operator: Arithmetic,
  right: Expr<NoInfer<L>> | number,
): Expr<L> => compound(`${operand(left)} ${operator} ${operand(right)}`)

export const compare = <L extends string>(
  left: Expr<L>,
  operator: Comparison,
  right: Expr<NoInfer<L>> | number,
): Expr<L> => compound(`${operand(left)} ${operator} ${operand(right)}`)

/** The complement of a share. */
export const complement = <L extends string>(expr: Expr<L>): Expr<L> => compound(`1 - ${operand(expr)}`)

export const atMost = <L extends string>(expr: Expr<L>, most: number): Expr<L> =>
  simple(`clamp_max(${expr.text}, ${most})`)

/** Between many series on the left and one on the right that they share labels with. */
export const calculateEach = <L extends string, R extends string>(
  left: Expr<L>,
  operator: Arithmetic,
  right: Expr<R>,
  labels: readonly Exclude<L & R, TargetLabel>[] = [],
): Expr<L> => compound(`${operand(left)} ${operator} ${onTarget(labels)} group_left () ${operand(right)}`)

const onTarget = (labels: readonly string[]): string => `on (${[...targetLabels, ...labels].join(', ')})`

/**
 * Takes labels over from the series of an info family: the names of things. Only these labels are looked at, so that one
 * that changes between two scrapes makes no second partner.
 */
export function withLabels<L extends string, I extends string, const A extends Exclude<I, TargetLabel>>(
  expr: Expr<L>,
  info: Expr<I>,
  key: readonly Exclude<L & I, TargetLabel>[],
  added: readonly A[],
): Expr<L | A> {
  const names = `max ${withinTarget([...key, ...added])} (${info.text})`
  return compound(`${operand(expr)} * ${onTarget(key)} group_left (${added.join(', ')}) ${names}`)
}

/** The series on the left that have (`and`) or lack (`unless`) a partner on the right. */
export const filter = <L extends string, R extends string>(
  left: Expr<L>,
  operator: 'and' | 'unless',
  right: Expr<R>,
  labels: readonly Exclude<L & R, TargetLabel>[] = [],
): Expr<L> => compound(`${operand(left)}\n${operator} ${onTarget(labels)}\n${operand(right)}`)

/** Part of a whole. The series of both carry the same labels; a whole of zero gives nothing. */
export const share = <L extends string>(part: Expr<L>, whole: Expr<NoInfer<L>>): Expr<L> =>
  calculate(part, '/', compare(whole, '>', 0))

export const floor = <L extends string>(expr: Expr<L>): Expr<L> => simple(`floor(${expr.text})`)

export const modulo = <L extends string>(expr: Expr<L>, divisor: number): Expr<L> =>
  compound(`${expr.text} % ${divisor}`)

/** The series with the highest values. */
export const topk = <L extends string>(count: number, expr: Expr<L>): Expr<L> =>
  simple(`topk(${count}, ${expr.text})`)

/** The series with the lowest values. */
export const bottomk = <L extends string>(count: number, expr: Expr<L>): Expr<L> =>
  simple(`bottomk(${count}, ${expr.text})`)

/** Prometheus orders series by the texts of their labels, which puts 10 before 9. This puts numbers in their order. */
export const inNumericOrder = <L extends string>(expr: Expr<L>, label: L): Expr<L> =>
  simple(
    [1, 2, 3, 4, 5].reduce(
      (ordered, digits) => `label_replace(${ordered}, "digits", "${digits}", "${label}", "[0-9]{${digits}}")`,
      expr.text,
    ),
  )

export const either = <L extends string>(first: Expr<L>, ...others: readonly Expr<NoInfer<L>>[]): Expr<L> =>
  compound([first, ...others].map(operand).join('\nor\n'))

/** One series without labels. */
export const constant = (value: number): Expr<never> => simple(`vector(${value})`)

/** The series of a target where there are none at all. */
export const absent = (expr: AnyExpr): Expr<'job'> => simple(`absent(${expr.text})`)
