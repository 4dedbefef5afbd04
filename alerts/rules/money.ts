import { by, calculateEach, compare, metric, withLabels } from '../../promql/expressions.ts'
import { alertDefiner } from '../rule.ts'
import type { RuleGroup } from '../rule.ts'
import type { AlertSettings } from '../settings.ts'
import { dollars, valueAsDuration, foundDollars, inWords, lookup } from '../annotation-text.ts'
import { fitRecommendations } from '../../src/contract/vocabularies.ts'
import { recommendationWords } from '../../src/words/vocabulary.ts'

const subject = 'money'

export function moneyRules(settings: AlertSettings): RuleGroup {
  const make = alertDefiner(settings, subject)
  const margin = metric('dcsim_customer_margin_dollars')
  const left = calculateEach(
    metric('dcsim_prospect_expires_sim_timestamp_seconds'),
    '-',
    metric('dcsim_sim_time_seconds'),
  )
  const soon = compare(compare(left, '<', settings.thresholds.prospectExpiresHours * 3600), '>', 0)
  return {
    subject,
    recordings: [],
    alerts: [
      make('DcsimCompanyLosesMoney', {
        severity: 'warning',
        expr: compare(by('sum', margin), '<', 0),
        forSeconds: 120,
        keepFiringSeconds: 120,
        summary: `Customers cost more than they pay: margin ${dollars} in 30 simulated days`,
        description:
          'All customers of {world} together have a negative margin.' +
          ' The Money dashboard shows which of them lose most.',
        dashboard: 'business',
        opens: ['instance'],
      }),
      make('DcsimCustomerLosesMoney', {
        severity: 'info',
        expr: withLabels(compare(margin, '<', 0), metric('dcsim_customer_info'), ['customer'], ['name']),
        forSeconds: 300,
        keepFiringSeconds: 120,
        key: ['customer'],
        subject: '{name}',
        summary: `{name} ({tier}) costs more than it pays: margin ${dollars} in 30 simulated days`,
        description: 'The dashboard of {name} shows what costs most: hosts, transit or credits.',
        dashboard: 'customer',
        opens: ['instance', 'customer'],
      }),
      make('DcsimProspectExpiresSoon', {
        severity: 'info',
        expr: withLabels(soon, metric('dcsim_prospect_info'), ['prospect'], ['name', 'recommendation']),
        key: ['prospect'],
        subject: '{name}',
        summary: `Prospect {name} ({tier}) leaves in ${valueAsDuration} of simulated time`,
        description:
          `{name} waits for an offer.` +
          lookup(
            'dcsim_prospect_revenue_dollars_per_month',
            ['prospect'],
            ` It would pay ${foundDollars} a month.`,
          ) +
          ` Recommendation: ${inWords('recommendation', fitRecommendations, recommendationWords)}.`,
        dashboard: 'business',
        opens: ['instance'],
      }),
    ],
  }
}
