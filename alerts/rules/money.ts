import { by, compare, metric, withLabels } from '../promql.ts'
import { alertDefiner } from '../rule.ts'
import type { RuleGroup } from '../rule.ts'
import type { Settings } from '../settings.ts'
import { dollars } from '../annotation-text.ts'

const subject = 'money'

export function moneyRules(settings: Settings): RuleGroup {
  const make = alertDefiner(settings, subject)
  const margin = metric('dcsim_customer_margin_dollars')
  return {
    subject,
    recordings: [],
    alerts: [
      make('DcsimCompanyLosesMoney', {
        severity: 'warning',
        expr: compare(by('sum', margin), '<', 0),
        holds: 120,
        summary: 'Customers cost more than they bring.',
        description: `All customers of {instance} together made ${dollars} in the last 30 days of the game.`,
        dashboard: 'business',
        opens: ['instance'],
      }),
      make('DcsimCustomerLosesMoney', {
        severity: 'info',
        expr: withLabels(compare(margin, '<', 0), 'dcsim_customer_info', ['customer'], ['name']),
        holds: 300,
        key: ['customer'],
        summary: 'A customer costs more than it brings.',
        description: `{name} ({tier}) made ${dollars} in the last 30 days of the game.`,
        dashboard: 'customer',
        opens: ['instance', 'customer'],
      }),
    ],
  }
}
