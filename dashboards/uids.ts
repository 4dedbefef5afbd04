/** Every dashboard: its permanent address, its title and its purpose. */
export const dashboardTitles = {
  'dcsim-session': 'Session',
  'dcsim-floor': 'Floor',
  'dcsim-incidents': 'Incidents',
  'dcsim-incident': 'Incident',
  'dcsim-chronicle': 'Chronicle',
  'dcsim-network': 'Network',
  'dcsim-device': 'Device',
  'dcsim-power': 'Power and cooling',
  'dcsim-rack': 'Rack',
  'dcsim-compute': 'Compute',
  'dcsim-host': 'Host',
  'dcsim-customers': 'Customers and SLA',
  'dcsim-customer': 'Customer',
  'dcsim-sla': 'SLA',
  'dcsim-security': 'Security',
  'dcsim-growth': 'Growth',
  'dcsim-business': 'Money',
  'dcsim-trends': 'Trends',
  'dcsim-compare': 'Compare',
  'dcsim-mirror': 'Mirror',
} as const

export type DashboardUid = keyof typeof dashboardTitles

/** The icon of each page, at its top: characters that common fonts have. */
export const dashboardIcons: Readonly<Record<DashboardUid, string>> = {
  'dcsim-session': '◉',
  'dcsim-floor': '▦',
  'dcsim-incidents': '⚠',
  'dcsim-incident': '⚠',
  'dcsim-chronicle': '☾',
  'dcsim-network': '⇄',
  'dcsim-device': '⇄',
  'dcsim-power': '⚡',
  'dcsim-rack': '▥',
  'dcsim-compute': '▤',
  'dcsim-host': '▬',
  'dcsim-customers': '☺',
  'dcsim-customer': '☺',
  'dcsim-security': '⊘',
  'dcsim-business': '$',
  'dcsim-growth': '⇧',
  'dcsim-trends': '↗',
  'dcsim-sla': '⚖',
  'dcsim-compare': '≡',
  'dcsim-mirror': '◐',
}
export const dashboardUids = Object.keys(dashboardTitles) as DashboardUid[]

/** The tag of all these dashboards, and of no others, from which the menu of links is built. */
export const dashboardTag = 'dcsim'

/** Path of a dashboard within Grafana. */
export const dashboardPath = (uid: DashboardUid): string => `/d/${uid}/${uid.replace('dcsim-', '')}`
