import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { ruleGroups } from '../../alerts/catalogue.ts'
import { recorded, targetLabels } from '../../alerts/promql.ts'
import type { Matcher } from '../../alerts/promql.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { selected } from '../promql.ts'
import type { Expr } from '../promql.ts'
import { link, preservedQueryParams } from './links.ts'
import { colours, units } from './look.ts'
import { texts } from './states.ts'
import { table } from './tables.ts'

/** Labels by which alerts name what they are about. */
const subjectLabels = [
  'name',
  'display_name',
  '_incident',
  'a_name',
  'b_name',
  'tier',
  'class',
  'reason',
] as const

/** Which variable of a dashboard a label chooses. */
const variablesOf = {
  az: 'zone',
  pool: 'pool',
  host: 'host',
  customer: 'customer',
  tier: 'tier',
  incident: 'incident',
}

const replaced = (expr: string, to: string, value: string, from: string, pattern: string): string =>
  `label_replace(${expr}, "${to}", "${value}", "${from}", "${pattern}")`

const joined = (expr: string, to: string, separator: string, labels: readonly string[]): string =>
  `label_join(${expr}, "${to}", "${separator}", ${labels.map((label) => `"${label}"`).join(', ')})`

/** The dashboard of each alert, as its rule has it. */
function pages(expr: string): string {
  const alerts = ruleGroups(defaultSettings).flatMap((group) => group.alerts)
  const pageOf = (url: string): string => /\/d\/(dcsim-[a-z]+)/.exec(url)![1]
  const byPage = Map.groupBy(alerts, ({ annotations }) => pageOf(annotations.dashboard_url))
  return [...byPage].reduce(
    (text, [page, ofPage]) =>
      replaced(text, 'page', page, 'alertname', ofPage.map(({ alert }) => alert).join('|')),
    expr,
  )
}

/** What the page is opened with, as a part of its address. */
function opened(expr: string): string {
  const parts = Object.entries(variablesOf)
  const each = parts.reduce(
    (text, [label, variable]) => replaced(text, `_${label}`, `&var-${variable}=$1`, label, '(.+)'),
    expr,
  )
  return joined(
    each,
    'opens',
    '',
    parts.map(([label]) => `_${label}`),
  )
}

/** The name of an alert in words: `DcsimLinkDown` becomes `Link Down`. */
const inWords = (expr: string): string =>
  replaced(expr, 'alert', '$1 $2 $3 $4 $5', 'alertname', `Dcsim([A-Z][a-z]+)${'([A-Z][a-z]*)?'.repeat(4)}`)

/** Alerts of one name, of one target. */
const named = [...targetLabels, 'alertname'] as const

export interface AlertsShown {
  readonly title?: string
  readonly empty?: string
  /** Labels of the alerts to show. */
  readonly where?: Readonly<Record<string, string | Matcher>>
  /** One row for all alerts of a name, with their number. */
  readonly grouped?: boolean
}

const firingNow = (where: AlertsShown['where']): Expr<string> =>
  recorded<string>('ALERTS', { ...selected, ...where, alertstate: 'firing' })

/** How long each firing alert has been pending or firing, with what its row shows and where it leads. */
function firing(where: AlertsShown['where'], grouped: boolean): Expr<'alertname'> {
  const began = recorded<string>('ALERTS_FOR_STATE', { ...selected, ...where })
  const since = `(time() - ${began.text}) and ignoring (alertstate) ${firingNow(where).text}`
  if (grouped)
    return {
      text: `max by (${[...named, 'alert', 'page'].join(', ')}) (${inWords(pages(since))})`,
      simple: true,
    }
  const incident = replaced(since, '_incident', 'incident $1', 'incident', '(.+)')
  const about = replaced(joined(incident, 'about', ' ', subjectLabels), 'about', '$1', 'about', ' *(.*?) *')
  const kept = [...named, 'alert', 'about', 'page', 'opens'].join(', ')
  return { text: `max by (${kept}) (${inWords(opened(pages(about)))})`, simple: true }
}

/** Which severity an alert of that name has, as a number that sorts. */
function severityRank(where: AlertsShown['where']): Expr<'alertname'> {
  const ranked = ['info', 'warning', 'critical'].map(
    (severity, at) => `${at + 1} * ${firingNow({ ...where, severity }).text}`,
  )
  return { text: `max by (${named.join(', ')}) (${ranked.join(' or ')})`, simple: true }
}

const severities = texts({
  1: ['info', colours.sky],
  2: ['warning', colours.orange],
  3: ['critical', colours.vermilion],
})

/** Alerts that fire now, of the chosen session. A click opens the dashboard that explains them. */
export function firingAlerts({
  title = 'Firing alerts',
  empty,
  where,
  grouped = false,
}: AlertsShown = {}): Panel {
  const opens = grouped ? '' : '${__data.fields.opens}'
  const page = `/d/\${__data.fields.page}?${preservedQueryParams}&var-instance=\${__data.fields.instance}${opens}`
  const number = { text: `count by (${named.join(', ')}) (${firingNow(where).text})`, simple: true }
  return table({
    title,
    description: 'Alerts that fire now, by the rules of the bundle. Times are real, not simulated.',
    empty: empty ?? 'No alert fires. (Or the rules are not loaded into Prometheus.)',
    labels: [
      { label: 'alertname', title: 'Name', hidden: true },
      { label: 'alert', title: 'Alert', links: [link('Open the dashboard that explains it', page)] },
      ...(grouped
        ? []
        : [
            { label: 'about', title: 'About' },
            { label: 'opens', title: 'Opens', hidden: true },
          ]),
      { label: 'page', title: 'Page', hidden: true },
    ],
    values: [
      { expr: firing(where, grouped), title: 'For', unit: units.duration, width: 90, decimals: 0 },
      {
        expr: severityRank(where),
        title: 'Severity',
        mappings: severities,
        filled: true,
        width: 80,
        first: true,
      },
      ...(grouped ? [{ expr: number, title: 'Alerts', unit: units.number, width: 60 } as const] : []),
    ],
    sortBy: 'Severity',
  })
}
