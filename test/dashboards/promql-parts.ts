import { parser } from '@prometheus-io/lezer-promql'

type Tree = ReturnType<typeof parser.parse>
type Node = Tree['topNode']

/** A selector in an expression: the metric, the matchers, and its context. */
interface Selector {
  readonly metric: string
  readonly matchers: readonly string[]
  /** The window after it, and the enclosing function; null if there is none. */
  readonly window: string | null
  readonly call: string | null
}

interface Parsed {
  readonly errors: number
  readonly selectors: readonly Selector[]
  /** The operands of `or on`, by the names of the grammar. */
  readonly alternatives: readonly string[]
}

/** A duration in place of a variable, for PromQL's parser. */
export const placeholderDurations: Readonly<Record<string, string>> = {
  $__rate_interval: '7351s',
  $__range: '7352s',
  $__interval: '7353s',
}

const withDurations = (expr: string): string =>
  expr.replaceAll(/\$__(?:rate_interval|range|interval)\b/g, (name) => placeholderDurations[name])

const textOf = (expr: string, node: Node): string => expr.slice(node.from, node.to)

function functionAround(expr: string, node: Node): string | null {
  for (let at: Node | null = node.parent; at !== null; at = at.parent) {
    if (at.name === 'FunctionCall') return textOf(expr, at.firstChild!)
    if (at.name === 'AggregateExpr' || at.name === 'BinaryExpr') return null
  }
  return null
}

function selectorAt(expr: string, node: Node): Selector {
  const name = node.getChild('Identifier')
  const list = node.getChild('LabelMatchers')
  const matchers = (list?.getChildren('UnquotedLabelMatcher') ?? []).map((matcher) => textOf(expr, matcher))
  const range = node.parent?.name === 'MatrixSelector' ? node.parent : null
  return {
    metric: name === null ? '' : textOf(expr, name),
    matchers,
    window: range === null ? null : textOf(expr, range).slice(node.to - range.from + 1, -1),
    call: functionAround(expr, node),
  }
}

function alternativesAt(node: Node): string[] {
  if (node.getChild('Or') === null || node.getChild('MatchingModifierClause') === null) return []
  return [node.firstChild!, node.lastChild!].map(({ name }) => name).filter((name) => name !== 'BinaryExpr')
}

/** An expression of a dashboard, parsed by Prometheus's own grammar. */
export function parsed(written: string): Parsed {
  const expr = withDurations(written)
  const selectors: Selector[] = []
  const alternatives: string[] = []
  let errors = 0
  parser.parse(expr).iterate({
    enter(cursor) {
      if (cursor.type.isError) errors += 1
      if (cursor.name === 'VectorSelector') selectors.push(selectorAt(expr, cursor.node))
      if (cursor.name === 'BinaryExpr') alternatives.push(...alternativesAt(cursor.node))
    },
  })
  return { errors, selectors, alternatives }
}
