import type { AlertCase } from './alert-case.ts'

const customerInfo =
  'dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="Active"}'
const opens = '/d/dcsim-customer?var-session=s&var-instance=a&var-customer=4'

export const slaCases = {
  DcsimSlaBudgetBurnsFast: {
    series: {
      [customerInfo]: '1x60',
      'dcsim_customer_requests_total{customer="4",tier="Gold"}': '0+1000x60',
      // 2 % of the requests fail; Gold allows 0.1 %.
      'dcsim_customer_failed_requests_total{customer="4",tier="Gold"}': '0x8 20+20x20 420x30',
      'dcsim_customer_failed_requests_last_hour{customer="4",tier="Gold"}': '80x60',
    },
    silentAt: '3m15s',
    firesAt: '3m30s',
    resolvedAt: '9m15s',
    labels: { severity: 'warning', tier: 'Gold' },
    summary:
      'Over 2 simulated hours, requests of Gold customers fail at 15.0 times the rate that the SLA allows',
    description:
      'At this rate, a whole SLA budget of Gold customers lasts 2d of simulated time. Most failed requests in the last simulated hour: Bell Media (80 requests). Check which incident affects them.',
    opens: '/d/dcsim-sla?var-session=s&var-instance=a&var-tier=Gold',
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
    summary:
      'Over 30 simulated hours, requests of Gold customers fail at 3.0 times the rate that the SLA allows',
    description:
      'At this rate, a whole SLA budget of Gold customers lasts 9d 20h of simulated time. Most failed requests in the last simulated hour: Bell Media (20 requests). Check which incident affects them.',
    opens: '/d/dcsim-sla?var-session=s&var-instance=a&var-tier=Gold',
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
      'The p99 latency of Bell Media was over the promise of its plan for 80% of the time that the plan allows in an SLA period. Above 100% credits are owed: its dashboard shows what the latency is made of.',
    opens,
  },
  DcsimCustomerLatencyOverPromise: {
    series: {
      [customerInfo]: '1x60',
      'dcsim_customer_latency_spike{customer="4",tier="Gold"}': '0x3 1x20 0x9',
      'dcsim_customer_latency_seconds{customer="4",tier="Gold",quantile="0.99"}': '0.32x60',
    },
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '7m30s',
    labels: { customer: '4', name: 'Bell Media', severity: 'info', subject: 'Bell Media', tier: 'Gold' },
    summary: 'Bell Media (Gold) is slow: p99 latency 320ms',
    description:
      'The p99 latency of Bell Media is over the promise of its plan. Check on its dashboard whether hosts are contended or links full.',
    opens,
  },
  DcsimCustomerSatisfactionSlides: {
    series: {
      [customerInfo]: '1x100',
      // A hundredth per simulated quarter of an hour, down to 44 %.
      'dcsim_customer_satisfaction_ratio{customer="4",tier="Gold"}': '0.74-0.01x30 0.6x60',
    },
    silentAt: '6m45s',
    firesAt: '7m',
    resolvedAt: '9m',
    labels: { customer: '4', name: 'Bell Media', severity: 'info', subject: 'Bell Media', tier: 'Gold' },
    summary: 'Satisfaction of Bell Media (Gold) falls by 96% per simulated day',
    description:
      'If this continues, Bell Media is put on probation and then leaves. Its satisfaction is 46% now. Its dashboard shows the causes: failed requests, latency, redundancy or capacity.',
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
      'Unless its service improves, Bell Media gives notice next. Its satisfaction is 28%. Fix what fails it now; its dashboard shows since when.',
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
      'Recent SLA credits in session s amount to 6.6% of the revenue of the same period. The SLA dashboard shows whose SLA is broken and why.',
    opens: '/d/dcsim-sla?var-session=s&var-instance=a',
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
    summary: 'The web service of Bell Media (Gold) is down',
    description:
      'Users of Bell Media get errors from its web service, and its SLA budget burns. Its dashboard shows which hosts and links the service depends on.',
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
    summary: 'The database service of Bell Media (Gold) has lost replicas',
    description:
      'It has 2 of 3 promised replicas: further faults may lose data. Bring hosts back, or make room for new replicas.',
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
    summary: 'Availability of Bell Media (Gold) is below its SLA',
    description:
      '98.71% of the requests to Bell Media were answered in this SLA period, less than its plan promises: credits are owed when the period ends. Its dashboard shows what failed the requests.',
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
    summary: 'Requirements of Bell Media (Gold) are not met: two zones',
    description:
      'The satisfaction of Bell Media falls every day until they are. Add what is missing, or move its units to where it is available.',
    opens: '/d/dcsim-customer?var-session=s&var-instance=a&var-customer=4',
  },
} satisfies Record<string, AlertCase>
