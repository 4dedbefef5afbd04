import type { AlertCase } from '../alert-case.ts'

const customerInfo =
  'dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="Active"}'
const ofCustomer = { severity: 'info', customer: '4', tier: 'Gold', name: 'Bell Media' }
const opens = '/d/dcsim-customer?var-session=s&var-instance=a&var-customer=4'

export const slaCases = {
  DcsimSlaBudgetBurnsFast: {
    series: {
      [customerInfo]: '1x60',
      'dcsim_customer_requests_total{customer="4",tier="Gold"}': '0+1000x60',
      // 2 % of the requests fail, of which Gold allows 0.1 %.
      'dcsim_customer_failed_requests_total{customer="4",tier="Gold"}': '0x8 20+20x20 420x30',
      'dcsim_customer_failed_requests_last_hour{customer="4",tier="Gold"}': '80x60',
    },
    silentAt: '3m15s',
    firesAt: '3m30s',
    resolvedAt: '8m',
    labels: { severity: 'critical', tier: 'Gold' },
    description:
      'Requests of Gold customers fail at 15.0 times the rate that their plan allows. Most failures in the last hour of the game: Bell Media (80).',
    opens: '/d/dcsim-customers?var-session=s&var-instance=a&var-tier=Gold',
  },
  DcsimSlaBudgetBurnsSlowly: {
    series: {
      [customerInfo]: '1x400',
      'dcsim_customer_requests_total{customer="4",tier="Gold"}': '0+1000x400',
      'dcsim_customer_failed_requests_total{customer="4",tier="Gold"}': '0x120 5+5x100 505x180',
      'dcsim_customer_failed_requests_last_hour{customer="4",tier="Gold"}': '20x400',
    },
    silentAt: '48m',
    firesAt: '48m15s',
    resolvedAt: '58m',
    labels: { severity: 'warning', tier: 'Gold' },
    description:
      'Requests of Gold customers fail at 3.0 times the rate that their plan allows. Most failures in the last hour of the game: Bell Media (20).',
    opens: '/d/dcsim-customers?var-session=s&var-instance=a&var-tier=Gold',
  },
  DcsimSlaLatencyAllowanceUsed: {
    series: {
      [customerInfo]: '1x60',
      // Gold allows 2 % of 30 days, which is 51840 seconds; a new period begins at six minutes.
      'dcsim_customer_sla_period_over_latency_seconds{customer="4",tier="Gold"}': '41472x3 41500x20 0x9',
    },
    silentAt: '45s',
    firesAt: '1m',
    resolvedAt: '6m15s',
    labels: ofCustomer,
    description:
      'Bell Media (Gold) had slow answers for 80.05% of the time that its plan allows in a period. At the end of the period that costs credits.',
    opens,
  },
  DcsimCustomerLatencyOverPromise: {
    series: {
      [customerInfo]: '1x60',
      'dcsim_customer_latency_spike{customer="4",tier="Gold"}': '0x3 1x20 0x9',
      'dcsim_customer_latency_p99_seconds{customer="4",tier="Gold"}': '0.32x60',
    },
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '6m15s',
    labels: ofCustomer,
    description:
      'Bell Media (Gold) has a p99 latency of 320ms, over the promise. It has been so for 1m of real time or longer.',
    opens,
  },
  DcsimCustomerSatisfactionSlides: {
    series: {
      [customerInfo]: '1x100',
      // A hundredth each quarter of an hour of the game, down to 44 %.
      'dcsim_customer_satisfaction_ratio{customer="4",tier="Gold"}': '0.74-0.01x30 0.6x60',
    },
    silentAt: '6m45s',
    firesAt: '7m',
    resolvedAt: '7m45s',
    labels: ofCustomer,
    description:
      'Bell Media (Gold) loses satisfaction: -96% of the scale in a day of the game. It has been so for 1m of real time or longer.',
    opens,
  },
  DcsimCustomerAboutToLeave: {
    series: {
      'dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="Active"}':
        '1x3 stale',
      'dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="Probation"}':
        '_x4 1x20 stale',
      'dcsim_customer_satisfaction_ratio{customer="4",tier="Gold"}': '0.28x60',
    },
    silentAt: '45s',
    firesAt: '1m',
    resolvedAt: '6m15s',
    labels: { ...ofCustomer, severity: 'warning', lifecycle: 'Probation' },
    description:
      'Bell Media (Gold) is in the state Probation: after Probation comes Leaving, and then it is gone. Its satisfaction is 28%.',
    opens,
  },
  DcsimSlaCreditsHigh: {
    series: {
      'dcsim_customer_revenue_dollars_total{customer="4",tier="Gold"}': '0+100x300',
      'dcsim_customer_sla_credits_dollars_total{customer="4",tier="Gold"}': '0x120 800x180',
    },
    silentAt: '30m',
    firesAt: '30m15s',
    resolvedAt: '61m',
    labels: { severity: 'warning' },
    description: 'Credits paid on a lately come to 6.667% of the revenue of the same time.',
    opens: '/d/dcsim-business?var-session=s&var-instance=a',
  },
} satisfies Record<string, AlertCase>
