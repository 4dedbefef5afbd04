import { targetLabels } from './metrics.ts'
import type { CounterName, MetricLabel, MetricName, TargetLabel } from './metrics.ts'

/**
 * PromQL as typed values. An undeclared metric does not compile, nor does a label that an expression lacks, nor a rate
 * of a metric that is not a counter.
 */

/** An expression, and the labels of all its series. */
export interface Expr<L extends string> {
  readonly text: string
  /** Whether it can be an operand without parentheses. */
  readonly simple: boolean
  /** Of an expression with labels from an info family: how it is made. */
  readonly labeled?: Labeled
  /** Never present at run time: it carries the labels in the type. */
  readonly carries?: (label: L) => void
}

interface Labeled {
  readonly of: Expr<string>
  readonly added: readonly string[]
  /** The same labels for another expression. */
  readonly with: (of: Expr<string>) => Expr<string>
}

/** An expression whose labels do not matter. */
type AnyExpr = Expr<never>

export interface Matcher {
  readonly operator: '!=' | '=~' | '!~'
  readonly value: string
}
export const isNot = (value: string): Matcher => ({ operator: '!=', value })
export const noneOf = (values: readonly string[]): Matcher => ({ operator: '!~', value: values.join('|') })
export const anyOf = (values: readonly string[]): Matcher => ({ operator: '=~', value: values.join('|') })

/** The matchers of a label, of which each has to match. */
type Wanted = string | Matcher | readonly (string | Matcher)[]
type Where<L extends string> = { readonly [K in L]?: Wanted }

/** An expression that needs no parentheses as an operand. */
export const simple = <L extends string>(text: string): Expr<L> => ({ text, simple: true })
const compound = <L extends string>(text: string): Expr<L> => ({ text, simple: false })
const operand = (value: AnyExpr | number): string =>
  typeof value === 'number' ? String(value) : value.simple ? value.text : `(${value.text})`

function selector(name: string, where: Readonly<Record<string, Wanted | undefined>>): string {
  const matchers = Object.entries(where).flatMap(([label, wanted]) =>
    [wanted].flat().map((one) => {
      const { operator, value } = typeof one === 'object' ? one : { operator: '=', value: one }
      return `${label}${operator}${JSON.stringify(value)}`
    }),
  )
  return matchers.length === 0 ? name : `${name}{${matchers.join(', ')}}`
}

/** The series of a declared family. */
export const metric = <N extends MetricName>(
  name: N,
  where: Where<MetricLabel<N>> = {},
): Expr<MetricLabel<N>> => simple(selector(name, where))

/** The series of a recording rule. */
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

/** Aggregates gauges over a window. */
export const overTime = <N extends Exclude<MetricName, CounterName>>(
  how: OverTime,
  name: N,
  window: string,
  where: Where<MetricLabel<N>> = {},
): Expr<MetricLabel<N>> => simple(`${how}(${selector(name, where)}[${window}])`)

/** The value at the end of a query's range: evaluated once, not for every point of a graph. */
export const atEnd = <L extends string>(selected: Expr<L>): Expr<L> => simple(`${selected.text} @ end()`)

type Aggregation = 'sum' | 'max' | 'min' | 'count' | 'avg'

const withinTarget = (labels: readonly string[]): string => `by (${[...targetLabels, ...labels].join(', ')})`

/** Adds a label whose value is a template over another label's value, which is `$1`. */
export const relabeled = <L extends string, const A extends string>(
  expr: Expr<L>,
  added: A,
  template: string,
  from: NoInfer<L>,
): Expr<L | A> => simple(`label_replace(${expr.text}, "${added}", "${template}", "${from}", "(.+)")`)

/** Aggregates within each target: the labels that identify it always remain. */
export const by = <L extends string, const K extends Exclude<L, TargetLabel> = never>(
  how: Aggregation,
  expr: Expr<L | TargetLabel>,
  labels: readonly K[] = [],
): Expr<K | TargetLabel> => simple(`${how} ${withinTarget(labels)} (${expr.text})`)

type Arithmetic = '+' | '-' | '*' | '/'
type Comparison = '>' | '>=' | '<' | '<=' | '==' | '!='

/** Arithmetic between a vector and a number, or between vectors whose series have identical labels. */
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

/** Arithmetic between many series on the left and one on the right, matched by shared labels. */
export const calculateEach = <L extends string, R extends string>(
  left: Expr<L>,
  operator: Arithmetic,
  right: Expr<R>,
  labels: readonly Exclude<L & R, TargetLabel>[] = [],
): Expr<L> => compound(`${operand(left)} ${operator} ${onTarget(labels)} group_left () ${operand(right)}`)

const onTarget = (labels: readonly string[]): string => `on (${[...targetLabels, ...labels].join(', ')})`

/**
 * Adds labels from an info family, such as names. The info family is aggregated to these labels, so that another label
 * that changes between two scrapes makes no second match.
 */
export function withLabels<L extends string, I extends string, const A extends Exclude<I, TargetLabel>>(
  expr: Expr<L>,
  info: Expr<I>,
  key: readonly Exclude<L & I, TargetLabel>[],
  added: readonly A[],
): Expr<L | A> {
  const names = `max ${withinTarget([...key, ...added])} (${info.text})`
  const labeled = (of: Expr<string>): Expr<string> =>
    compound(`${operand(of)} * ${onTarget(key)} group_left (${added.join(', ')}) ${names}`)
  const of = expr as Expr<string>
  return { ...labeled(of), labeled: { of, added, with: labeled } }
}

/** The series on the left that have (`and`) or lack (`unless`) a match on the right. */
export const filter = <L extends string, R extends string>(
  left: Expr<L>,
  operator: 'and' | 'unless',
  right: Expr<R>,
  labels: readonly Exclude<L & R, TargetLabel>[] = [],
): Expr<L> => compound(`${operand(left)}\n${operator} ${onTarget(labels)}\n${operand(right)}`)

/** The ratio of a part to a whole, whose series have the same labels; empty for a whole of zero. */
export const share = <L extends string>(part: Expr<L>, whole: Expr<NoInfer<L>>): Expr<L> =>
  calculate(part, '/', compare(whole, '>', 0))

const tenths = Array.from({ length: 10 }, (_, index) => (index + 1) / 10)

/**
 * The number of series in each tenth of shares, by its upper end, within each target. A tenth without any has 0, for each
 * target in `targets`.
 */
export function countByTenth(shares: AnyExpr, targets: Expr<TargetLabel>): Expr<'le' | TargetLabel> {
  const ends = `clamp(ceil(10 * ${operand(shares)}) / 10, 0.1, 1)`
  const counted = `count_values ${withinTarget([])} ("le", ${ends})`
  const none = tenths.map((end) => `label_replace(0 * ${operand(targets)}, "le", "${end}", "", "")`)
  return compound([counted, ...none].join('\nor\n'))
}

/** The series with the highest values. */
export const topk = <L extends string>(count: number, expr: Expr<L>): Expr<L> =>
  simple(`topk(${count}, ${expr.text})`)

/** The series with the lowest values. */
export const bottomk = <L extends string>(count: number, expr: Expr<L>): Expr<L> =>
  simple(`bottomk(${count}, ${expr.text})`)

/** Prometheus sorts series by the text of their labels, which puts 10 before 9. This sorts numbers numerically. */
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

/** A series for a target without any series. */
export const absent = (expr: AnyExpr): Expr<'job'> => simple(`absent(${expr.text})`)
