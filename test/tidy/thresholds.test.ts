import { expect, test } from 'vitest'
import { displayThresholds, thresholdNames } from '../../src/contract/thresholds.ts'
import { checkRules, files, isScript, lineOf, parse, walk } from './source-files.ts'
import type { AstNode, SourceFile } from './source-files.ts'

/** Names of quantities with a threshold: a share, a percentage, a temperature, a condition. */
const measured = /(?:_pct|_celsius|_ratio|_share|Pct|Celsius|Ratio|Share|Load|[hH]ealth|[cC]ondition)\w*$/
/** Names of thresholds. */
const limit = /(?:High|Low|Full|Poor|Warm|Hot|Warn)(?:[A-Z]\w*)?$/
const comparisons = new Set(['<', '<=', '>', '>='])
/** Functions of alerts and dashboards whose arguments are thresholds. */
const takesThresholds: ReadonlySet<string> = new Set([
  'compare',
  'fallingSteps',
  'percentSteps',
  'risingSteps',
])
/** Zero, one and small counts are no thresholds; a fraction or a larger number is one. */
const countMax = 10

const numberOf = (node: AstNode): number | null =>
  node.type === 'Literal' && typeof node['value'] === 'number' ? node['value'] : null

const isThreshold = (node: AstNode): boolean => {
  const value = numberOf(node)
  return value !== null && value !== 100 && (!Number.isInteger(value) || value > countMax)
}

/** The last name of `host.condition_pct`, `loadPct(port)` or `(share ?? 0)`. */
function nameOf(node: AstNode): string {
  if (node.type === 'Identifier') return String(node['name'])
  const inner = node['property'] ?? node['callee'] ?? node['expression'] ?? node['left'] ?? node['id']
  return inner === undefined ? '' : nameOf(inner as AstNode)
}

function literalThreshold(node: AstNode): boolean {
  if (node.type === 'BinaryExpression' && comparisons.has(String(node['operator']))) {
    const [left, right] = [node['left'] as AstNode, node['right'] as AstNode]
    return [
      [left, right],
      [right, left],
    ].some(([value, bound]) => {
      const number = numberOf(bound)
      return measured.test(nameOf(value)) && number !== null && number !== 0 && number !== 100
    })
  }
  if (node.type === 'CallExpression' && takesThresholds.has(nameOf(node['callee'] as AstNode)))
    return (node['arguments'] as readonly AstNode[]).some(isThreshold)
  if (node.type !== 'VariableDeclarator' || node['init'] === null) return false
  const name = nameOf(node['id'] as AstNode)
  return (measured.test(name) || limit.test(name)) && numberOf(node['init'] as AstNode) !== null
}

function literalThresholds(file: SourceFile): string[] {
  const found: string[] = []
  walk(parse(file), (node) => {
    if (literalThreshold(node))
      found.push(
        `${file.path}:${lineOf(file, node.start)}: ${file.text.slice(node.start, node.end).split('\n', 1)[0]}`,
      )
  })
  return found
}

const covers = (path: string): boolean =>
  /^(?:src\/(?:tables|words)|src\/world\/records\/zones|dashboards|alerts\/rules)\/.*\.ts$/.test(path)

checkRules(
  [
    'export const isPoor = (host: Host) => host.condition_pct < 15\n',
    'export const isFull = (port: Port) => 90 <= (loadPct(port) ?? 0)\n',
    'const conditionLowPct = 15\n',
    'const inletHot = 32\n',
    'export const steps = risingSteps(0.7, thresholds.linkLoadFull)\n',
    "export const expr = compare(online, '<', 0.9)\n",
  ].map((text) => ({
    name: `src/contract/thresholds.ts states thresholds, not ${text.trim()}`,
    covers,
    violations: literalThresholds,
    example: { path: 'src/tables/columns/equipment/host.ts', text },
  })),
)

test('every threshold is read', () => {
  const states = 'src/contract/thresholds.ts'
  const readers = files.filter(
    ({ path }) => /^(?:src|alerts|dashboards|promql)\//.test(path) && isScript(path) && path !== states,
  )
  const words = new Set(readers.flatMap(({ text }) => text.match(/\w+/g) ?? []))
  const names = [...thresholdNames, ...Object.keys(displayThresholds)]
  expect(names.filter((name) => !words.has(name))).toEqual([])
})
