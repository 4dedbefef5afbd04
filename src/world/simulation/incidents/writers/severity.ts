import { numberText } from '../../../../contract/messages/catalog.ts'
import { bands, compliances, tiers } from '../../../../contract/vocabularies.ts'
import type { ObservedWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { minute } from '../../time.ts'
import { customerIdOf } from '../correlation/subjects.ts'
import { isGraver, higherBand, noImpact } from '../impact.ts'
import { announceLowered, announceRaised } from '../incident-events.ts'
import type { Impact, Incident, Symptom } from '../model.ts'
import { touch, writable } from '../model.ts'
import { addTimelineEntry } from './timeline.ts'

/** The band of an incident: the highest of its impact over the hold time. */

/** Hold time of a band, longer than the fluctuation of an attack or surge. */
const bandHoldTime: Micros = 20 * minute
/** Smaller relative changes of the revenue at risk do not change the record. */
const revenueChangeMin = 0.05

/** Writes the impact of a new incident. */
export function assessFirst({ now }: ObservedWorld, incident: Incident, impact: Impact): void {
  const fields = writable(incident, 'severity')
  fields.impact = impact
  fields.peakImpact = impact
  fields.band = impact.band
  fields.peakBand = impact.band
  fields.bandSeenAt.set(impact.band, now)
  fields.customersNoted = impact.customers.length
  fields.revenueAtRiskPerHour = impact.revenueAtRiskPerHour
  touch(incident, now)
}

/** Shows a resolved incident's impact at its peak. */
export function showPeak({ now }: ObservedWorld, incident: Incident): void {
  const fields = writable(incident, 'severity')
  fields.impact = incident.peakImpact
  fields.band = incident.peakBand
  touch(incident, now)
}

/**
 * Drops the band that came with a customer of another incident, and a peak that counts the customer unless the timeline tells
 * of it; the next impact replaces them.
 */
export function dropImpactOn(incident: Incident, { subject, since }: Symptom): void {
  const id = customerIdOf(subject)
  if (id === null || !incident.peakImpact.customers.includes(id)) return
  const fields = writable(incident, 'severity')
  const isTold =
    incident.band !== 'Watch' ||
    incident.timeline.some(({ at, kind }) => at >= since && kind === 'CustomersAffected')
  if (!isTold) fields.peakImpact = noImpact
  for (const [band, at] of incident.bandSeenAt) if (at >= since) fields.bandSeenAt.delete(band)
}

/** `isAftermath` after the end of the cause: the effects that outlast it pass by themselves, and do not raise the band. */
export function applyImpact(
  world: ObservedWorld,
  incident: Incident,
  impact: Impact,
  isAftermath = false,
): void {
  const fields = writable(incident, 'severity')
  fields.peakImpact = greatest(incident.peakImpact, impact)
  if (isChanged(incident.impact, impact)) {
    const count = impact.customers.length
    if (count > 0 && count >= 2 * incident.customersNoted) {
      fields.customersNoted = count
      addTimelineEntry(world, incident, 'CustomersAffected', customersText(count))
    }
    fields.impact = impact
    fields.revenueAtRiskPerHour = impact.revenueAtRiskPerHour
    touch(incident, world.now)
  }
  fields.bandSeenAt.set(impact.band, world.now)
  if (isGraver(impact.band, incident.band) && !isAftermath) raiseBand(world, incident, impact)
  else if (isGraver(incident.band, impact.band)) lowerBand(world, incident)
  fields.peakBand = higherBand(incident.peakBand, incident.band)
}

/** The impact is that of an earlier poll: its band is seen again, and a graver one may have passed. */
export function holdBand(world: ObservedWorld, incident: Incident, polled: Micros): void {
  const band = bands.find((seen) => incident.bandSeenAt.get(seen) === polled)
  if (band === undefined) return
  writable(incident, 'severity').bandSeenAt.set(band, world.now)
  if (isGraver(incident.band, band)) lowerBand(world, incident)
}

/** The greatest of each figure: revenue, customers and hosts may peak at different times. */
const greatest = (a: Impact, b: Impact): Impact => ({
  band: higherBand(a.band, b.band),
  customers: b.customers.length > a.customers.length ? b.customers : a.customers,
  hosts: b.hostTotal > a.hostTotal ? b.hosts : a.hosts,
  hostTotal: Math.max(a.hostTotal, b.hostTotal),
  revenueAtRiskPerHour: Math.max(a.revenueAtRiskPerHour, b.revenueAtRiskPerHour),
  revenueShare: Math.max(a.revenueShare, b.revenueShare),
  customerShare: Math.max(a.customerShare, b.customerShare),
  tier: higherOf(tiers, a.tier, b.tier),
  compliance: higherOf(compliances, a.compliance, b.compliance),
  redundancyBroken: a.redundancyBroken || b.redundancyBroken,
})

const higherOf = <T>(order: readonly T[], a: T | null, b: T | null): T | null =>
  a === null || (b !== null && order.indexOf(b) > order.indexOf(a)) ? b : a

const customersText = (count: number): string =>
  count === 1 ? '1 customer is affected.' : `${count} customers are affected.`

const isSameList = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

const isChanged = (a: Impact, b: Impact): boolean =>
  Math.abs(a.revenueAtRiskPerHour - b.revenueAtRiskPerHour) >
    revenueChangeMin * Math.max(a.revenueAtRiskPerHour, b.revenueAtRiskPerHour) ||
  a.hostTotal !== b.hostTotal ||
  a.tier !== b.tier ||
  a.compliance !== b.compliance ||
  a.redundancyBroken !== b.redundancyBroken ||
  !isSameList(a.customers, b.customers) ||
  !isSameList(a.hosts, b.hosts)

function raiseBand(world: ObservedWorld, incident: Incident, impact: Impact): void {
  const fields = writable(incident, 'severity')
  const from = incident.band
  fields.band = impact.band
  const why = impactText(impact)
  addTimelineEntry(world, incident, 'BandRaised', `From ${from} to ${incident.band}: ${why}.`)
  announceRaised(world, incident, from, why)
}

function impactText({ customers, revenueAtRiskPerHour }: Impact): string {
  if (customers.length === 0) return 'redundancy is lost'
  const isSmall = revenueAtRiskPerHour < 10
  const dollars = isSmall ? revenueAtRiskPerHour.toFixed(2) : numberText(Math.round(revenueAtRiskPerHour))
  const noun = customers.length === 1 ? 'customer' : 'customers'
  if (dollars === '0.00') return `${customers.length} ${noun} and less than $0.01 an hour at risk`
  return `${customers.length} ${noun} and $${dollars} an hour at risk`
}

/** Lowers the band to the highest one within the hold time. */
function lowerBand(world: ObservedWorld, incident: Incident): void {
  const from = incident.band
  const recent = bands.filter(
    (band) => world.now - (incident.bandSeenAt.get(band) ?? -Infinity) < bandHoldTime,
  )
  const to = recent.reduce(higherBand)
  if (!isGraver(from, to)) return
  writable(incident, 'severity').band = to
  addTimelineEntry(world, incident, 'BandLowered', `From ${from} to ${to}.`)
  announceLowered(world, incident, from)
}
