import { bands } from '../../src/contract/vocabularies.ts'
import type { Band } from '../../src/contract/vocabularies.ts'
import {
  atMost,
  by,
  calculate,
  calculateEach,
  compare,
  either,
  filter,
  isNot,
  metric,
  noneOf,
  anyOf,
  overTime,
  recorded,
  simple,
} from '../../promql/expressions.ts'
import type { Matcher } from '../../promql/expressions.ts'
import type { TargetLabel } from '../../promql/metrics.ts'
import { alertDefiner, recordAveraged } from '../rule.ts'
import type { Alert, DefineAlert, RuleGroup } from '../rule.ts'
import { promDuration, scaled, scaleRange, windowName } from '../settings.ts'
import { severityOfBand } from '../severity.ts'
import type { AlertSettings } from '../settings.ts'
import type { AlertName } from '../cases/alert-cases.ts'
import { explained } from '../explained.ts'
import {
  valueAsCount,
  valueAsDuration,
  incidentBand,
  incidentLasted,
  incidentSince,
  incidentState,
  incidentTitle,
  valueAsPercent,
  stateBesidesCompliance,
  whileFelt,
} from '../annotation-text.ts'

const subject = 'incidents'

const bandAlerts: Readonly<Record<Band, { readonly alert: AlertName; readonly next: string }>> = {
  Watch: {
    alert: 'DcsimIncidentWatch',
    next: 'Little or no harm so far: check whether it recurs.',
  },
  Minor: {
    alert: 'DcsimIncidentMinor',
    next: 'Check that it has a work order and that nothing blocks the work.',
  },
  Major: {
    alert: 'DcsimIncidentMajor',
    next: 'Read its evidence, and check who works on it and what blocks the work.',
  },
  Critical: {
    alert: 'DcsimIncidentCritical',
    next: 'Handle it first: check who works on it, and clear what blocks the work.',
  },
}

const subjectOf = 'Incident {incident}'

/** Bands of incidents fluctuate: an alert on one band outlasts a short time in the next lower one. */
const bandKeepFiringSeconds = 120

/** The end of a grave incident is announced at once: only a scrape that fails is bridged. */
const bridgesSeconds = 5

const times = { since: incidentSince, lasted: incidentLasted }

/** The time for which an incident counts as grave after its band has dropped, unless it ends. */
const graveSeconds = 600

/** While it is grave, one that was Critical within this time counts as Critical: its band goes to and fro. */
const criticalSeconds = 1800

const graveBands = anyOf(['Major', 'Critical'])
const isGrave = () =>
  compare(by('max', metric('dcsim_incident_info', { band: graveBands }), ['incident']), '==', 1)
const wasLately = (settings: AlertSettings, band: Matcher | 'Critical') => {
  const window = scaleRange(settings, band === 'Critical' ? criticalSeconds : graveSeconds)
  return by('max', overTime('max_over_time', 'dcsim_incident_info', window, { band }), ['incident'])
}

/**
 * Band, cause and customers are queried in the text, so that an alert keeps its identity while they change. An incident
 * fires one of the two alerts of grave bands, so that an Alertmanager that comes up late sends one message about it; the
 * end of the other is inhibited by `DcsimIncidentWasGrave`. A recently grave incident counts as grave until it ends: some
 * drop to a lower band for minutes.
 */
function byBand(make: DefineAlert, settings: AlertSettings): Alert[] {
  const known = bands.map((band) => {
    const common = {
      severity: severityOfBand[band],
      key: ['incident'],
      subject: subjectOf,
      dashboard: 'incident',
      opens: ['instance', 'incident'],
    } as const
    if (band === 'Watch' || band === 'Minor') {
      return make(bandAlerts[band].alert, {
        ...common,
        keepFiringSeconds: bandKeepFiringSeconds,
        description: `${incidentState}${bandAlerts[band].next}`,
        expr: compare(by('max', metric('dcsim_incident_info', { band }), ['incident', 'band']), '==', 1),
        summary: `{band} incident ${incidentTitle}`,
      })
    }
    const isOpen = compare(by('max', metric('dcsim_incident_info'), ['incident']), '==', 1)
    const wasGrave = filter(isOpen, 'and', wasLately(settings, graveBands), ['incident'])
    return make(bandAlerts[band].alert, {
      ...common,
      bridgesSeconds,
      times,
      description: `${incidentState}${whileFelt(bandAlerts[band].next)}`,
      expr: filter(wasGrave, band === 'Major' ? 'unless' : 'and', wasLately(settings, 'Critical'), [
        'incident',
      ]),
      summary: `${incidentBand} incident ${incidentTitle}`,
    })
  })
  const unknown = make('DcsimIncidentOfUnknownBand', {
    severity: severityOfBand.unknown,
    expr: compare(
      by('max', metric('dcsim_incident_info', { band: noneOf(bands) }), ['incident', 'band']),
      '==',
      1,
    ),
    key: ['incident'],
    bridgesSeconds,
    times,
    subject: subjectOf,
    summary: `{band} incident ${incidentTitle}`,
    description: `These rules do not know the band {band}, which may be graver than all others. ${incidentState}Open the incident and judge its impact.`,
    dashboard: 'incident',
    opens: ['instance', 'incident'],
  })
  return [...known, unknown]
}

/** The longest window of other alerts that still contains the effects of the incident. */
const scopeKeepFiringSeconds = 360

/** Prometheus repeats a resolved alert for a quarter of an hour. */
const resolvedRepeatSeconds = 960

/**
 * The entities that a grave incident concerns, or concerned lately, which inhibit alerts on the same entities. An incident
 * concerns up to hundreds of hosts and customers, hence only those with something to inhibit.
 */
function scope(make: DefineAlert, settings: AlertSettings): Alert {
  const entities = ['incident', 'az', 'subject', 'customer', 'tier', 'class', 'host'] as const
  const window = scaleRange(settings, scopeKeepFiringSeconds)
  const concerned = (where: { readonly [L in 'customer' | 'host']: string | Matcher }) =>
    by(
      'max',
      overTime('max_over_time', 'dcsim_incident_scope_info', window, {
        band: noneOf(['Watch', 'Minor']),
        ...where,
      }),
      entities,
    )
  const alertsWindow = promDuration(resolvedRepeatSeconds + scaled(settings, scopeKeepFiringSeconds))
  const alerted = (label: 'customer' | 'host') => {
    const alerts = recorded<string>('ALERTS', { alertname: anyOf(explained[label]) })
    const lately = simple<typeof label | TargetLabel>(`max_over_time(${alerts.text}[${alertsWindow}])`)
    return filter(concerned({ customer: '', host: '', [label]: isNot('') }), 'and', lately, [label])
  }
  return make('DcsimIncidentScope', {
    severity: 'none',
    expr: either(concerned({ customer: '', host: '' }), alerted('customer'), alerted('host')),
    key: ['incident'],
    summary: 'Incident {incident} explains alerts about what it concerns',
    description:
      'Never notifies: while it fires, Alertmanager holds back warnings about what incident {incident} affects.',
    dashboard: 'incident',
    opens: ['instance', 'incident'],
  })
}

/**
 * The end of an incident is announced once: by the alert that paged if it was Critical, otherwise by the alert for
 * Major. Alerts that the incident explained end with it or later, and would otherwise be announced beside it. An
 * incident that drops to Major is announced as such.
 */
function wasGrave(make: DefineAlert, settings: AlertSettings): Alert {
  const window = promDuration(resolvedRepeatSeconds + scaled(settings, graveSeconds + bandKeepFiringSeconds))
  const was = by('max', overTime('max_over_time', 'dcsim_incident_info', window, { band: graveBands }), [
    'incident',
    'band',
  ])
  const isOnlyMajor = filter(isGrave(), 'unless', wasLately(settings, 'Critical'), ['incident'])
  return make('DcsimIncidentWasGrave', {
    severity: 'none',
    expr: filter(was, 'unless', isOnlyMajor, ['incident']),
    key: ['incident'],
    summary: 'Incident {incident} is or was {band}',
    description:
      'Never notifies: while it fires, Alertmanager holds back what ends with incident {incident}, so that one message announces its end.',
    dashboard: 'incident',
    opens: ['instance', 'incident'],
  })
}

/** Wall seconds at the design speed. */
const growthSeconds = 120

const growth = recorded<'incident' | TargetLabel>(
  `incident:dcsim_incident_customers_affected:growth_${windowName(growthSeconds)}`,
)

const growthWindow = (settings: AlertSettings): string => scaleRange(settings, growthSeconds)

function growing(settings: AlertSettings): RuleGroup['recordings'] {
  const affected = by('max', metric('dcsim_incident_customers_affected'), ['incident'])
  const window = growthWindow(settings)
  const before = by('min', overTime('min_over_time', 'dcsim_incident_customers_affected', window), [
    'incident',
  ])
  return [recordAveraged(settings, growth.text, calculate(affected, '-', before))]
}

function stakes(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { revenueAtRiskShare } = settings.thresholds
  const atRisk = by('sum', metric('dcsim_incidents_revenue_at_risk_dollars_per_hour'))
  const revenue = by('sum', metric('dcsim_customer_revenue_last_hour_dollars'))
  const complianceAtRisk = metric('dcsim_incident_info', { compliance_at_risk: isNot('') })
  return [
    make('DcsimIncidentRevenueAtRisk', {
      severity: 'warning',
      // A customer that two incidents affect counts in both.
      expr: compare(atMost(calculate(atRisk, '/', revenue), 1), '>', revenueAtRiskShare),
      forSeconds: 20,
      keepFiringSeconds: 60,
      summary: `Active incidents put ${valueAsPercent} of the revenue at risk`,
      description:
        'The revenue of {world} depends on what these incidents affect.' +
        ' Start with the largest: the Incidents dashboard sorts by revenue at risk.',
      dashboard: 'incidents',
      opens: ['instance'],
    }),
    make('DcsimIncidentRedundancyBroken', {
      severity: 'info',
      expr: compare(by('max', metric('dcsim_incident_redundancy_promise_broken'), ['incident']), '==', 1),
      key: ['incident'],
      subject: subjectOf,
      summary: `Redundancy lost in incident ${incidentTitle}`,
      description: `Customers were promised redundancy that is gone: the next fault takes their service down. ${incidentState}Repair it before other work on the same path.`,
      dashboard: 'incident',
      opens: ['instance', 'incident'],
    }),
    make('DcsimIncidentComplianceAtRisk', {
      severity: 'warning',
      expr: compare(by('max', complianceAtRisk, ['incident', 'compliance_at_risk']), '==', 1),
      // If the incident becomes grave, its notification contains this, too.
      forSeconds: 120,
      key: ['incident'],
      keepFiringSeconds: 60,
      subject: subjectOf,
      summary: `{compliance_at_risk} compliance at risk in incident ${incidentTitle}`,
      description: `${stateBesidesCompliance}Handle it before other incidents of its band.`,
      dashboard: 'incident',
      opens: ['instance', 'incident'],
    }),
  ]
}

/** The less attention a grave incident gets, the worse; one of band Watch may wait. */
function attention(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { incidentUnattendedMinutes } = settings.thresholds
  const window = growthWindow(settings)
  const band = noneOf(['Watch', 'Minor'])
  const started = by('max', metric('dcsim_incident_started_sim_timestamp_seconds', { band }), ['incident'])
  // The age, computed with a negative sign, so that the side with many series is on the left.
  const age = calculate(calculateEach(started, '-', metric('dcsim_sim_time_seconds')), '*', -1)
  const old = compare(age, '>', incidentUnattendedMinutes * 60)
  const attended = metric('dcsim_work_order_progress_ratio', { incident: isNot('') })
  // Where work orders are unknown, no incident lacks one.
  const areOrdersKnown = metric('dcsim_work_orders_blocked')
  return [
    make('DcsimIncidentUnattended', {
      severity: 'warning',
      expr: filter(filter(old, 'unless', attended, ['incident']), 'and', areOrdersKnown),
      // Of an incident that becomes Critical soon, the page is enough.
      forSeconds: 120,
      keepFiringSeconds: 240,
      key: ['incident'],
      subject: subjectOf,
      summary: `No open work order for incident ${incidentTitle}`,
      description: `The incident has been open for ${valueAsDuration} of simulated time, and no work order is open. Check on the Money dashboard that technicians are on shift and free.`,
      dashboard: 'incident',
      opens: ['instance', 'incident'],
    }),
    make('DcsimIncidentWorsens', {
      severity: 'warning',
      expr: compare(growth, '>=', settings.thresholds.customersAddedHigh),
      // If it becomes grave meanwhile, that message says it.
      forSeconds: 30,
      key: ['incident'],
      keepFiringSeconds: 60,
      subject: subjectOf,
      summary: `${valueAsCount('more customer')} affected by incident ${incidentTitle}`,
      description: `The incident reached ${valueAsCount('more customer')} within the last ${window}. ${incidentState}When a fault spreads, load has often moved: look for links, fabrics and pools that filled up since.`,
      dashboard: 'incident',
      opens: ['instance', 'incident'],
    }),
  ]
}

export function incidentRules(settings: AlertSettings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return {
    subject,
    recordings: growing(settings),
    alerts: [
      ...byBand(make, settings),
      scope(make, settings),
      wasGrave(make, settings),
      ...stakes(make, settings),
      ...attention(make, settings),
    ],
  }
}
