/** Every dashboard by its permanent address: its title, and its icon of characters that common fonts have. */
export const dashboards = {
  'dcsim-session': { title: 'Session', icon: '◉' },
  'dcsim-floor': { title: 'Floor', icon: '▦' },
  'dcsim-incidents': { title: 'Incidents', icon: '⚠' },
  'dcsim-incident': { title: 'Incident', icon: '⚠' },
  'dcsim-chronicle': { title: 'Chronicle', icon: '☾' },
  'dcsim-network': { title: 'Network', icon: '⇄' },
  'dcsim-device': { title: 'Device', icon: '⇄' },
  'dcsim-power': { title: 'Power and cooling', icon: '⚡' },
  'dcsim-rack': { title: 'Rack', icon: '▥' },
  'dcsim-compute': { title: 'Compute', icon: '▤' },
  'dcsim-host': { title: 'Host', icon: '▬' },
  'dcsim-customers': { title: 'Customers and SLA', icon: '☺' },
  'dcsim-customer': { title: 'Customer', icon: '☺' },
  'dcsim-sla': { title: 'SLA', icon: '⚖' },
  'dcsim-security': { title: 'Security', icon: '⊘' },
  'dcsim-growth': { title: 'Growth', icon: '⇧' },
  'dcsim-business': { title: 'Money', icon: '$' },
  'dcsim-trends': { title: 'Trends', icon: '↗' },
  'dcsim-compare': { title: 'Compare', icon: '≡' },
  'dcsim-mirror': { title: 'Mirror', icon: '◐' },
} as const

export type DashboardUid = keyof typeof dashboards
export const dashboardUids = Object.keys(dashboards) as DashboardUid[]

/** The tag of all these dashboards, and of no others, from which the menu of links is built. */
export const dashboardTag = 'dcsim'

/** Path of a dashboard within Grafana. */
export const dashboardPath = (uid: DashboardUid): string => `/d/${uid}/${uid.replace('dcsim-', '')}`
