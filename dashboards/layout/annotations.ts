import {
  AnnotationPanelFilterBuilder,
  AnnotationQueryBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard'
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { anyOf, by, compare, filter, overTime } from '../../promql/expressions.ts'
import type { Expr, Matcher } from '../../promql/expressions.ts'
import type { TargetLabel } from '../../promql/metrics.ts'
import { gauge, increaseOver, matchesVariable, restarts, selected } from '../queries/series.ts'
import { customerNamed } from '../queries/shared.ts'
import { dashboardPath } from '../uids.ts'
import type { DashboardUid } from '../uids.ts'
import { palette } from '../style/look.ts'
import { prometheus } from './variables.ts'
import type { VariableName } from './variables.ts'

/** Samples closer than this form one region: twice the interval of the stack, so that one failed scrape splits none. */
const step = '30s'

interface Mark {
  readonly name: string
  readonly color: string
  readonly title: string
  readonly text: string
  readonly expr: Expr<TargetLabel>
  /** An annotation of incidents; pages about one entity show only those that concern it. */
  readonly concerned?: boolean
  /** The dashboards with this annotation; by default all but those about the mirror and months. */
  readonly on?: readonly DashboardUid[]
}

const link = (uid: DashboardUid, variables: string, text: string): string =>
  `<a href="${dashboardPath(uid)}?${variables}var-session={{session}}&var-instance={{instance}}">${text}</a>`

/** Bridges a failed scrape, or a band that returns within a minute, so that they do not split a region. */
const overMinute = (where: Readonly<Partial<Record<'band' | 'incident', ReturnType<typeof anyOf>>>>) =>
  overTime('max_over_time', 'dcsim_incident_info', '1m', { ...selected, ...where })

type Scope = 'az' | 'customer' | 'host' | 'subject'

/** The entity of a page, and the variable that selects it: incidents of other entities explain nothing there. */
const scopes: Readonly<Partial<Record<DashboardUid, readonly [label: Scope, variable: VariableName]>>> = {
  'dcsim-customer': ['customer', 'customer'],
  'dcsim-device': ['subject', 'device'],
  'dcsim-host': ['host', 'host'],
  'dcsim-power': ['az', 'zone'],
}

/** The same incidents, restricted to those that concern the page's entity. */
function concerning(uid: DashboardUid, expr: Expr<TargetLabel | 'incident'>): Expr<TargetLabel> {
  const scope = scopes[uid]
  if (scope === undefined) return expr
  const [label, variable] = scope
  const where = { ...selected, [label]: matchesVariable(variable) }
  return filter(expr, 'and', overTime('max_over_time', 'dcsim_incident_scope_info', '1m', where), [
    'incident',
  ])
}

/** One region for each contiguous time with such an incident: a mark for each incident would hide the graph. */
const graveIncidents: Mark = {
  name: 'Major and Critical incidents',
  color: palette.orange,
  title: 'Major or Critical incidents were active',
  text: link('dcsim-incidents', '', 'Open the incidents'),
  expr: overMinute({ band: anyOf(['Major', 'Critical']) }),
  concerned: true,
}

const attacks = (name: string, on: DashboardUid, customer: string | Matcher): Mark => ({
  name,
  color: palette.purple,
  title: 'Attack on {{name}}',
  text: link('dcsim-customer', 'var-customer={{customer}}&', 'Open the customer'),
  expr: by(
    'max',
    customerNamed(by('max', gauge('dcsim_customer_attack_info', { customer }), ['customer']), { customer }),
    ['customer', 'name'],
  ),
  on: [on],
})

const marks: readonly Mark[] = [
  graveIncidents,
  attacks('Attacks', 'dcsim-security', matchesVariable('attacked')),
  attacks('Attacks on the customer', 'dcsim-customer', '$customer'),
  {
    name: 'This incident',
    color: palette.orange,
    title: 'Incident {{incident}}: {{symptom}}, {{subject}}',
    text: '',
    expr: by('max', overMinute({ incident: matchesVariable('incident') }), [
      'incident',
      'symptom',
      'subject',
    ]),
    on: ['dcsim-incident'],
  },
  {
    name: 'Quests done',
    color: palette.blue,
    title: 'A quest is done',
    text: '',
    expr: compare(by('sum', increaseOver('dcsim_events_total', { kind: 'QuestDone' }, '1m')), '>', 0),
    on: ['dcsim-business'],
  },
  {
    name: 'Another world',
    color: palette.gray,
    title: 'The world was changed or restarted',
    text: '',
    expr: by('max', filter(gauge('dcsim_sim_time_seconds'), 'and', restarts('1m'))),
  },
]

/**
 * Graphs over months and graphs of the mirror itself are not explained by incidents that last minutes; those of one
 * incident show that incident only.
 */
const unmarked: ReadonlySet<DashboardUid> = new Set(['dcsim-trends', 'dcsim-mirror', 'dcsim-incident'])

const isOn = (uid: DashboardUid, { on }: Mark): boolean =>
  on === undefined ? !unmarked.has(uid) : on.includes(uid)

/** A graph of incidents itself already shows these annotations. */
const exceptIncidents = (panels: readonly Panel[]) => {
  const ids = panels.flatMap(({ id, type, title }) =>
    type === 'timeseries' && title === 'Incidents' ? [id!] : [],
  )
  return ids.length === 0 ? null : new AnnotationPanelFilterBuilder().exclude(true).ids(ids)
}

/**
 * The annotations of a dashboard, as marks and regions on its graphs. Grafana 13 converts dashboards, and loses that their
 * switches belong into the menu of controls: shown, they would take a row of a laptop's screen.
 */
export const annotations = (uid: DashboardUid, panels: readonly Panel[]) =>
  marks
    .filter((mark) => isOn(uid, mark))
    .map(({ name, color, title, text, expr, concerned }) => {
      const query = new AnnotationQueryBuilder()
        .name(name)
        .datasource(prometheus)
        .enable(true)
        .hide(true)
        .iconColor(color)
        .expr(
          concerned === true
            ? by('max', concerning(uid, expr as Expr<TargetLabel | 'incident'>)).text
            : expr.text,
        )
        .step(step)
        .titleFormat(title)
        .textFormat(text)
      const filter = concerned === true ? exceptIncidents(panels) : null
      return filter === null ? query : query.filter(filter)
    })
