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
const subjectLabels = ['customer_name', 'name', 'device', 'zone', 'tier', 'reason', 'class'] as const

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

export interface AlertsShown {
  readonly title?: string
  readonly empty?: string
  /** Labels of the alerts to show. */
  readonly where?: Readonly<Record<string, string | Matcher>>
}

/** How long each firing alert has been pending or firing, with what its row shows and where it leads. */
export function firing(where: AlertsShown['where'] = {}): Expr<'alertname'> {
  const began = recorded<string>('ALERTS_FOR_STATE', { ...selected, ...where })
  const fires = recorded<string>('ALERTS', { ...selected, ...where, alertstate: 'firing' })
  const since = `(time() - ${began.text}) and ignoring (alertstate) ${fires.text}`
  const about = joined(since, 'about', ' ', subjectLabels)
  const kept = [...targetLabels, 'severity', 'alertname', 'about', 'page', 'opens'].join(', ')
  return { text: `max by (${kept}) (${opened(pages(about))})`, simple: true }
}

const severities = texts({
  critical: ['critical', colours.vermilion],
  warning: ['warning', colours.orange],
  info: ['info', colours.sky],
})

/** Alerts that fire now, of the chosen session. A click opens the dashboard that explains them. */
export const firingAlerts = ({ title = 'Firing alerts', empty, where }: AlertsShown = {}): Panel =>
  table({
    title,
    description: 'Alerts that fire now, by the rules of the bundle. Times are real, not simulated.',
    empty: empty ?? 'No alert fires. (Or the rules are not loaded into Prometheus.)',
    labels: [
      { label: 'severity', title: 'Severity', width: 80, mappings: severities, filled: true },
      {
        label: 'alertname',
        title: 'Alert',
        links: [
          link(
            'Open the dashboard that explains it',
            `/d/\${__data.fields.page}?${preservedQueryParams}&var-instance=\${__data.fields.instance}\${__data.fields.opens}`,
          ),
        ],
      },
      { label: 'about', title: 'About' },
      { label: 'page', title: 'Page', hidden: true },
      { label: 'opens', title: 'Opens', hidden: true },
    ],
    values: [{ expr: firing(where), title: 'For', unit: units.duration, width: 90, decimals: 0 }],
    sortBy: 'For',
    ascending: true,
  })
