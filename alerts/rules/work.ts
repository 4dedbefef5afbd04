import { calculate, calculateEach, compare, filter, metric } from '../promql.ts'
import { alertDefiner } from '../rule.ts'
import type { RuleGroup } from '../rule.ts'
import type { Settings } from '../settings.ts'
import { duration, wholeNumber } from '../annotation-text.ts'

const subject = 'work'

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
        summary: 'Work waits for something.',
        description: `${wholeNumber} work orders of {instance} wait. What they wait for: {blocking}.`,
        dashboard: 'business',
        opens: ['instance'],
      }),
      make('DcsimWorkOrderStuck', {
        severity: 'info',
        expr: filter(old, 'and', compare(metric('dcsim_work_order_progress_ratio'), '<', 1), ['work_order']),
        holds: 60,
        key: ['work_order'],
        summary: 'A work order does not come to its end.',
        description: `Work order {work_order} ({kind}, by {actor}) was begun ${duration} of game time ago.`,
        dashboard: 'incidents',
        opens: ['instance'],
      }),
    ],
  }
}
