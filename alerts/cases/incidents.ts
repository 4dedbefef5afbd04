import type { AlertCase } from './alert-case.ts'

/** An incident that has this band from the first minute to the sixth. */
const cut =
  'symptom="link down",subject="whm-b-core1–whm-b-b03-edge1",cause="cable cut",cause_state="confirmed",max_sla_tier="Gold"'
const flood =
  'symptom="traffic flood",subject="Bell Media",customer="4",cause="attack",cause_state="suspected",max_sla_tier="Gold"'
const stopped =
  'symptom="host unreachable",subject="whm-b-b04-u01",place="rack B-04 in Westholm B",cause="not known yet",cause_state="unknown"'
const ofBand = (band: string, about = cut): AlertCase['series'] => ({
  [`dcsim_incident_info{incident="7",band="${band}",root_kind="CableCut",${about}}`]: '_x4 1x20 stale',
  [`dcsim_incident_customers_affected{incident="7",band="${band}",root_kind="CableCut"}`]: '_x4 2x20 stale',
  [`dcsim_incident_revenue_at_risk_dollars_per_hour{incident="7",band="${band}",root_kind="CableCut"}`]:
    '_x4 310x20 stale',
  [`dcsim_incident_started_sim_timestamp_seconds{incident="7",band="${band}",root_kind="CableCut"}`]:
    '_x4 0x20 stale',
})

const opens = '/d/dcsim-incident?var-session=s&var-instance=a&var-incident=7'
const atOnce = { silentAt: '45s', firesAt: '1m', resolvedAt: '8m30s', opens } as const
/** The world began an hour ago, which is a minute. */
const grave = {
  ...atOnce,
  resolvedAt: '6m45s',
  times: { since: '00:00:00', lasted: '1m, from 00:00:00 to 00:01:00 UTC' },
} as const

export const incidentCases = {
  DcsimIncidentWatch: {
    ...atOnce,
    series: ofBand('Watch'),
    labels: { band: 'Watch', incident: '7', severity: 'info', subject: 'Incident 7' },
    summary: 'Watch incident 7: link down, whm-b-core1–whm-b-b03-edge1 (2 customers, $310/h at risk)',
    description:
      'Confirmed cause: cable cut. Highest plan affected: Gold. Open for 1h of simulated time. Little or no harm so far: check whether it recurs.',
  },
  DcsimIncidentMinor: {
    ...atOnce,
    series: ofBand('Minor'),
    labels: { band: 'Minor', incident: '7', severity: 'info', subject: 'Incident 7' },
    summary: 'Minor incident 7: link down, whm-b-core1–whm-b-b03-edge1 (2 customers, $310/h at risk)',
    description:
      'Confirmed cause: cable cut. Highest plan affected: Gold. Open for 1h of simulated time. Check that it has a work order and that nothing blocks the work.',
  },
  DcsimIncidentMajor: {
    ...grave,
    series: ofBand('Major', stopped),
    labels: { incident: '7', severity: 'warning', subject: 'Incident 7' },
    summary: 'Major incident 7: host unreachable, whm-b-b04-u01 (2 customers, $310/h at risk)',
    description:
      'Where: rack B-04 in Westholm B. Cause not known yet. Open for 1h of simulated time. Read its evidence, and check who works on it and what blocks the work.',
  },
  DcsimIncidentCritical: {
    ...grave,
    series: ofBand('Critical', flood),
    labels: { incident: '7', severity: 'critical', subject: 'Incident 7' },
    summary: 'Critical incident 7: traffic flood on Bell Media (2 customers, $310/h at risk)',
    description:
      'Suspected cause: attack. Highest plan affected: Gold. Open for 1h of simulated time. Handle it first: check who works on it, and clear what blocks the work.',
  },
  DcsimIncidentOfUnknownBand: {
    ...grave,
    series: ofBand('Apocalyptic'),
    labels: { band: 'Apocalyptic', incident: '7', severity: 'warning', subject: 'Incident 7' },
    summary: 'Apocalyptic incident 7: link down, whm-b-core1–whm-b-b03-edge1 (2 customers, $310/h at risk)',
    description:
      'These rules do not know the band Apocalyptic, which may be graver than all others. Confirmed cause: cable cut. Highest plan affected: Gold. Open for 1h of simulated time. Open the incident and judge its impact.',
  },
  DcsimIncidentRevenueAtRisk: {
    series: {
      'dcsim_incidents_revenue_at_risk_dollars_per_hour{band="Major",root_kind="CableCut"}': '0x3 150x20 0x9',
      'dcsim_incidents_revenue_at_risk_dollars_per_hour{band="Minor",root_kind="Unknown"}': '90x40',
      'dcsim_customer_revenue_last_hour_dollars{customer="1",tier="Gold"}': '1500x40',
      'dcsim_customer_revenue_last_hour_dollars{customer="2",tier="Bronze"}': '500x40',
    },
    silentAt: '1m15s',
    firesAt: '1m30s',
    resolvedAt: '7m30s',
    labels: { severity: 'warning' },
    summary: 'Active incidents put 12% of the revenue at risk',
    description:
      'The revenue of session s depends on what these incidents affect. Start with the largest: the Incidents dashboard sorts by revenue at risk.',
    opens: '/d/dcsim-incidents?var-session=s&var-instance=a',
  },
  DcsimIncidentRedundancyBroken: {
    ...atOnce,
    series: {
      [`dcsim_incident_info{incident="7",band="Watch",${cut}}`]: '1x60',
      'dcsim_incident_redundancy_promise_broken{incident="7",band="Watch",root_kind="CableCut"}':
        '0x3 1x20 0x9',
    },
    labels: { incident: '7', severity: 'info', subject: 'Incident 7' },
    summary: 'Redundancy lost in incident 7: link down, whm-b-core1–whm-b-b03-edge1',
    description:
      'Customers were promised redundancy that is gone: the next fault takes their service down. Confirmed cause: cable cut. Highest plan affected: Gold. Repair it before other work on the same path.',
  },
  DcsimIncidentComplianceAtRisk: {
    ...atOnce,
    silentAt: '2m45s',
    firesAt: '3m',
    resolvedAt: '7m30s',
    series: {
      'dcsim_incident_info{incident="7",band="Major",root_kind="Attack",symptom="suspicious logins",subject="Bell Media",customer="4",cause="attack",cause_state="suspected",compliance_at_risk="PCI-DSS"}':
        '_x4 1x20 stale',
    },
    labels: { compliance_at_risk: 'PCI-DSS', incident: '7', severity: 'warning', subject: 'Incident 7' },
    summary: 'PCI-DSS compliance at risk in incident 7: suspicious logins on Bell Media',
    description: 'Suspected cause: attack. Handle it before other incidents of its band.',
  },
  DcsimIncidentUnattended: {
    series: {
      [`dcsim_incident_info{incident="7",band="Major",${stopped}}`]: '1x60',
      // Open from the first sample; an hour has passed at four samples, and work begins at six minutes.
      'dcsim_incident_started_sim_timestamp_seconds{incident="7",band="Major",root_kind="Unknown"}': '0x60',
      'dcsim_work_order_progress_ratio{work_order="3",kind="Diagnose",actor="Staff",incident="7"}':
        '_x24 0x20',
      'dcsim_work_order_progress_ratio{work_order="2",kind="Upkeep",actor="Staff"}': '0x60',
      'dcsim_work_orders_blocked{blocking="NobodyOnShift"}': '0x60',
    },
    silentAt: '3m',
    firesAt: '3m15s',
    resolvedAt: '10m15s',
    labels: { incident: '7', severity: 'warning', subject: 'Incident 7' },
    summary: 'No open work order for incident 7: host unreachable, whm-b-b04-u01',
    description:
      'The incident has been open for 3h 15m of simulated time, and no work order is open. Check on the Money dashboard that technicians are on shift and free.',
    opens,
  },
  DcsimIncidentWorsens: {
    series: {
      [`dcsim_incident_info{incident="7",band="Major",${flood}}`]: '1x60',
      'dcsim_incident_customers_affected{incident="7",band="Major",root_kind="Unknown"}': '2x7 4 5x30',
    },
    silentAt: '2m30s',
    firesAt: '2m45s',
    resolvedAt: '5m30s',
    labels: { incident: '7', severity: 'warning', subject: 'Incident 7' },
    summary: '3 more customers affected by incident 7: traffic flood on Bell Media (5 customers)',
    description:
      'The incident reached 3 more customers within the last 2m. Suspected cause: attack. Highest plan affected: Gold. When a fault spreads, load has often moved: look for links, fabrics and pools that filled up since.',
    opens,
  },
  DcsimIncidentScope: {
    silentAt: '45s',
    firesAt: '1m',
    resolvedAt: '12m30s',
    series: {
      'dcsim_incident_scope_info{incident="7",band="Major",az="2"}': '_x4 1x20 stale',
      'dcsim_incident_scope_info{incident="8",band="Minor",az="1"}': '1x60',
      'dcsim_incident_scope_info{incident="7",band="Major",customer="9"}': '1x60',
    },
    labels: { az: '2', incident: '7', severity: 'none' },
    summary: 'Incident 7 explains alerts about what it concerns',
    description:
      'Never notifies: while it fires, Alertmanager holds back warnings about what incident 7 affects.',
    opens: '/d/dcsim-incident?var-session=s&var-instance=a&var-incident=7',
  },
  DcsimIncidentWasGrave: {
    silentAt: '45s',
    firesAt: '1m',
    // A page may last for twelve minutes, and its resolved state is repeated for sixteen.
    resolvedAt: '34m15s',
    series: {
      'dcsim_incident_info{incident="7",band="Critical"}': '_x4 1x20 stale',
      'dcsim_incident_info{incident="8",band="Major"}': '1x140',
    },
    labels: { band: 'Critical', incident: '7', severity: 'none' },
    summary: 'Incident 7 is or was Critical',
    description:
      'Never notifies: while it fires, Alertmanager holds back what ends with incident 7, so that one message announces its end.',
    opens,
  },
} satisfies Record<string, AlertCase>
