import { expect, test } from 'vitest'
import { ruleGroups } from '../../alerts/catalog.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { families } from '../../src/metrics/families/all.ts'
import type { Family } from '../../src/metrics/declaration/family.ts'

/** level:metric:operations, after https://prometheus.io/docs/practices/rules/. */
const shape = /^(?<level>[a-z]+):(?<metric>dcsim_[a-z0-9_]+):(?<operations>[a-z0-9_]+)$/

const recordings = ruleGroups(defaultSettings).flatMap((group) => group.recordings)
const expressionOf = new Map(recordings.map(({ record, expr }) => [record, expr]))
const rules = recordings.map(({ record, expr }) => {
  const { level = '', metric = '', operations = '' } = shape.exec(record)?.groups ?? {}
  return { record, expr, level, metric, operations }
})
type Rule = (typeof rules)[number]

const declared: Readonly<Record<string, Family>> = families
/** The family that a rule names: a counter stands without its `_total`. */
const familyOf = ({ metric }: Rule): Family | undefined => declared[metric] ?? declared[`${metric}_total`]
/** The rules for which something is not so. */
const unless = (holds: (rule: Rule) => boolean): string[] =>
  rules.filter((rule) => !holds(rule)).map(({ record }) => record)

/** An expression with those of the recorded series that it reads. */
function whole(expr: string, depth = 0): string {
  const read = expr.match(/\b[a-z]+:dcsim_\w+:\w+/g) ?? []
  const inner = depth > 2 ? [] : read.map((record) => whole(expressionOf.get(record) ?? '', depth + 1))
  return [expr, ...inner].join('\n')
}

test('recorded series are named level:metric:operations', () => {
  expect(unless(({ level }) => level !== '')).toStrictEqual([])
  expect(rules.length).toBeGreaterThan(40)
})

test('the metric is a family that the rule reads', () => {
  const isRead = (rule: Rule): boolean =>
    familyOf(rule) !== undefined &&
    new RegExp(String.raw`\b${rule.metric}(?:_total)?\b`).test(whole(rule.expr))
  expect(unless(isRead)).toStrictEqual([])
})

test('a counter is named by what is done with it: its rate, increase or burn rate', () => {
  const isCounter = (rule: Rule): boolean => familyOf(rule)!.type === 'counter'
  const counted = /(?:^|_)(?:burn_rate|rate|increase)_sim/
  expect(unless((rule) => !isCounter(rule) || counted.test(rule.operations))).toStrictEqual([])
  expect(unless(({ metric }) => !metric.endsWith('_total'))).toStrictEqual([])
})

test('the operations are of a closed list', () => {
  const windowed = String.raw`(?:ratio_|free_|burn_)?(?:rate|increase|deriv|growth|predict_linear)_sim\d+[mhd]`
  const known = new RegExp(`^(?:sum|avg|ratio|used_ratio|used_ratio_high|allocated_ratio|${windowed})$`)
  expect(unless(({ operations }) => known.test(operations))).toStrictEqual([])
})

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
const secondsOf = (duration: string): number => parseInt(duration, 10) * unitSeconds[duration.slice(-1)]

test('the operations name the window in simulated time, which the rule looks back over', () => {
  const wrong = rules.filter(({ record, expr, operations }) => {
    // A pause is looked for over a window of its own.
    const read = record.includes(':ratio_rate_') ? whole(expr) : expr
    const looked = [...read.replaceAll(/changes\(\w+\[\w+\]\)/g, '').matchAll(/\[(?<wall>\d+[smh])\]/g)].map(
      ({ groups }) => secondsOf(groups!['wall']) * defaultSettings.speed,
    )
    const named = /_sim(?<window>\d+[mhd])$/.exec(operations)?.groups!['window']
    return [...new Set(looked)].join() !== (named === undefined ? '' : String(secondsOf(named)))
  })
  expect(wrong.map(({ record }) => record)).toStrictEqual([])
})

test('the level names the labels of the series, besides those of their target', () => {
  const isLevel = (rule: Rule): boolean => {
    const groupings = [...rule.expr.matchAll(/\bby \(job, instance, session(?<more>[^)]*)\)/g)].map(
      ({ groups }) => groups!['more'],
    )
    if (rule.level === 'world') {
      const isPlain = groupings.length > 0 || familyOf(rule)!.labels.length === 0
      return isPlain && groupings.every((more) => more === '')
    }
    return familyOf(rule)!.labels.includes(rule.level)
  }
  expect(unless(isLevel)).toStrictEqual([])
})

test('series of Trends are of metrics alone: promtool gives no past to a rule that reads another one’s series', () => {
  const trends = ruleGroups(defaultSettings).find(({ subject }) => subject === 'trends')!.recordings
  expect(trends.length).toBeGreaterThan(10)
  expect(trends.filter(({ expr }) => whole(expr) !== expr)).toStrictEqual([])
})
