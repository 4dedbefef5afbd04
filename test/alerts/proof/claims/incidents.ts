import { bands } from '../../../../src/contract/vocabularies.ts'
import type { IncidentRecord } from '../../../../src/contract/collections.ts'
import { thresholds } from '../../../../alerts/thresholds.ts'
import { type Claim, type Holding, type Sight, where } from '../claim.ts'
import { Past } from '../past.ts'

const incidents = (holds: (incident: IncidentRecord, sight: Sight) => boolean): Claim => ({
  key: ['incident'],
  look: (sight) =>
    where(sight.snapshot.collections.incidents, (incident) => holds(incident, sight), ({ id }) => String(id)),
})

const ofBand = (band: (typeof bands)[number]): Claim => incidents((incident) => incident.band === band)

/** Revenue that hangs on incidents, of what customers bring now. */
function revenueAtRisk({ state }: Sight): Holding[] {
  let atRisk = 0
  for (const { revenueAtRiskPerHour } of state.incidents.values()) atRisk += revenueAtRiskPerHour
  const revenue = state.tenants.active.reduce((sum, { revenuePerHour }) => sum + revenuePerHour, 0)
  return revenue > 0 ? [['', atRisk / revenue / thresholds.revenueAtRiskShare]] : []
}

const minuteNs = 60_000_000_000n

function unattended(incident: IncidentRecord, { snapshot }: Sight): boolean {
  if (incident.band === 'Watch' || incident.band === 'Minor') return false
  const age = (snapshot.simTimeNs - BigInt(incident.started_at_ns)) / minuteNs
  if (age <= thresholds.incidentUnattendedMinutes) return false
  return !snapshot.collections.workOrders.some(
    (order) => order.incident_id === incident.id && order.resolved_at_ns === null,
  )
}

function worsens(): Claim {
  const past = new Past()
  return {
    key: ['incident'],
    lingers: 120,
    *look({ at, snapshot }) {
      for (const { id, affected_customer_ids: customers } of snapshot.collections.incidents) {
        past.note(String(id), at, customers.length)
        const more = customers.length - past.least(String(id), at, 120)
        if (more >= thresholds.customersAddedHigh) yield [String(id), 2]
      }
    },
  }
}

export const incidentClaims = () => ({
  IncidentWatch: ofBand('Watch'),
  IncidentMinor: ofBand('Minor'),
  IncidentMajor: ofBand('Major'),
  IncidentCritical: ofBand('Critical'),
  IncidentRevenueAtRisk: { key: [], look: revenueAtRisk, tolerance: 0.2 },
  IncidentRedundancyBroken: incidents((incident) => incident.redundancy_promise_broken),
  IncidentComplianceAtRisk: incidents((incident) => incident.compliance_at_risk !== null),
  IncidentUnattended: incidents(unattended),
  IncidentWorsens: worsens(),
})
