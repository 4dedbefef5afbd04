import { calculate, calculateEach, compare, filter, metric } from '../promql.ts'
import { alertDefiner } from '../rule.ts'
import type { RuleGroup } from '../rule.ts'
import type { Settings } from '../settings.ts'
import { agreeing, counted, duration, inWords } from '../annotation-text.ts'
import { blockings, workActors, workOrderKinds } from '../../src/contract/vocabularies.ts'
import { actorWords, blockingWords, workKindWords } from '../../src/words/vocabulary.ts'

const subject = 'work'
const waitsFor = inWords('blocking', blockings, blockingWords)
const kindOf = inWords('kind', workOrderKinds, workKindWords)

export function workRules(settings: Settings): RuleGroup {
  const make = alertDefiner(settings, subject)
  const { workBlockedOrders, workOrderOldHours } = settings.thresholds
  const since = calculateEach(
    metric('dcsim_work_order_started_seconds'),
    '-',
    metric('dcsim_sim_time_seconds'),
  )
  const old = compare(calculate(since, '*', -1), '>', workOrderOldHours * 3600)
  return {
    subject,
    recordings: [],
    alerts: [
      make('DcsimWorkBlocked', {
        severity: 'info',
        expr: compare(metric('dcsim_work_orders_blocked'), '>=', workBlockedOrders),
        holds: 300,
        key: ['blocking'],
        summary: `${counted('work order')} ${agreeing('waits', 'wait')} for ${waitsFor}`,
        description:
          `In {world}, ${counted('work order')} ${agreeing('waits', 'wait')} for ${waitsFor}.` +
          ' The table /tables/work names them; those of grave incidents come first.',
        dashboard: 'business',
        opens: ['instance'],
      }),
      make('DcsimWorkOrderStuck', {
        severity: 'info',
        expr: filter(old, 'and', compare(metric('dcsim_work_order_progress_ratio'), '<', 1), ['work_order']),
        holds: 60,
        key: ['work_order'],
        subject: 'Work order {work_order}',
        summary: `Work order {work_order} (${kindOf}) has taken ${duration} of game time`,
        description:
          `Work order {work_order} (${kindOf}, by ${inWords('actor', workActors, actorWords)}) was begun ${duration} of` +
          ' game time ago and is not done. The table /tables/work shows its steps and what it waits for.',
        dashboard: 'incidents',
        opens: ['instance'],
      }),
    ],
  }
}
