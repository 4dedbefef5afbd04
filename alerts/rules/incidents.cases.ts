import type { AlertCase } from '../alert-case.ts'

/** An incident that is of this band from one minute to six. */
const ofBand = (band: string): AlertCase['series'] => ({
  [`dcsim_incident_info{incident="7",band="${band}",root_kind="CableCut",symptom_kind="LinkDown"}`]:
    '_x4 1x20 stale',
  [`dcsim_incident_customers_affected{incident="7",band="${band}",root_kind="CableCut"}`]: '_x4 2x20 stale',
  [`dcsim_incident_revenue_at_risk_hourly_dollars{incident="7",band="${band}",root_kind="CableCut"}`]:
    '_x4 310x20 stale',
  [`dcsim_incident_started_seconds{incident="7",band="${band}",root_kind="CableCut"}`]: '_x4 0x20 stale',
})

const opens = '/d/dcsim-incident?var-session=s&var-instance=a&var-incident=7'
const atOnce = { silentAt: '45s', firesAt: '1m', resolvedAt: '6m15s', opens } as const

export const incidentCases = {
  DcsimIncidentWatch: {
    ...atOnce,
    series: ofBand('Watch'),
    labels: { severity: 'info', incident: '7', band: 'Watch' },
    description:
      'Incident 7 is of band Watch. Seen: link down. Cause: cable cut. Customers who feel it: 2. Revenue at risk: $310 an hour. Open for 1h 0m 0s of game time.',
  },
  DcsimIncidentMinor: {
    ...atOnce,
    series: ofBand('Minor'),
    labels: { severity: 'info', incident: '7', band: 'Minor' },
    description:
      'Incident 7 is of band Minor. Seen: link down. Cause: cable cut. Customers who feel it: 2. Revenue at risk: $310 an hour. Open for 1h 0m 0s of game time.',
  },
  DcsimIncidentMajor: {
    ...atOnce,
    series: ofBand('Major'),
    labels: { severity: 'warning', incident: '7', band: 'Major' },
    description:
      'Incident 7 is of band Major. Seen: link down. Cause: cable cut. Customers who feel it: 2. Revenue at risk: $310 an hour. Open for 1h 0m 0s of game time.',
  },
  DcsimIncidentCritical: {
    ...atOnce,
    series: ofBand('Critical'),
    labels: { severity: 'critical', incident: '7', band: 'Critical' },
    description:
      'Incident 7 is of band Critical. Seen: link down. Cause: cable cut. Customers who feel it: 2. Revenue at risk: $310 an hour. Open for 1h 0m 0s of game time.',
  },
  DcsimIncidentOfUnknownBand: {
    ...atOnce,
    series: ofBand('Apocalyptic'),
    labels: { severity: 'warning', incident: '7', band: 'Apocalyptic' },
    description:
      'Incident 7 is of band Apocalyptic, which may be graver than all others. Seen: link down. Cause: cable cut. Customers who feel it: 2. Revenue at risk: $310 an hour. Open for 1h 0m 0s of game time.',
  },
  DcsimIncidentRevenueAtRisk: {
    series: {
      'dcsim_incidents_revenue_at_risk_hourly_dollars{band="Major",root_kind="CableCut"}': '0x3 150x20 0x9',
      'dcsim_incidents_revenue_at_risk_hourly_dollars{band="Minor",root_kind="Unknown"}': '90x40',
      'dcsim_customer_revenue_last_hour_dollars{customer="1",tier="Gold"}': '1500x40',
      'dcsim_customer_revenue_last_hour_dollars{customer="2",tier="Bronze"}': '500x40',
    },
    silentAt: '45s',
    firesAt: '1m',
    resolvedAt: '6m15s',
    labels: { severity: 'warning' },
    description:
      'Active incidents put 12% of the revenue of a at risk. Begin with the one that has most of it.',
    opens: '/d/dcsim-incidents?var-session=s&var-instance=a',
  },
  DcsimIncidentRedundancyBroken: {
    ...atOnce,
    series: {
      'dcsim_incident_redundancy_promise_broken{incident="7",band="Watch",root_kind="CableCut"}':
        '0x3 1x20 0x9',
    },
    labels: { severity: 'info', incident: '7' },
    description:
      'Something that customers were promised twice is there only once: the next fault takes it down. Incident 7. ',
  },
  DcsimIncidentComplianceAtRisk: {
    ...atOnce,
    series: {
      'dcsim_incident_info{incident="7",band="Major",root_kind="Attack",symptom_kind="SuspiciousLogins",compliance_at_risk="PCI-DSS"}':
        '_x4 1x20 stale',
    },
    labels: { severity: 'warning', incident: '7', compliance_at_risk: 'PCI-DSS' },
    description: 'Incident 7 endangers PCI-DSS. Seen: suspicious logins. Cause: attack.',
  },
  DcsimIncidentUnattended: {
    series: {
      // Open since the beginning; an hour has passed at four samples, and work begins at six minutes.
      'dcsim_incident_started_seconds{incident="7",band="Major",root_kind="Unknown"}': '0x60',
      'dcsim_work_order_progress_ratio{work_order="3",kind="Diagnose",actor="Staff",incident="7"}':
        '_x24 0x20',
      'dcsim_work_order_progress_ratio{work_order="2",kind="Upkeep",actor="Staff"}': '0x60',
    },
    silentAt: '1m30s',
    firesAt: '1m45s',
    resolvedAt: '6m',
    labels: { severity: 'warning', incident: '7' },
    description:
      'Incident 7 has been open for 1h 45m 0s of game time, and no work order belongs to it.  It has been so for 20s of real time or longer.',
    opens,
  },
  DcsimIncidentWorsens: {
    series: {
      'dcsim_incident_customers_affected{incident="7",band="Major",root_kind="Unknown"}': '2x7 4 5x30',
    },
    silentAt: '2m',
    firesAt: '2m15s',
    resolvedAt: '4m15s',
    labels: { severity: 'warning', incident: '7' },
    description: 'Incident 7 reaches 3 customers more than before.  Customers who feel it: 5.',
    opens,
  },
} satisfies Record<string, AlertCase>
