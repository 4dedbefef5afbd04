import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { ruleGroups } from '../../alerts/catalog.ts'
import { anyOf, recorded } from '../../promql/expressions.ts'
import type { Expr, Matcher } from '../../promql/expressions.ts'
import { targetLabels } from '../../promql/metrics.ts'
import { selected } from '../queries/series.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { link, preservedQueryParams } from '../layout/links.ts'
import { palette, plainText, unit } from '../style/look.ts'
import { texts } from '../style/states.ts'
import { table } from '../visualizations/tables.ts'
import { alertWords } from '../style/words.ts'

/** Labels in which alerts name their subject. */
const subjectLabels = [
  'name',
  'display_name',
  '_incident',
  'a_name',
  'b_name',
  '_tier',
  'class',
  'reason',
] as const

/** The dashboard variable that a label selects. */
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

const alerts = ruleGroups(defaultSettings).flatMap((group) => group.alerts)

/** The dashboard of each alert, as in its rule. */
function pages(expr: string): string {
  const pageOf = (url: string): string => /\/d\/(dcsim-[a-z]+)/.exec(url)![1]
  const byPage = Map.groupBy(alerts, ({ annotations }) => pageOf(annotations.dashboard_url))
  return [...byPage].reduce(
    (text, [page, ofPage]) =>
      replaced(text, 'page', page, 'alertname', ofPage.map(({ alert }) => alert).join('|')),
    expr,
  )
}

/** The query string of the link to a dashboard. */
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

/** The labels of a group: alerts of one name and target. */
const groupLabels = [...targetLabels, 'alertname', 'rank'] as const

interface AlertsShown {
  readonly title?: string
  readonly empty?: string
  /** A sentence of the description. */
  readonly note?: string
  /** Matchers for the displayed alerts. */
  readonly where?: Readonly<Record<string, string | Matcher>>
  /** One row for all alerts of a name, with their number. */
  readonly grouped?: boolean
}

/** Notified severities in ascending order. Alerts of other severities only inhibit. */
const severities = ['info', 'warning', 'critical'] as const
const forPeople = { severity: anyOf([...severities]) }

/** Replaces a severity by its rank, which sorts. */
const ranked = (expr: string): string =>
  severities.reduce(
    (text, severity, at) => replaced(text, 'rank', String(at + 1), 'severity', severity),
    expr,
  )

const firingNow = (where: AlertsShown['where']): string =>
  ranked(recorded<string>('ALERTS', { ...selected, ...forPeople, ...where, alertstate: 'firing' }).text)

/** A plan without a customer is displayed as such, otherwise in parentheses after the customer's name. */
function withPlan(expr: string): string {
  const alone = replaced(joined(expr, '_tier', ',', ['name', 'tier']), '_tier', '$1', '_tier', ',(.*)')
  return replaced(replaced(alone, '_tier', '', '_tier', '.+,'), '_tier', '($1)', '_tier', '.+,(.+)')
}

/** The time since each firing alert became pending, with the labels for its row and its link. */
function firing(where: AlertsShown['where'], grouped: boolean): Expr<'alertname'> {
  const began = ranked(recorded<string>('ALERTS_FOR_STATE', { ...selected, ...forPeople, ...where }).text)
  const since = `(time() - ${began}) and ignoring (alertstate) ${firingNow(where)}`
  if (grouped) {
    const each = groupLabels.join(', ')
    const longest = `max by (${each}, page) (${pages(since)})`
    const number = `max by (${each}, alerts) (count_values by (${each}) ("alerts", count by (${each}) (${firingNow(where)})))`
    const text = `max by (${each}, page, alerts) (${longest} * on (${each}) group_left (alerts) ${number})`
    return { text, simple: true }
  }
  const incident = replaced(since, '_incident', 'incident $1', 'incident', '(.+)')
  const about = replaced(
    joined(withPlan(incident), 'about', ' ', subjectLabels),
    'about',
    '$1',
    'about',
    ' *(.*?) *',
  )
  const kept = [...groupLabels, 'about', 'page', 'opens'].join(', ')
  return { text: `max by (${kept}) (${opened(pages(about))})`, simple: true }
}

const severityTexts = texts({
  1: ['info', 'transparent'],
  2: ['warning', palette.orange],
  3: ['critical', palette.vermilion],
})

/** The name of each alert in words. Alerts that an installation adds keep their names. */
const alertTexts = texts(
  Object.fromEntries(alerts.map(({ alert }) => [alert, [alertWords(alert), plainText] as const])),
)

/** Alerts of the selected session that fire now. A click opens the dashboard that explains an alert. */
export function firingAlerts({
  title = 'Firing alerts',
  empty,
  note = 'One about an incident ends some minutes after it. ',
  where,
  grouped = false,
}: AlertsShown = {}): Panel {
  const opens = grouped ? '' : '${__data.fields.opens}'
  const page = `/d/\${__data.fields.page}?${preservedQueryParams}&var-instance=\${__data.fields.instance}${opens}`
  return table({
    title,
    description: `Alerts that fire now, by the rules of the bundle. ${note}Times are real, not simulated.`,
    empty: empty ?? 'No alert fires. (Or the rules are not loaded into Prometheus.)',
    labels: [
      { label: 'rank', title: 'Severity', mappings: severityTexts, filled: true, width: 76 },
      {
        label: 'alertname',
        title: 'Alert',
        ...(grouped ? {} : { width: 208 }),
        mappings: alertTexts,
        links: [link('Open the dashboard that explains it', page)],
      },
      ...(grouped
        ? [{ label: 'alerts', title: 'Alerts', width: 65 }]
        : [
            { label: 'about', title: 'About' },
            { label: 'opens', title: 'Opens', hidden: true },
          ]),
      { label: 'page', title: 'Page', hidden: true },
    ],
    // A single query: of several without a row, older versions show the titles and no text.
    values: [{ expr: firing(where, grouped), title: 'For', unit: unit.duration, width: 66, decimals: 0 }],
    sortBy: 'Severity',
  })
}
