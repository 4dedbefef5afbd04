import type { Band } from '../../../../src/contract/vocabularies.ts'
import type { IncidentRecord } from '../../../../src/contract/collections.ts'
import { thresholds } from '../../../../src/contract/thresholds.ts'
import { ofRecords } from '../claim.ts'
import type { Claim, KeyedStrength, Sight } from '../claim.ts'
import { SampleWindow } from '../sample-window.ts'
import { scrapeSeconds } from '../scrape.ts'

const incidents = (holds: (incident: IncidentRecord, sight: Sight) => boolean): Claim =>
  ofRecords('incident', 'incidents', holds)

/** An incident that is grave, or was within ten minutes, by whether it was Critical within half an hour. */
function lasting(band: 'Major' | 'Critical'): Claim {
  const graveAt = new Map<string, number>()
  const criticalAt = new Map<string, number>()
  const criticalFrom = new Map<string, number>()
  const seenCriticalAt = new Map<string, number>()
  return {
    key: ['incident'],
    tolerance: 0.5,
    *look({ at, snapshot }) {
      for (const { id, band: now } of snapshot.collections.incidents) {
        const key = String(id)
        if (now === 'Major' || now === 'Critical') graveAt.set(key, at)
        if (now === 'Critical') {
          criticalAt.set(key, at)
          if (!criticalFrom.has(key)) criticalFrom.set(key, at)
          if (at - criticalFrom.get(key)! >= scrapeSeconds) seenCriticalAt.set(key, at)
        } else criticalFrom.delete(key)
        const since = at - (graveAt.get(key) ?? -Infinity)
        const sinceCritical = at - (criticalAt.get(key) ?? -Infinity)
        // A change of band may be too short for a scrape.
        const sinceSeen = at - (seenCriticalAt.get(key) ?? -Infinity)
        const isNearly = band === 'Critical' ? sinceCritical < 1785 : sinceSeen < 15 || sinceSeen > 1785
        const isSurely = since === 0 && (band === 'Critical' ? sinceCritical === 0 : sinceCritical > 1815)
        if (since < 585 && isNearly) yield [key, isSurely ? 2 : 1]
      }
    },
  }
}

/** An incident that was grave within 28 minutes, unless it is Major now and was not Critical within thirty. */
function graveBefore(): Claim {
  const graveAt = { Major: new Map<string, number>(), Critical: new Map<string, number>() }
  return {
    key: ['incident', 'band'],
    *look({ at, snapshot }) {
      const bandOf = new Map(snapshot.collections.incidents.map(({ id, band }) => [String(id), band]))
      for (const [id, band] of bandOf) if (band === 'Major' || band === 'Critical') graveAt[band].set(id, at)
      for (const [band, since] of Object.entries(graveAt)) {
        for (const [id, last] of since) {
          const wasCritical = at - (graveAt.Critical.get(id) ?? -Infinity) < 1785
          if (at - last < 1665 && (bandOf.get(id) !== 'Major' || wasCritical)) yield [`${id}/${band}`, 2]
        }
      }
    },
  }
}

const ofBand = (band: Band): Claim => incidents((incident) => incident.band === band)

/** Revenue at risk from incidents, as a share of current revenue. */
function revenueAtRisk({ state }: Sight): KeyedStrength[] {
  let atRisk = 0
  for (const { revenueAtRiskPerHour } of state.incidents.values()) atRisk += revenueAtRiskPerHour
  const revenue = state.tenants.active.reduce((sum, { revenuePerHour }) => sum + revenuePerHour, 0)
  return revenue > 0 ? [['', Math.min(1, atRisk / revenue) / thresholds.revenueAtRiskShare]] : []
}

const minuteNs = 60_000_000_000n

function unattended(incident: IncidentRecord, { snapshot }: Sight): boolean {
  if (incident.band === 'Watch' || incident.band === 'Minor') return false
  const age = (snapshot.simTimeNs - BigInt(incident.started_at_ns)) / minuteNs
  const isAttended = snapshot.collections.workOrders.some(
    (order) => order.incident_id === incident.id && order.resolved_at_ns === null,
  )
  return age > thresholds.incidentUnattendedMinutes && !isAttended
}

/**
 * The scope of a new incident is no growth, and a scrape may miss a short decrease: both are known after two scrapes.
 */
const found = 10

function worsens(): Claim {
  const samples = new SampleWindow()
  const laterSamples = new SampleWindow()
  return {
    key: ['incident'],
    tolerance: 0.5,
    lingers: 120,
    *look({ at, snapshot }) {
      for (const { id: number, affected_customer_ids: customers } of snapshot.collections.incidents) {
        const id = String(number)
        samples.note(id, at, customers.length)
        if (samples.known(id, at, found) >= found) laterSamples.note(id, at, samples.most(id, at, found))
        const grows = (least: number): boolean => customers.length - least >= thresholds.customersAddedHigh
        if (grows(laterSamples.least(id, at, 110))) yield [id, 2]
        else if (grows(samples.least(id, at, 120))) yield [id, 1]
      }
    },
  }
}

export const incidentClaims = () => ({
  // A grave incident inhibits the alerts that it explains.
  DcsimIncidentScope: incidents(({ band }) => band === 'Major' || band === 'Critical'),
  DcsimIncidentWatch: ofBand('Watch'),
  DcsimIncidentMinor: ofBand('Minor'),
  DcsimIncidentMajor: lasting('Major'),
  DcsimIncidentCritical: lasting('Critical'),
  DcsimIncidentWasGrave: graveBefore(),
  DcsimIncidentRevenueAtRisk: {
    key: [],
    look: revenueAtRisk,
    tolerance: 0.2,
    amount: { unit: 'percent' as const, scale: thresholds.revenueAtRiskShare, tolerance: 0.25 },
  },
  DcsimIncidentRedundancyBroken: incidents((incident) => incident.redundancy_promise_broken),
  DcsimIncidentComplianceAtRisk: incidents((incident) => incident.compliance_at_risk !== null),
  DcsimIncidentUnattended: {
    ...incidents(unattended),
    amount: {
      unit: 'duration' as const,
      of: ({ snapshot }: Sight) =>
        snapshot.collections.incidents.map(
          ({ id, started_at_ns: started }) =>
            [String(id), Number((snapshot.simTimeNs - BigInt(started)) / 1_000_000n) / 1000] as const,
        ),
    },
  },
  DcsimIncidentWorsens: worsens(),
})
