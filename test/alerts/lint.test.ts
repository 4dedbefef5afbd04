import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ruleGroups } from '../../alerts/catalog.ts'
import { groupsOf } from '../../alerts/groups.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { dashboards } from '../../dashboards/uids.ts'
import { alertNames } from '../../alerts/cases/alert-cases.ts'
import { collectorFamilies } from '../../src/metrics/exposition/exposition.ts'
import { collectors } from '../../src/metrics/declaration/collectors.ts'
import { families } from '../../src/metrics/families/all.ts'
import { mirrorFamilies } from '../../src/metrics/declaration/mirror-families.ts'
import { hasTool } from '../fixtures/tools.ts'
import { checkRules } from './promtool.ts'

const groups = ruleGroups(defaultSettings)
const alerts = groups.flatMap((group) => group.alerts)
const recordings = groups.flatMap((group) => group.recordings)
const expressions = [...alerts, ...recordings].map(({ expr }) => expr)

/** The alerts that violate a predicate. */
const unless = (holds: (alert: (typeof alerts)[number]) => boolean): string[] =>
  alerts.filter((alert) => !holds(alert)).map(({ alert }) => alert)

describe.skipIf(!hasTool('promtool'))('promtool (skipped where there is none)', () => {
  test('check rules --lint=all --lint-fatal is silent', () => {
    const { ok, output } = checkRules()
    expect(output.replaceAll(/Checking .*|\s+SUCCESS: \d+ rules found/g, '').trim()).toBe('')
    expect(ok).toBe(true)
  })
})

/** Those of mixtool; alert-summary-templating and alert-summary-style do not apply, as titles name the affected entity. */
test.each<[string, (alert: (typeof alerts)[number]) => boolean]>([
  ['alert-name-camelcase', ({ alert }) => /^([A-Z]+[a-z0-9]+)+$/.test(alert)],
  [
    'alert-severity-rule',
    ({ labels }) => ['critical', 'warning', 'info', 'none'].includes(labels['severity']),
  ],
  ['alert-description-missing-rule', ({ annotations }) => annotations.description.length > 20],
  ['alert-description-templating', ({ annotations }) => /\{\{.+\}\}/.test(annotations.description)],
  ['titles without a full stop', ({ annotations }) => /^(?:[A-Z]|\{\{)[^]*[^.]$/.test(annotations.summary)],
  [
    'pages of runbooks',
    ({ alert, annotations }) => annotations.runbook_url.endsWith(`:9740/runbooks/${alert}`),
  ],
  ['names after this product', ({ alert }) => alert.startsWith('Dcsim')],
])('every alert keeps to the rule %s', (_, holds) => {
  expect(unless(holds)).toStrictEqual([])
})

/** Every word of an expression that is a metric name and not a rule's own. */
const declaredNames = new Set(Object.keys({ ...families, ...mirrorFamilies, ...collectorFamilies }))
const recordedNames = new Set(recordings.map(({ record }) => record))
const namesIn = (expr: string): string[] => expr.match(/\b(?:[a-z]+:)?dcsim_[\w:]+/g) ?? []

describe('pint', () => {
  test('promql/series: no rule looks at a series that no family declares and no rule records', () => {
    const known = (name: string): boolean =>
      declaredNames.has(name) ||
      recordedNames.has(name) ||
      declaredNames.has(name.replace(/_(?:sum|count)$/, ''))
    expect(expressions.flatMap(namesIn).filter((name) => !known(name))).toStrictEqual([])
    expect(expressions.flatMap(namesIn).length).toBeGreaterThan(200)
  })

  test('promql/rate: counters alone are given to increase, gauges alone to deriv, delta and changes', () => {
    const taken = expressions.flatMap((expr) => [
      ...expr.matchAll(/\b(?<how>rate|irate|increase|deriv|delta|changes)\((?<name>[\w:]+)/g),
    ])
    const wrong = taken.filter(({ groups }) => {
      const { how, name } = groups!
      return /_(?:total|sum|count)$/.test(name) !== /rate|increase/.test(how)
    })
    expect(wrong.map(([text]) => text)).toStrictEqual([])
    expect(taken.length).toBeGreaterThan(30)
  })

  test('promql/aggregate: every aggregation keeps job and instance', () => {
    const aggregations = expressions.flatMap(
      (expr) => expr.match(/\b(?:sum|max|min|avg|count)\b[^_(]*\([^)]*\)/g) ?? [],
    )
    const kept = aggregations.filter((text) => !/ by \(job, instance\b/.test(text))
    expect(kept).toStrictEqual([])
    expect(aggregations.length).toBeGreaterThan(30)
  })

  test('alerts/template: no label is used that the last aggregation or join drops', () => {
    const lost = alerts.filter(({ expr, annotations }) => {
      const used = [...annotations.description.matchAll(/\$labels\.(?<label>\w+)/g)].map(
        ({ groups }) => groups!['label'],
      )
      const outermost = /^(?:\()?(?:sum|max|min|avg|count) by \((?<kept>[^)]*)\) \([^()]*\)/.exec(expr)
      if (outermost === null || /group_left/.test(expr)) return false
      return !used.every((label) => outermost.groups!['kept'].split(', ').includes(label))
    })
    expect(lost.map(({ alert }) => alert)).toStrictEqual([])
  })

  test('rule/duplicate: no two rules have the same name, and each case of alerts/cases has its rule', () => {
    const names = [...alerts.map(({ alert }) => alert), ...recordings.map(({ record }) => record)]
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(alerts.map(({ alert }) => alert))).toStrictEqual(new Set(alertNames))
  })

  test('promql/regexp: every pattern needs to be one', () => {
    const patterns = expressions.flatMap((expr) => Array.from(expr.matchAll(/[=!]~"(?<pattern>[^"]*)"/g)))
    expect(
      patterns.filter(({ groups }) => !/[|.*+]/.test(groups!['pattern'])).map(([text]) => text),
    ).toStrictEqual([])
    expect(patterns.length).toBeGreaterThan(1)
  })
})

test('no group has more rules than Mimir takes', () => {
  const sizes = groups
    .flatMap(groupsOf)
    .map(({ name, recordings, alerts }) => [name, recordings.length + alerts.length] as const)
  expect(sizes.filter(([, size]) => size > 20)).toStrictEqual([])
  expect(new Set(sizes.map(([name]) => name)).size).toBe(sizes.length)
})

test('every alert has a category', () => {
  for (const { subject, alerts: ofSubject } of groups)
    for (const { labels } of ofSubject) expect(labels['category']).toBe(subject)
})

test('every section of a runbook is about an alert of its subject', () => {
  for (const { subject, alerts } of groups.filter((group) => group.alerts.length > 0)) {
    const text = readFileSync(new URL(`../../alerts/runbooks/${subject}.md`, import.meta.url), 'utf8')
    const sections = [...text.matchAll(/^## (?<name>.*)$/gm)].map(({ groups }) => groups!['name'])
    expect(sections.toSorted()).toStrictEqual(alerts.map(({ alert }) => alert).toSorted())
  }
})

/** Titles of panels by the title of their dashboard. */
function panelTitles(): Map<string, Set<string>> {
  interface Panel {
    readonly title?: string
    readonly panels?: readonly Panel[]
  }
  const titles = (panels: readonly Panel[]): string[] =>
    panels.flatMap(({ title = '', panels: inner = [] }) => [title, ...titles(inner)])
  return new Map(
    Object.entries(dashboards).map(([uid, { title }]) => {
      const file = new URL(`../../dashboards/generated/${uid}.json`, import.meta.url)
      const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { readonly panels: readonly Panel[] }
      return [title, new Set(titles(panels))]
    }),
  )
}

test('every dashboard and panel that a runbook names exists', () => {
  const known = panelTitles()
  const named = groups
    .filter((group) => group.alerts.length > 0)
    .flatMap(({ subject }) => {
      const text = readFileSync(new URL(`../../alerts/runbooks/${subject}.md`, import.meta.url), 'utf8')
      return [...text.matchAll(/^- Dashboard (?<dashboard>[^,\n]+)(?:, panel (?<panel>.*))?$/gm)].map(
        ({ groups: found }) => found!,
      )
    })
  const missing = named.filter(
    ({ dashboard, panel }) => known.get(dashboard)?.has(panel ?? '') !== true && panel !== undefined,
  )
  expect(missing).toStrictEqual([])
  expect(named.filter(({ dashboard }) => !known.has(dashboard))).toStrictEqual([])
  expect(named.length).toBeGreaterThan(90)
})

test('every dashboard that a text names exists', () => {
  const titles = new Set<string>(Object.values(dashboards).map(({ title }) => title))
  const named = alerts.flatMap(({ annotations }) =>
    Array.from(
      annotations.description.matchAll(/the (?<title>[A-Z]\w+) dashboard/gi),
      ({ groups: found }) => found!['title'],
    ),
  )
  expect(named.filter((title) => !titles.has(title))).toStrictEqual([])
  expect(named.length).toBeGreaterThan(10)
})

test('every dashboard_url leads to a dashboard that exists, and sets variables that it has', () => {
  interface Dashboard {
    readonly uid: string
    readonly templating: { readonly list: readonly { readonly name: string }[] }
  }
  const leads = ({ annotations }: (typeof alerts)[number]): boolean => {
    const [path, query = ''] = annotations.dashboard_url.split('?')
    const uid = path.replace('http://127.0.0.1:3000/d/', '')
    const file = new URL(`../../dashboards/generated/${uid}.json`, import.meta.url)
    const dashboard = JSON.parse(readFileSync(file, 'utf8')) as Dashboard
    const variables = new Set(dashboard.templating.list.map(({ name }) => name))
    const set = Array.from(query.matchAll(/var-(?<name>\w+)=/g), ({ groups }) => groups!['name'])
    return dashboard.uid === uid && set.every((name) => variables.has(name))
  }
  expect(unless(leads)).toStrictEqual([])
})

test('no rule and no panel reads a family of a collector that is off by default, as in the stack', () => {
  const off = Object.entries(families)
    .filter(([, { collector }]) => !collectors[collector].byDefault)
    .map(([name]) => name)
  const read = ['alerts', 'dashboards'].flatMap((program) => {
    const folder = new URL(`../../${program}/generated/`, import.meta.url)
    return readdirSync(folder).flatMap((name) => {
      const words = new Set(readFileSync(new URL(name, folder), 'utf8').match(/\bdcsim_\w+/g))
      return off.filter((family) => words.has(family)).map((family) => `${name}: ${family}`)
    })
  })
  expect(off).toContain('dcsim_port_up')
  expect(read).toStrictEqual([])
})
