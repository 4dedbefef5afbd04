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
import type { AlertName } from '../alert-cases.ts'
import { counted, duration, incidentState, incidentTitle, percent } from '../annotation-text.ts'

const subject = 'incidents'

const bandAlerts: Readonly<Record<Band, { readonly alert: AlertName; readonly next: string }>> = {
  Watch: {
    alert: 'DcsimIncidentWatch',
    next: 'It does little or no harm so far: see whether it comes back.',
  },
  Minor: { alert: 'DcsimIncidentMinor', next: 'See that a work order exists and is not blocked.' },
  Major: {
    alert: 'DcsimIncidentMajor',
    next: 'Read its evidence, and see who works on it and what that waits for.',
  },
  Critical: {
    alert: 'DcsimIncidentCritical',
    next: 'Work on it before all else: see who is on it, and clear what blocks them.',
  },
}

const subjectOf = 'Incident {incident}'

/** The band and the incident stay the same while it lasts; cause and customers are looked up for the text. */
function byBand(make: DefineAlert): Alert[] {
  const known = bands.map((band) =>
    make(bandAlerts[band].alert, {
      severity: severityOfBand[band],
      expr: compare(by('max', metric('dcsim_incident_info', { band }), ['incident', 'band']), '==', 1),
      key: ['incident'],
      subject: subjectOf,
      summary: `{band} incident ${incidentTitle}`,
      description: `${incidentState}${bandAlerts[band].next}`,
      dashboard: 'incident',
      opens: ['instance', 'incident'],
    }),
  )
  const unknown = make('DcsimIncidentOfUnknownBand', {
    severity: severityOfBand.unknown,
    expr: compare(
      by('max', metric('dcsim_incident_info', { band: noneOf(bands) }), ['incident', 'band']),
      '==',
      1,
    ),
    key: ['incident'],
    subject: subjectOf,
    summary: `{band} incident ${incidentTitle}`,
    description: `These rules do not know the band {band}, which may be graver than all others. ${incidentState}Open it and judge for yourself.`,
    dashboard: 'incident',
    opens: ['instance', 'incident'],
  })
  return [...known, unknown]
}

/** What a grave incident concerns, so that alerts about the same are not told beside it. */
function scope(make: DefineAlert): Alert {
  const grave = metric('dcsim_incident_scope', { band: noneOf(['Watch', 'Minor']) })
  return make('DcsimIncidentScope', {
    severity: 'none',
    expr: compare(
      by('max', grave, ['incident', 'band', 'az', 'subject', 'customer', 'tier', 'class', 'host']),
      '==',
      1,
    ),
    key: ['incident'],
    summary: 'Incident {incident} explains alerts about what it concerns',
    description:
      'Tells nobody anything: while it fires, Alertmanager holds back warnings about what incident {incident} concerns.',
    dashboard: 'incident',
    opens: ['instance', 'incident'],
  })
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
      summary: `${percent} of the revenue is at risk in active incidents`,
      description:
        `Active incidents put ${percent} of the revenue of {world} at risk.` +
        ' Begin with the one that has most of it; the Incidents dashboard sorts them so.',
      dashboard: 'incidents',
      opens: ['instance'],
    }),
    make('DcsimIncidentRedundancyBroken', {
      severity: 'info',
      expr: compare(by('max', metric('dcsim_incident_redundancy_promise_broken'), ['incident']), '==', 1),
      key: ['incident'],
      subject: subjectOf,
      summary: `Redundancy lost in incident ${incidentTitle}`,
      description: `Something that customers were promised twice is there only once: the next fault takes it down. ${incidentState}Repair it before other work on the same path.`,
      dashboard: 'incident',
      opens: ['instance', 'incident'],
    }),
    make('DcsimIncidentComplianceAtRisk', {
      severity: 'warning',
      expr: compare(by('max', complianceAtRisk, ['incident', 'compliance_at_risk']), '==', 1),
      key: ['incident'],
      subject: subjectOf,
      summary: `{compliance_at_risk} compliance at risk in incident ${incidentTitle}`,
      description: `Customers under {compliance_at_risk} are affected. ${incidentState}Put it before others of its band.`,
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
      subject: subjectOf,
      summary: `Nobody works on incident ${incidentTitle}`,
      description: `It has been open for ${duration} of game time, and no work order belongs to it. See on the Business dashboard whether anybody is on shift and free.`,
      dashboard: 'incident',
      opens: ['instance', 'incident'],
    }),
    make('DcsimIncidentWorsens', {
      severity: 'warning',
      expr: compare(growth, '>=', settings.thresholds.customersAddedHigh),
      key: ['incident'],
      lingers: 60,
      subject: subjectOf,
      summary: `${counted('customer')} more affected by incident ${incidentTitle}`,
      description: `It has reached ${counted('more customer')} within two game hours. ${incidentState}A fault that spreads is often load that moved: look for links, fabrics and pools that filled up since.`,
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
    alerts: [...byBand(make), scope(make), ...stakes(make, settings), ...attention(make, settings)],
  }
}
