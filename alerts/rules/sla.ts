import { slaPeriodDays } from '../../src/contract/sla.ts'
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
  withLabels,
} from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import { targetLabels } from '../../promql/metrics.ts'
import type { TargetLabel } from '../../promql/metrics.ts'
import { alertDefiner, recordAveraged } from '../rule.ts'
import type { Alert, DefineAlert, Recording, RuleGroup } from '../rule.ts'
import { designSpeed, scaleRange, windowName } from '../settings.ts'
import type { AlertSettings } from '../settings.ts'
import { availabilityPromised, lateShareAllowed } from '../plan-terms.ts'
import {
  countOf,
  exhaustion,
  valueAsDuration,
  fallPercent,
  foundDuration,
  foundPercent,
  inWords,
  lookup,
  oneDecimal,
  valueAsPercent,
} from '../annotation-text.ts'
import { lifecycleWords } from '../../src/words/vocabulary.ts'
import { targetSelector, targetValues } from '../identity.ts'
import { windows } from './clock.ts'
import { customerSla } from './customer-sla.ts'

const subject = 'sla'
const day = 86_400

/** Wall seconds at the design speed: an alert needs both the long and the short window; the short one ends it soon. */
const burnWindows = { fast_short: 60, fast_long: 120, slow_short: 300, slow_long: 1800 } as const
type BurnWindow = keyof typeof burnWindows

const hoursOf = (window: BurnWindow): number => (burnWindows[window] * designSpeed) / 3600

type TierLabel = 'tier' | TargetLabel
export const burnRateName = (window: BurnWindow): string =>
  `tier:dcsim_customer_failed_requests:burn_rate_${windowName(burnWindows[window])}`
const burnRate = (window: BurnWindow): Expr<TierLabel> => recorded(burnRateName(window))

/** The error budget burn rate by tier. */
function burnRates(settings: AlertSettings): Recording[] {
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
  `customer:dcsim_customer_satisfaction_ratio:deriv_${windowName(windows.long)}`,
)
const creditsShare = recorded<TargetLabel>(
  `world:dcsim_customer_sla_credits_dollars:ratio_increase_${windowName(windows.long)}`,
)

function recordings(settings: AlertSettings): Recording[] {
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
    recordAveraged(settings, satisfactionChange.text, change),
    recordAveraged(settings, creditsShare.text, calculate(credits, '/', revenue)),
  ]
}

/** The three customers of a tier with the most failed requests in the last hour; empty without failures. */
const worstOff =
  '{{ with query (printf "topk(3, dcsim_customer_failed_requests_last_hour' +
  `{${targetSelector}, tier=%q} * on (${targetLabels.join(', ')}, customer) group_left (name) dcsim_customer_info > 0)"` +
  ` ${targetValues} $labels.tier) }} Most failed requests in the last simulated hour:` +
  `{{ range $at, $worst := . }}{{ if $at }},{{ end }} {{ $worst | label "name" }} (${countOf('$worst', 'request')})` +
  '{{ end }}.{{ end }}'

function burning(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { burnRateFast, burnRateSlow } = settings.thresholds
  const both = (long: BurnWindow, short: BurnWindow, limit: number): Expr<TierLabel> =>
    filter(compare(burnRate(long), '>', limit), 'and', compare(burnRate(short), '>', limit), ['tier'])
  const opens = ['instance', 'tier'] as const
  const failing = (long: BurnWindow): string =>
    `Over ${hoursOf(long)} simulated hours, requests of {tier} customers fail at ${oneDecimal} times the rate that the SLA allows`
  const description =
    `At this rate, a whole SLA budget of {tier} customers lasts ${exhaustion} of simulated time.${worstOff}` +
    ' Check which incident affects them.'
  return [
    make('DcsimSlaBudgetBurnsFast', {
      // Has the severity of its incident, which pages if it is Critical.
      severity: 'warning',
      expr: both('fast_long', 'fast_short', burnRateFast),
      keepFiringSeconds: 60,
      summary: failing('fast_long'),
      description,
      dashboard: 'sla',
      opens,
    }),
    make('DcsimSlaBudgetBurnsSlowly', {
      severity: 'warning',
      expr: both('slow_long', 'slow_short', burnRateSlow),
      keepFiringSeconds: 60,
      summary: failing('slow_long'),
      description,
      dashboard: 'sla',
      opens,
    }),
  ]
}

const named = <L extends 'customer' | TargetLabel>(expr: Expr<L | 'customer' | TargetLabel>) =>
  withLabels(expr, metric('dcsim_customer_info'), ['customer'], ['name'])

function lateness(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { lateShareOfAllowance } = settings.thresholds
  const over = tiers.map((tier) => {
    const allowed = lateShareAllowed[tier] * slaPeriodDays * day
    const used = metric('dcsim_customer_sla_period_over_latency_seconds', { tier })
    return compare(calculate(used, '/', allowed), '>', lateShareOfAllowance)
  })
  const late = compare(metric('dcsim_customer_latency_spike'), '==', 1)
  const latency = by('max', metric('dcsim_customer_latency_seconds', { quantile: '0.99' }), [
    'customer',
    'tier',
  ])
  return [
    make('DcsimSlaLatencyAllowanceUsed', {
      severity: 'info',
      expr: named(either(over[0], ...over.slice(1))),
      subject: '{name}',
      summary: `{name} ({tier}) has used ${valueAsPercent} of its latency allowance`,
      description:
        `The p99 latency of {name} was over the promise of its plan for ${valueAsPercent} of the time that the plan allows in an SLA` +
        ' period. Above 100% credits are owed: its dashboard shows what the latency is made of.',
      dashboard: 'customer',
      opens: ['instance', 'customer'],
    }),
    make('DcsimCustomerLatencyOverPromise', {
      severity: 'info',
      expr: named(filter(latency, 'and', late, ['customer'])),
      forSeconds: 60,
      key: ['customer'],
      keepFiringSeconds: 60,
      subject: '{name}',
      summary: `{name} ({tier}) is slow: p99 latency ${valueAsDuration}`,
      description:
        'The p99 latency of {name} is over the promise of its plan' +
        lookup('dcsim_customer_latency_budget_seconds', ['customer'], ` of ${foundDuration}`) +
        '. Check on its dashboard whether hosts are contended or links full.',
      dashboard: 'customer',
      opens: ['instance', 'customer'],
    }),
  ]
}

function contentment(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { satisfactionFallPerDay, satisfactionUneasy, creditsDailyShare } = settings.thresholds
  const uneasy = compare(metric('dcsim_customer_satisfaction_ratio'), '<', satisfactionUneasy)
  const falling = compare(calculate(satisfactionChange, '*', day), '<', -satisfactionFallPerDay)
  // Satisfied customers that leave have reasons that the operator cannot change.
  const inState = (lifecycle: 'Probation' | 'Leaving') =>
    by('max', metric('dcsim_customer_info', { lifecycle }), ['customer', 'name', 'tier', 'lifecycle'])
  const leaving = either(inState('Probation'), filter(inState('Leaving'), 'and', uneasy, ['customer']))
  return [
    make('DcsimCustomerSatisfactionSlides', {
      severity: 'info',
      expr: named(filter(falling, 'and', uneasy, ['customer'])),
      forSeconds: 60,
      key: ['customer'],
      keepFiringSeconds: 60,
      subject: '{name}',
      summary: `Satisfaction of {name} ({tier}) falls by ${fallPercent} per simulated day`,
      description:
        'If this continues, {name} is put on probation and then leaves.' +
        lookup(
          'dcsim_customer_satisfaction_ratio',
          ['customer'],
          ` Its satisfaction is ${foundPercent} now.`,
        ) +
        ' Its dashboard shows the causes: failed requests, latency, redundancy or capacity.',
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
        '{{ if eq $labels.lifecycle "Leaving" }}{name} has given notice.' +
        '{{ else }}Unless its service improves, {name} gives notice next.{{ end }}' +
        lookup('dcsim_customer_satisfaction_ratio', ['customer'], ` Its satisfaction is ${foundPercent}.`) +
        ' Fix what fails it now; its dashboard shows since when.',
      dashboard: 'customer',
      opens: ['instance', 'customer'],
    }),
    make('DcsimSlaCreditsHigh', {
      severity: 'warning',
      expr: compare(creditsShare, '>', creditsDailyShare),
      keepFiringSeconds: 60,
      summary: `SLA credits take ${valueAsPercent} of the revenue`,
      description:
        `Recent SLA credits in {world} amount to ${valueAsPercent} of the revenue of the same period. The SLA dashboard` +
        ' shows whose SLA is broken and why.',
      dashboard: 'sla',
      opens: ['instance'],
    }),
  ]
}

export function slaRules(settings: AlertSettings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return {
    subject,
    recordings: recordings(settings),
    alerts: [
      ...burning(make, settings),
      ...lateness(make, settings),
      ...contentment(make, settings),
      ...customerSla(make),
    ],
  }
}
