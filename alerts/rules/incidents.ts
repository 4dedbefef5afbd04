import { bands } from '../../src/contract/vocabularies.ts'
import type { Band } from '../../src/contract/vocabularies.ts'
import {
  by,
  calculate,
  calculateEach,
  compare,
  filter,
  isNot,
  metric,
  noneOf,
  overTime,
  recorded,
} from '../promql.ts'
import type { TargetLabel } from '../promql.ts'
import { alertDefiner, recordAveraged } from '../rule.ts'
import type { Alert, DefineAlert, RuleGroup } from '../rule.ts'
import { scaleRange } from '../settings.ts'
import { severityOfBand } from '../severity.ts'
import type { Settings } from '../settings.ts'
import { incidentAnnotation, incidentInfo, percent, wholeNumber } from '../annotation-text.ts'

const subject = 'incidents'

const bandAlerts: Readonly<Record<Band, Pick<Alert, 'alert'> & { readonly summary: string }>> = {
  Watch: { alert: 'DcsimIncidentWatch', summary: 'An incident is worth watching.' },
  Minor: { alert: 'DcsimIncidentMinor', summary: 'An incident hurts a little.' },
  Major: { alert: 'DcsimIncidentMajor', summary: 'A major incident: customers feel it.' },
  Critical: { alert: 'DcsimIncidentCritical', summary: 'A critical incident: much is at stake.' },
}

/** The band and the incident stay the same while it lasts; cause and customers are looked up for the text. */
function byBand(make: DefineAlert): Alert[] {
  const known = bands.map((band) =>
    make(bandAlerts[band].alert, {
      severity: severityOfBand[band],
      expr: by('max', metric('dcsim_incident_info', { band }), ['incident', 'band']),
      key: ['incident'],
      summary: bandAlerts[band].summary,
      description: `Incident {incident} is of band {band}. ${incidentAnnotation}`,
      dashboard: 'incident',
      opens: ['instance', 'incident'],
    }),
  )
  const unknown = make('DcsimIncidentOfUnknownBand', {
    severity: severityOfBand.unknown,
    expr: by('max', metric('dcsim_incident_info', { band: noneOf(bands) }), ['incident', 'band']),
    key: ['incident'],
    summary: 'An incident has a gravity that these rules do not know.',
    description: `Incident {incident} is of band {band}, which may be graver than all others. ${incidentAnnotation}`,
    dashboard: 'incident',
    opens: ['instance', 'incident'],
  })
  return [...known, unknown]
}

const growth = recorded<'incident' | TargetLabel>('incident:dcsim_incident_customers_affected:growth')

function growing(settings: Settings): RuleGroup['recordings'] {
  const affected = by('max', metric('dcsim_incident_customers_affected'), ['incident'])
  const window = scaleRange(settings, 120)
  const before = by('min', overTime('min_over_time', 'dcsim_incident_customers_affected', window), [
    'incident',
  ])
  return [recordAveraged(settings, growth.text, calculate(affected, '-', before))]
}

function stakes(make: DefineAlert, settings: Settings): Alert[] {
  const { revenueAtRiskShare } = settings.thresholds
  const atRisk = by('sum', metric('dcsim_incidents_revenue_at_risk_hourly_dollars'))
  const revenue = by('sum', metric('dcsim_customer_revenue_last_hour_dollars'))
  const complianceAtRisk = metric('dcsim_incident_info', { compliance_at_risk: isNot('') })
  return [
    make('DcsimIncidentRevenueAtRisk', {
      severity: 'warning',
      expr: compare(calculate(atRisk, '/', revenue), '>', revenueAtRiskShare),
      summary: 'Much of the revenue hangs on active incidents.',
      description:
        `Active incidents put ${percent} of the revenue of {instance} at risk.` +
        ' Begin with the one that has most of it.',
      dashboard: 'incidents',
      opens: ['instance'],
    }),
    make('DcsimIncidentRedundancyBroken', {
      severity: 'info',
      expr: compare(by('max', metric('dcsim_incident_redundancy_promise_broken'), ['incident']), '==', 1),
      key: ['incident'],
      summary: 'An incident breaks a redundancy promise.',
      description:
        'Something that customers were promised twice is there only once: the next fault takes it down.' +
        ` Incident {incident}. ${incidentAnnotation}`,
      dashboard: 'incident',
      opens: ['instance', 'incident'],
    }),
    make('DcsimIncidentComplianceAtRisk', {
      severity: 'warning',
      expr: by('max', complianceAtRisk, ['incident', 'compliance_at_risk']),
      key: ['incident'],
      summary: 'An incident puts compliance at risk.',
      description: `Incident {incident} endangers {compliance_at_risk}. ${incidentAnnotation}`,
      dashboard: 'incident',
      opens: ['instance', 'incident'],
    }),
  ]
}

/** The older an incident of these, the worse: one that is merely watched may wait. */
function attention(make: DefineAlert, settings: Settings): Alert[] {
  const { incidentUnattendedMinutes } = settings.thresholds
  const band = noneOf(['Watch', 'Minor'])
  const started = by('max', metric('dcsim_incident_started_seconds', { band }), ['incident'])
  // How old it is, negative, so that the many stand on the left.
  const age = calculate(calculateEach(started, '-', metric('dcsim_sim_time_seconds')), '*', -1)
  const old = compare(age, '>', incidentUnattendedMinutes * 60)
  return [
    make('DcsimIncidentUnattended', {
      severity: 'warning',
      expr: filter(old, 'unless', metric('dcsim_work_order_progress_ratio', { incident: isNot('') }), [
        'incident',
      ]),
      holds: 20,
      key: ['incident'],
      summary: 'Nobody works on a grave incident.',
      description:
        'Incident {incident} has been open for {{ $value | humanizeDuration }} of game time, and no work order' +
        ` belongs to it. ${incidentInfo}`,
      dashboard: 'incident',
      opens: ['instance', 'incident'],
    }),
    make('DcsimIncidentWorsens', {
      severity: 'warning',
      expr: compare(growth, '>=', settings.thresholds.customersAddedHigh),
      key: ['incident'],
      summary: 'An incident reaches ever more customers.',
      description: `Incident {incident} reaches ${wholeNumber} customers more than before. ${incidentAnnotation}`,
      dashboard: 'incident',
      opens: ['instance', 'incident'],
    }),
  ]
}

export function incidentRules(settings: Settings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return {
    subject,
    recordings: growing(settings),
    alerts: [...byBand(make), ...stakes(make, settings), ...attention(make, settings)],
  }
}
