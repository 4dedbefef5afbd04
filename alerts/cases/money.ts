import type { AlertCase } from './alert-case.ts'

export const moneyCases = {
  DcsimCompanyLosesMoney: {
    series: {
      'dcsim_customer_margin_dollars{customer="4",tier="Gold"}': '500x3 100x20 500x9',
      'dcsim_customer_margin_dollars{customer="5",tier="Bronze"}': '-300x60',
    },
    silentAt: '2m45s',
    firesAt: '3m',
    resolvedAt: '9m45s',
    labels: { severity: 'warning' },
    summary: 'Customers cost more than they pay: margin -$200 in 30 simulated days',
    description:
      'All customers of session s together have a negative margin. The Money dashboard shows which of them lose most.',
    opens: '/d/dcsim-business?var-session=s&var-instance=a',
  },
  DcsimCustomerLosesMoney: {
    series: {
      'dcsim_customer_info{customer="4",name="Bell Media",archetype="Media",tier="Gold",lifecycle="Active"}':
        '1x60',
      'dcsim_customer_margin_dollars{customer="4",tier="Gold"}': '10x3 -120x30 10x9',
      'dcsim_customer_margin_dollars{customer="5",tier="Bronze"}': '900x60',
    },
    silentAt: '5m45s',
    firesAt: '6m',
    resolvedAt: '12m15s',
    labels: { customer: '4', name: 'Bell Media', severity: 'info', subject: 'Bell Media', tier: 'Gold' },
    summary: 'Bell Media (Gold) costs more than it pays: margin -$120 in 30 simulated days',
    description: 'The dashboard of Bell Media shows what costs most: hosts, transit or credits.',
    opens: '/d/dcsim-customer?var-session=s&var-instance=a&var-customer=4',
  },
  DcsimProspectExpiresSoon: {
    silentAt: '45s',
    firesAt: '1m',
    resolvedAt: '7m30s',
    series: {
      'dcsim_prospect_info{prospect="8",name="Elm Games",tier="Silver",recommendation="AddCapacity"}': '1x60',
      'dcsim_prospect_revenue_dollars_per_month{prospect="8",tier="Silver"}': '12400x60',
      'dcsim_prospect_expires_sim_timestamp_seconds{prospect="8",tier="Silver"}': '24300x23 _x30',
    },
    labels: {
      name: 'Elm Games',
      prospect: '8',
      recommendation: 'AddCapacity',
      severity: 'info',
      subject: 'Elm Games',
      tier: 'Silver',
    },
    summary: 'Prospect Elm Games (Silver) leaves in 5h 45m of simulated time',
    description:
      'Elm Games waits for an offer. It would pay $12,400 a month. Recommendation: add capacity first.',
    opens: '/d/dcsim-business?var-session=s&var-instance=a',
  },
} satisfies Record<string, AlertCase>
