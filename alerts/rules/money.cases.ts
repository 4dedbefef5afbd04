import type { AlertCase } from '../alert-case.ts'

export const moneyCases = {
  DcsimCompanyLosesMoney: {
    series: {
      'dcsim_customer_margin_dollars{customer="4",tier="Gold"}': '500x3 100x20 500x9',
      'dcsim_customer_margin_dollars{customer="5",tier="Bronze"}': '-300x60',
    },
    silentAt: '2m45s',
    firesAt: '3m',
    resolvedAt: '6m15s',
    labels: { severity: 'warning' },
    description:
      'All customers of a together made −$200 in the last 30 days of the game. It has been so for 2m of real time or longer.',
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
    resolvedAt: '8m45s',
    labels: { severity: 'info', customer: '4', tier: 'Gold', name: 'Bell Media' },
    description:
      'Bell Media (Gold) made −$120 in the last 30 days of the game. It has been so for 5m of real time or longer.',
    opens: '/d/dcsim-customer?var-session=s&var-instance=a&var-customer=4',
  },
} satisfies Record<string, AlertCase>
