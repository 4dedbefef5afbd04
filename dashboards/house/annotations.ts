import { AnnotationQueryBuilder } from '@grafana/grafana-foundation-sdk/dashboard'
import type { TargetLabel } from '../../alerts/promql.ts'
import { by, compare, increaseOver, isNot } from '../promql.ts'
import type { Expr } from '../promql.ts'
import { colours } from './look.ts'
import { prometheus } from './variables.ts'

/** Counters are looked at in steps of this length. */
const step = '1m'

interface Mark {
  readonly name: string
  readonly colour: string
  readonly text: string
  readonly shown: boolean
  readonly expr: Expr<TargetLabel>
}

const happened = <L extends string>(counted: Expr<L>): Expr<L> => compare(counted, '>', 0)

const marks: readonly Mark[] = [
  {
    name: 'Incidents opened',
    colour: colours.vermilion,
    text: 'Opened: {{band}}',
    shown: true,
    expr: happened(
      by('sum', increaseOver('dcsim_incidents_opened_total', { band: isNot('Watch') }, step), ['band']),
    ),
  },
  {
    name: 'Incidents resolved',
    colour: colours.green,
    text: 'Resolved: {{band}}',
    shown: false,
    expr: happened(by('sum', increaseOver('dcsim_incidents_resolved_total', {}, step), ['band'])),
  },
  {
    name: 'Attacks',
    colour: colours.purple,
    text: 'An attack began',
    shown: true,
    expr: happened(by('sum', increaseOver('dcsim_events_total', { kind: 'AttackStarted' }, step))),
  },
  {
    name: 'Quests done',
    colour: colours.blue,
    text: 'A quest is done',
    shown: false,
    expr: happened(by('sum', increaseOver('dcsim_events_total', { kind: 'QuestDone' }, step))),
  },
]

/** What happened, as marks on every graph. Each can be switched on and off above the dashboard. */
export const annotations = () =>
  marks.map(({ name, colour, text, shown, expr }) =>
    new AnnotationQueryBuilder()
      .name(name)
      .datasource(prometheus)
      .enable(shown)
      .iconColor(colour)
      .expr(expr.text)
      .step(step)
      .titleFormat(text)
      .textFormat('{{instance}}'),
  )
