import { lifecycles, tiers } from '../../src/contract/vocabularies.ts'
import {
  by,
  calculate,
  calculateEach,
  compare,
  either,
  filter,
  increase,
  metric,
  overTime,
  recorded,
  targetLabels,
  withLabels,
} from '../promql.ts'
import type { Expr, TargetLabel } from '../promql.ts'
import { alertDefiner, recordAveraged } from '../rule.ts'
import type { Alert, DefineAlert, Recording, RuleGroup } from '../rule.ts'
import { scaleRange } from '../settings.ts'
import type { Settings } from '../settings.ts'
import { availabilityPromised, lateShareAllowed } from '../thresholds.ts'
import {
  duration,
  fallPercent,
  foundDuration,
  foundPercent,
  inWords,
  looked,
  oneDecimal,
  percent,
} from '../annotation-text.ts'
import { lifecycleWords } from '../../src/words/vocabulary.ts'
import { targetSelector, targetValues } from '../identity.ts'
import { windows } from './clock.ts'
import { promises } from './promises.ts'

const subject = 'sla'
const day = 86_400
const slaPeriodDays = 30

/** Wall seconds at the design speed: an alert needs both the long window and the short, which ends it soon. */
const burnWindows = { fast_short: 60, fast_long: 120, slow_short: 300, slow_long: 1800 } as const
type BurnWindow = keyof typeof burnWindows

type TierLabel = 'tier' | TargetLabel
const burnRate = (window: BurnWindow): Expr<TierLabel> =>
  recorded(`tier:dcsim_sla_budget:burn_rate_${window}`)

/** Times the failures that the plan of a tier allows. */
function burnRates(settings: Settings): Recording[] {
  return (Object.keys(burnWindows) as BurnWindow[]).map((window) => {
    const within = scaleRange(settings, burnWindows[window])
    const burnt = tiers.map((tier) => {
      const failed = by('sum', increase('dcsim_customer_failed_requests_total', within, { tier }), ['tier'])
      const all = by('sum', increase('dcsim_customer_requests_total', within, { tier }), ['tier'])
      const allowed = Number((1 - availabilityPromised[tier]).toFixed(6))
      return calculate(calculate(failed, '/', all), '/', allowed)
    })
    return recordAveraged(settings, burnRate(window).text, either(burnt[0], ...burnt.slice(1)))
  })
}

const satisfactionChange = recorded<'customer' | TierLabel>(
  'customer:dcsim_customer_satisfaction:change_per_day',
)
const creditsShare = recorded<TargetLabel>('world:dcsim_sla_credits:share_of_revenue')

function recordings(settings: Settings): Recording[] {
  const long = scaleRange(settings, windows.long)
  const change = calculateEach(
    overTime('deriv', 'dcsim_customer_satisfaction_ratio', long),
    '/',
    overTime('deriv', 'dcsim_sim_time_seconds', long),
  )
  const credits = by('sum', increase('dcsim_customer_sla_credits_dollars_total', long))
  const revenue = by('sum', increase('dcsim_customer_revenue_dollars_total', long))
  return [
    ...burnRates(settings),
    recordAveraged(settings, satisfactionChange.text, calculate(change, '*', day)),
    recordAveraged(settings, creditsShare.text, calculate(credits, '/', revenue)),
  ]
}

/** The three customers of a tier whose users fail most now. */
const worstOff =
  ' Most failures in the last hour of the game:{{ range query (printf "topk(3, dcsim_customer_failed_requests_last_hour' +
  `{${targetSelector}, tier=%q} * on (${targetLabels.join(', ')}, customer) group_left (name) dcsim_customer_info)` +
  ` > 0" ${targetValues} $labels.tier) }} {{ . | label "name" }} ({{ . | value | humanize }}){{ end }}.`

function burning(make: DefineAlert, settings: Settings): Alert[] {
  const { burnRateFast, burnRateSlow } = settings.thresholds
  const both = (long: BurnWindow, short: BurnWindow, limit: number): Expr<TierLabel> =>
    filter(compare(burnRate(long), '>', limit), 'and', compare(burnRate(short), '>', limit), ['tier'])
  const opens = ['instance', 'tier'] as const
  const description = `Requests of {tier} customers fail at ${oneDecimal} times the rate that their plan allows.${worstOff} See which incident they share.`
  return [
    make('DcsimSlaBudgetBurnsFast', {
      severity: 'critical',
      expr: both('fast_long', 'fast_short', burnRateFast),
      lingers: 60,
      summary: `Requests of {tier} customers fail at ${oneDecimal} times the allowed rate: the SLA budget lasts two game days`,
      description,
      dashboard: 'customers',
      opens,
    }),
    make('DcsimSlaBudgetBurnsSlowly', {
      severity: 'warning',
      expr: both('slow_long', 'slow_short', burnRateSlow),
      lingers: 60,
      summary: `Requests of {tier} customers fail at ${oneDecimal} times the allowed rate: the SLA budget will not last`,
      description,
      dashboard: 'customers',
      opens,
    }),
  ]
}

const named = <L extends 'customer' | TargetLabel>(expr: Expr<L | 'customer' | TargetLabel>) =>
  withLabels(expr, 'dcsim_customer_info', ['customer'], ['name'])

function lateness(make: DefineAlert, settings: Settings): Alert[] {
  const { lateShareOfAllowance } = settings.thresholds
  const over = tiers.map((tier) => {
    const allowed = lateShareAllowed[tier] * slaPeriodDays * day
    const used = metric('dcsim_customer_sla_period_over_latency_seconds', { tier })
    return compare(calculate(used, '/', allowed), '>', lateShareOfAllowance)
  })
  const late = compare(metric('dcsim_customer_latency_spike'), '==', 1)
  const latency = metric('dcsim_customer_latency_p99_seconds')
  return [
    make('DcsimSlaLatencyAllowanceUsed', {
      severity: 'info',
      expr: named(either(over[0], ...over.slice(1))),
      subject: '{name}',
      summary: `{name} ({tier}) has used ${percent} of its latency allowance`,
      description:
        `{name} ({tier}) had slow answers for ${percent} of the time that its plan allows in a period.` +
        ' Over 100% it is owed credits: see on its dashboard what its latency is made of.',
      dashboard: 'customer',
      opens: ['instance', 'customer'],
    }),
    make('DcsimCustomerLatencyOverPromise', {
      severity: 'info',
      expr: named(filter(latency, 'and', late, ['customer'])),
      holds: 60,
      key: ['customer'],
      lingers: 60,
      subject: '{name}',
      summary: `{name} ({tier}) is slow: p99 latency ${duration}`,
      description:
        `The p99 latency of {name} ({tier}) is ${duration}.` +
        looked('dcsim_customer_latency_p99_budget_seconds', ['customer'], ` Promised: ${foundDuration}.`) +
        ' See on its dashboard whether hosts are contended or links full.',
      dashboard: 'customer',
      opens: ['instance', 'customer'],
    }),
  ]
}

function contentment(make: DefineAlert, settings: Settings): Alert[] {
  const { satisfactionFallPerDay, satisfactionUneasy, creditsDailyShare } = settings.thresholds
  const uneasy = compare(metric('dcsim_customer_satisfaction_ratio'), '<', satisfactionUneasy)
  const falling = compare(satisfactionChange, '<', -satisfactionFallPerDay)
  // Some leave content, for reasons of their own: nothing is to be done about these.
  const inState = (lifecycle: 'Probation' | 'Leaving') =>
    by('max', metric('dcsim_customer_info', { lifecycle }), ['customer', 'name', 'tier', 'lifecycle'])
  const leaving = either(inState('Probation'), filter(inState('Leaving'), 'and', uneasy, ['customer']))
  return [
    make('DcsimCustomerSatisfactionSlides', {
      severity: 'info',
      expr: named(filter(falling, 'and', uneasy, ['customer'])),
      holds: 60,
      key: ['customer'],
      lingers: 60,
      subject: '{name}',
      summary: `Satisfaction of {name} ({tier}) falls by ${fallPercent} a game day`,
      description:
        `The satisfaction of {name} ({tier}) falls by ${fallPercent} in a day of the game.` +
        looked('dcsim_customer_satisfaction_ratio', ['customer'], ` It is at ${foundPercent}.`) +
        ' See what fails it: requests, latency, redundancy or capacity.',
      dashboard: 'customer',
      opens: ['instance', 'customer'],
    }),
    make('DcsimCustomerAboutToLeave', {
      severity: 'warning',
      expr: compare(leaving, '==', 1),
      key: ['customer'],
      subject: '{name}',
      summary: `{name} ({tier}) is ${inWords('lifecycle', lifecycles, lifecycleWords)}`,
      description:
        `{name} ({tier}) is ${inWords('lifecycle', lifecycles, lifecycleWords)}: after probation comes notice, then it` +
        ' is gone.' +
        looked('dcsim_customer_satisfaction_ratio', ['customer'], ` Its satisfaction is ${foundPercent}.`) +
        ' End what fails it now; its dashboard shows since when.',
      dashboard: 'customer',
      opens: ['instance', 'customer'],
    }),
    make('DcsimSlaCreditsHigh', {
      severity: 'warning',
      expr: compare(creditsShare, '>', creditsDailyShare),
      lingers: 60,
      summary: `SLA credits take ${percent} of the revenue`,
      description:
        `Credits paid lately in {world} come to ${percent} of the revenue of the same time. See on Customers whose SLA` +
        ' is broken, and by what.',
      dashboard: 'business',
      opens: ['instance'],
    }),
  ]
}

export function slaRules(settings: Settings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return {
    subject,
    recordings: recordings(settings),
    alerts: [
      ...burning(make, settings),
      ...lateness(make, settings),
      ...contentment(make, settings),
      ...promises(make),
    ],
  }
}
