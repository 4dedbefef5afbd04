import { AnnotationQueryBuilder } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Band } from '../../src/contract/vocabularies.ts'
import { overTime } from '../../alerts/promql.ts'
import type { TargetLabel } from '../../alerts/promql.ts'
import { by, compare, filter, gauge, increaseOver, restarts, selected, separateWords } from '../promql.ts'
import type { Expr } from '../promql.ts'
import { customerNamed } from '../queries.ts'
import { dashboardPath } from '../uids.ts'
import type { DashboardUid } from '../uids.ts'
import { bandColours, colours } from './look.ts'
import { prometheus } from './variables.ts'

/** Samples closer than this are one region: twice the interval of the stack, so that one failed scrape splits none. */
const step = '30s'

interface Mark {
  readonly name: string
  readonly colour: string
  readonly title: string
  readonly text: string
  readonly expr: Expr<TargetLabel>
  /** The only dashboards whose graphs it explains; all but those about the mirror and months if left out. */
  readonly on?: readonly DashboardUid[]
}

const link = (uid: DashboardUid, variable: 'incident' | 'customer', text: string): string =>
  `<a href="${dashboardPath(uid)}?var-${variable}={{${variable}}}&var-session={{session}}&var-instance={{instance}}">${text}</a>`

/** A scrape that failed, or a band that came back within a minute, makes no region of its own. */
const bridged = (name: 'dcsim_incident_info', where: { band: Band }) =>
  overTime('max_over_time', name, '1m', { ...selected, ...where })

const incidents = (band: Band): Mark => ({
  name: `${band} incidents`,
  colour: bandColours[band],
  title: `${band} incident {{incident}}: {{symptom}}`,
  text: link('dcsim-incident', 'incident', 'Open the incident'),
  expr: by('max', separateWords(bridged('dcsim_incident_info', { band }), 'symptom_kind', 'symptom'), [
    'incident',
    'symptom',
  ]),
})

const attack = gauge('dcsim_customer_attack')

const attacks = (name: string, on: DashboardUid, attacked: typeof attack): Mark => ({
  name,
  colour: colours.purple,
  title: 'Attack on {{name}}',
  text: link('dcsim-customer', 'customer', 'Open the customer'),
  expr: by('max', customerNamed(by('max', attacked, ['customer'])), ['customer', 'name']),
  on: [on],
})

const marks: readonly Mark[] = [
  incidents('Critical'),
  incidents('Major'),
  attacks('Attacks', 'dcsim-security', attack),
  attacks(
    'Attacks on the customer',
    'dcsim-customer',
    gauge('dcsim_customer_attack', { customer: '$customer' }),
  ),
  {
    name: 'Quests done',
    colour: colours.blue,
    title: 'A quest is done',
    text: '',
    expr: compare(by('sum', increaseOver('dcsim_events_total', { kind: 'QuestDone' }, '1m')), '>', 0),
    on: ['dcsim-business'],
  },
  {
    name: 'Another world',
    colour: colours.grey,
    title: 'The world was changed, or began anew',
    text: '',
    expr: by('max', filter(gauge('dcsim_sim_time_seconds'), 'and', restarts('1m'))),
  },
]

/** Graphs of months, and of the mirror itself, are not explained by what happens within minutes in the world. */
const unmarked: ReadonlySet<DashboardUid> = new Set(['dcsim-trends', 'dcsim-mirror'])

const isOn = (uid: DashboardUid, { on }: Mark): boolean =>
  on === undefined ? !unmarked.has(uid) : on.includes(uid)

/** What explains the graphs of a dashboard, as marks and regions on them. Each can be switched off above it. */
export const annotations = (uid: DashboardUid) =>
  marks
    .filter((mark) => isOn(uid, mark))
    .map(({ name, colour, title, text, expr }) =>
      new AnnotationQueryBuilder()
        .name(name)
        .datasource(prometheus)
        .enable(true)
        .iconColor(colour)
        .expr(expr.text)
        .step(step)
        .titleFormat(title)
        .textFormat(text),
    )
