import { lineOf, parse } from '../tidy/source-files.ts'
import type { AstNode, SourceFile } from '../tidy/source-files.ts'

/** One small change of a source file: `start` to `end` becomes `text`. */
export interface Mutation {
  readonly path: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly text: string
  /** Whether a statement is removed; other mutations replace an expression. */
  readonly isRemoval: boolean
  /** Whether the expression begins a statement, where a parenthesis would continue the previous line as a call. */
  readonly isAtStart: boolean
  /** The change for display: `a < b → a <= b`. */
  readonly change: string
}

/** The replacements of operators. A comparison is mutated at its boundary and negated. */
const operators: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '++': ['--'],
  '--': ['++'],
}

/** A map, as an object would have a method `toString` of its own. */
const methods: ReadonlyMap<string, string> = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['some', 'every'],
  ['every', 'some'],
])

/** Types, and code whose mutation would only break the program: names of modules, keys, texts of errors. */
const isSkipped = (node: AstNode, parent: AstNode, key: string): boolean =>
  (node.type.startsWith('TS') && !/^TS(?:As|NonNull|Satisfies)/.test(node.type)) ||
  (parent.type.startsWith('TS') && key !== 'expression') ||
  /^(?:Import|ExportAll)/.test(node.type) ||
  node.type === 'ThrowStatement' ||
  (key === 'key' && parent['computed'] !== true) ||
  (key === 'source' && parent.type.startsWith('Export'))

const isText = ({ type, value }: AstNode): boolean =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')

const otherNumber = (value: number): number =>
  Number.isInteger(value) ? value + 1 : Number((value * 1.1).toPrecision(6))

/** The texts that may replace a node. */
function replacements(node: AstNode, parent: AstNode, key: string, source: string): string[] {
  const textOf = (one: unknown): string => source.slice((one as AstNode).start, (one as AstNode).end)
  const { operator, left, right, argument } = node as AstNode & { readonly operator: string }
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      if (operator === '??') return [textOf(right)]
      if (operator === '+' && [left, right].some((side) => isText(side as AstNode))) return []
      return (operators[operator] ?? []).map((other) => `${textOf(left)} ${other} ${textOf(right)}`)
    case 'AssignmentExpression':
      return (operators[operator] ?? []).map((other) => `${textOf(left)} ${other} ${textOf(right)}`)
    case 'UpdateExpression':
      return parent.type === 'ForStatement'
        ? []
        : operators[operator].map((other) => textOf(argument) + other)
    case 'UnaryExpression':
      return operator === '!' || operator === '-' ? [textOf(argument)] : []
    case 'ConditionalExpression':
      return [`${textOf(node['test'])} ? ${textOf(node['alternate'])} : ${textOf(node['consequent'])}`]
    case 'Literal': {
      const { value } = node
      if (typeof value === 'number') return [String(otherNumber(value))]
      if (typeof value === 'boolean') return [String(!value)]
      const isState = typeof value === 'string' && /^[A-Za-z][\w-]*$/.test(value)
      return isState && !/^(?:Call|Binary)Expression$/.test(parent.type) ? ["'~'"] : []
    }
    case 'CallExpression': {
      const callee = node['callee'] as AstNode
      const property = callee['property'] as AstNode | undefined
      const other = methods.get(property === undefined ? '' : textOf(property))
      // Within a chain, the part alone would lose its short circuit.
      const isInChain = /^(?:Chain|Member|Call)Expression$/.test(parent.type) && key !== 'arguments'
      if (property === undefined || other === undefined || isInChain) return []
      return [source.slice(node.start, property.start) + other + source.slice(property.end, node.end)]
    }
    default:
      return []
  }
}

const conditions: Readonly<Record<string, readonly string[]>> = {
  IfStatement: ['true', 'false'],
  WhileStatement: ['false'],
}

const shortened = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= 90 ? line : `${line.slice(0, 89)}…`
}

export function mutationsOf(file: SourceFile): Mutation[] {
  const found: Mutation[] = []
  let statement = -1
  const add = ({ start, end }: AstNode, text: string, isRemoval = false): void => {
    const change = isRemoval
      ? `without ${shortened(file.text.slice(start, end))}`
      : `${shortened(file.text.slice(start, end))} → ${shortened(text)}`
    const isAtStart = start === statement
    found.push({ path: file.path, line: lineOf(file, start), start, end, text, isRemoval, isAtStart, change })
  }
  const descend = (node: AstNode, parent: AstNode, key: string): void => {
    if (isSkipped(node, parent, key)) return
    if (key === 'test') for (const text of conditions[parent.type] ?? []) add(node, text)
    if (node.type === 'ExpressionStatement' && typeof node['directive'] !== 'string') {
      add(node, '', true)
      statement = node.start
    }
    for (const text of replacements(node, parent, key, file.text)) add(node, text)
    for (const [childKey, value] of Object.entries(node)) {
      for (const child of [value].flat())
        if (typeof child === 'object' && child !== null && 'type' in child)
          descend(child as AstNode, node, childKey)
    }
  }
  const root = parse(file)
  descend(root, root, '')
  return found
}

/**
 * The file with all mutations compiled in, each selected by its number: `isMutant(17) ? a <= b : a < b`. So a module is
 * transformed once for all of them.
 */
export function withSwitches(source: string, mutations: ReadonlyMap<number, Mutation>): string {
  const spans = new Map<string, [number, Mutation][]>()
  for (const entry of mutations) {
    const { start, end, isRemoval } = entry[1]
    const span = `${start}-${end}-${isRemoval}`
    spans.set(span, [...(spans.get(span) ?? []), entry])
  }
  // Outer spans first; for a statement and an expression with the same span, the statement.
  const ordered = [...spans.values()].toSorted(
    ([[, a]], [[, b]]) => a.start - b.start || b.end - a.end || Number(b.isRemoval) - Number(a.isRemoval),
  )
  let next = 0
  const render = (from: number, to: number): string => {
    let text = ''
    let at = from
    while (next < ordered.length && ordered[next][0][1].start < to) {
      const group = ordered[next++]
      const { start, end, isRemoval, isAtStart } = group[0][1]
      text += source.slice(at, start)
      const inner = render(start, end)
      const branches = group.map(([id, mutation]) => `isMutant(${id}) ? ${mutation.text} : `).join('')
      text += isRemoval
        ? `{ if (!isMutant(${group[0][0]})) {${inner}} }`
        : `${isAtStart ? 'false || ' : ''}(${branches}${inner})`
      at = end
    }
    return text + source.slice(at, to)
  }
  return render(0, source.length)
}
