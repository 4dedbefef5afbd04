import {
  by,
  calculate,
  calculateEach,
  compare,
  filter,
  isNot,
  metric,
  noneOf,
  overTime,
} from '../../promql/expressions.ts'
import { alertDefiner } from '../rule.ts'
import type { Alert, DefineAlert, RuleGroup } from '../rule.ts'
import type { AlertSettings } from '../settings.ts'
import { singularOrPlural, valueAsCount, valueAsDuration, inWords } from '../annotation-text.ts'
import { blockings, workActors, workOrderKinds } from '../../src/contract/vocabularies.ts'
import { actorWords, blockingWords, workKindWords } from '../../src/words/vocabulary.ts'

const subject = 'work'
const waitsFor = inWords('blocking', blockings, blockingWords)
/** Wall time for which a completed quest is shown. */
const questShownFor = '5m'
const kindOf = inWords('kind', workOrderKinds, workKindWords)

function questDone(make: DefineAlert): Alert {
  const lately = by(
    'count',
    overTime('count_over_time', 'dcsim_quest_info', questShownFor, { state: isNot('Done') }),
    ['quest'],
  )
  return make('DcsimQuestDone', {
    severity: 'info',
    expr: filter(
      by('max', metric('dcsim_quest_info', { state: 'Done' }), ['quest', 'title', 'reward']),
      'and',
      lately,
      ['quest'],
    ),
    key: ['quest'],
    subject: '{title}',
    summary: 'Quest done: {title}',
    description:
      '{{ with $labels.reward }}Reward: {{ . }}. {{ end }}The Money dashboard of {world} lists the next quests.',
    dashboard: 'business',
    opens: ['instance'],
  })
}

export function workRules(settings: AlertSettings): RuleGroup {
  const make = alertDefiner(settings, subject)
  const { workBlockedOrders, workOrderOldHours } = settings.thresholds
  const since = calculateEach(
    metric('dcsim_work_order_started_sim_timestamp_seconds'),
    '-',
    metric('dcsim_sim_time_seconds'),
  )
  const old = compare(calculate(since, '*', -1), '>', workOrderOldHours * 3600)
  const grave = compare(
    by('sum', metric('dcsim_incidents_active', { band: noneOf(['Watch', 'Minor']) })),
    '>',
    0,
  )
  const withoutTechnician = compare(
    metric('dcsim_work_orders_blocked', { blocking: 'NobodyOnShift' }),
    '>',
    0,
  )
  return {
    subject,
    recordings: [],
    alerts: [
      make('DcsimWorkBlocked', {
        severity: 'info',
        expr: compare(metric('dcsim_work_orders_blocked'), '>=', workBlockedOrders),
        forSeconds: 300,
        key: ['blocking'],
        summary: `${valueAsCount('work order')} ${singularOrPlural('waits', 'wait')} for ${waitsFor}`,
        description:
          'Until then, what they repair in {world} stays broken.' +
          ' The table /tables/work lists them; clear those of grave incidents first.',
        dashboard: 'business',
        opens: ['instance'],
      }),
      make('DcsimNoTechnicianOnShift', {
        severity: 'warning',
        expr: filter(withoutTechnician, 'and', grave),
        forSeconds: 60,
        keepFiringSeconds: 60,
        summary: `${valueAsCount('work order')} ${singularOrPlural('waits', 'wait')} for a technician during a Major or Critical incident`,
        description:
          'No technician on shift in {world} has the skill and is free. Check on the Money dashboard who is on shift,' +
          ' and call in staff.',
        dashboard: 'business',
        opens: ['instance'],
      }),
      questDone(make),
      make('DcsimWorkOrderStuck', {
        severity: 'info',
        expr: filter(old, 'and', compare(metric('dcsim_work_order_progress_ratio'), '<', 1), ['work_order']),
        forSeconds: 60,
        key: ['work_order'],
        subject: 'Work order {work_order}',
        summary: `Work order {work_order} (${kindOf}) has taken ${valueAsDuration} of simulated time`,
        description:
          `Assigned to: ${inWords('actor', workActors, actorWords)}.` +
          ' The table /tables/work shows its steps and what blocks it.',
        dashboard: 'incidents',
        opens: ['instance'],
      }),
    ],
  }
}
