import type { AlertCase } from '../alert-case.ts'

const customerInfo =
  'dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="Active"}'
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
    resolvedAt: '9m15s',
    labels: { severity: 'critical', tier: 'Gold' },
    summary:
      'Requests of Gold customers fail at 15.0 times the allowed rate: the SLA budget lasts two game days',
    description:
      'Requests of Gold customers fail at 15.0 times the rate that their plan allows. Most failures in the last hour of the game: Bell Media (80). See which incident they share.',
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
    resolvedAt: '59m15s',
    labels: { severity: 'warning', tier: 'Gold' },
    summary: 'Requests of Gold customers fail at 3.0 times the allowed rate: the SLA budget will not last',
    description:
      'Requests of Gold customers fail at 3.0 times the rate that their plan allows. Most failures in the last hour of the game: Bell Media (20). See which incident they share.',
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
    labels: { customer: '4', name: 'Bell Media', severity: 'info', subject: 'Bell Media', tier: 'Gold' },
    summary: 'Bell Media (Gold) has used 80% of its latency allowance',
    description:
      'Bell Media (Gold) had slow answers for 80% of the time that its plan allows in a period. Over 100% it is owed credits: see on its dashboard what its latency is made of.',
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
    resolvedAt: '7m30s',
    labels: { customer: '4', name: 'Bell Media', severity: 'info', subject: 'Bell Media', tier: 'Gold' },
    summary: 'Bell Media (Gold) is slow: p99 latency 320ms',
    description:
      'The p99 latency of Bell Media (Gold) is 320ms. See on its dashboard whether hosts are contended or links full.',
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
    resolvedAt: '9m',
    labels: { customer: '4', name: 'Bell Media', severity: 'info', subject: 'Bell Media', tier: 'Gold' },
    summary: 'Satisfaction of Bell Media (Gold) falls by 96% a game day',
    description:
      'The satisfaction of Bell Media (Gold) falls by 96% in a day of the game. It is at 46%. See what fails it: requests, latency, redundancy or capacity.',
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
    labels: {
      customer: '4',
      lifecycle: 'Probation',
      name: 'Bell Media',
      severity: 'warning',
      subject: 'Bell Media',
      tier: 'Gold',
    },
    summary: 'Bell Media (Gold) is on probation',
    description:
      'Bell Media (Gold) is on probation: after probation comes notice, then it is gone. Its satisfaction is 28%. End what fails it now; its dashboard shows since when.',
    opens,
  },
  DcsimSlaCreditsHigh: {
    series: {
      'dcsim_customer_revenue_dollars_total{customer="4",tier="Gold"}': '0+100x300',
      'dcsim_customer_sla_credits_dollars_total{customer="4",tier="Gold"}': '0x120 800x180',
    },
    silentAt: '30m',
    firesAt: '30m15s',
    resolvedAt: '62m15s',
    labels: { severity: 'warning' },
    summary: 'SLA credits take 6.6% of the revenue',
    description:
      'Credits paid lately in session s come to 6.6% of the revenue of the same time. See on Customers whose SLA is broken, and by what.',
    opens: '/d/dcsim-business?var-session=s&var-instance=a',
  },
  DcsimServiceDown: {
    silentAt: '1m15s',
    firesAt: '1m30s',
    resolvedAt: '7m15s',
    series: {
      'dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="Active",requirements_unmet="two zones"}':
        '1x60',
      'dcsim_service_up{customer="4",service="web"}': '1x3 0x20 1x30',
    },
    labels: {
      customer: '4',
      name: 'Bell Media',
      service: 'web',
      severity: 'warning',
      subject: 'Bell Media',
      tier: 'Gold',
    },
    summary: 'Service web of Bell Media (Gold) is down',
    description:
      'The web service of Bell Media (Gold) does not answer: its users get errors, and its SLA budget burns. Its dashboard shows which hosts and links it depends on.',
    opens: '/d/dcsim-customer?var-session=s&var-instance=a&var-customer=4',
  },
  DcsimReplicasLost: {
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '7m30s',
    series: {
      'dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="Active",requirements_unmet="two zones"}':
        '1x60',
      'dcsim_service_replicas_target{customer="4",service="database"}': '3x60',
      'dcsim_service_replicas_held{customer="4",service="database"}': '3x3 2x20 3x30',
    },
    labels: {
      customer: '4',
      name: 'Bell Media',
      service: 'database',
      severity: 'info',
      subject: 'Bell Media',
      tier: 'Gold',
    },
    summary: 'Service database of Bell Media (Gold) has lost replicas',
    description:
      'The database service of Bell Media (Gold) has 2 of 3 promised replicas: the next fault may lose data. Get hosts back, or room for new replicas.',
    opens: '/d/dcsim-customer?var-session=s&var-instance=a&var-customer=4',
  },
  DcsimSlaBroken: {
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '7m30s',
    series: {
      'dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="Active",requirements_unmet="two zones"}':
        '1x60',
      'dcsim_customer_availability_ratio{customer="4",tier="Gold"}': '1x3 0.9871x20 1x30',
    },
    labels: { customer: '4', name: 'Bell Media', severity: 'info', subject: 'Bell Media', tier: 'Gold' },
    summary: 'Bell Media (Gold) gets less availability than its SLA promises',
    description:
      '98.71% of the requests to Bell Media (Gold) were answered in this SLA period, less than its plan promises: at its end credits are owed. See on its dashboard what failed them.',
    opens: '/d/dcsim-customer?var-session=s&var-instance=a&var-customer=4',
  },
  DcsimRequirementsUnmet: {
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '6m15s',
    series: {
      'dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="Active",requirements_unmet="two zones"}':
        '1x60',
      'dcsim_customer_requirements_unmet{customer="4",tier="Gold"}': '0x3 1x20 0x30',
    },
    labels: {
      customer: '4',
      name: 'Bell Media',
      requirements_unmet: 'two zones',
      severity: 'info',
      subject: 'Bell Media',
      tier: 'Gold',
    },
    summary: 'Bell Media (Gold) does not get what it requires: two zones',
    description:
      'Bell Media (Gold) was promised what it does not have: two zones. It costs satisfaction every day. Add what is lacking, or move its units where it is.',
    opens: '/d/dcsim-customer?var-session=s&var-instance=a&var-customer=4',
  },
} satisfies Record<string, AlertCase>
