import type { ObservedWorld } from '../../state.ts'
import { deviceOfPort, endsOf, sameTarget, zonesOf } from '../../topology/entities.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import type { Tenant } from '../../tenants/tenant.ts'
import type { Subject } from '../monitors/signals.ts'

/** Relations between subjects of symptoms and targets of faults. */

export const isSameSubject = (a: Subject, b: Subject): boolean =>
  a.kind === 'Zone' ? b.kind === 'Zone' && a.row === b.row : b.kind !== 'Zone' && sameTarget(a, b)

export const zonesOfSubject = (world: ObservedWorld, subject: Subject): number[] =>
  subject.kind === 'Zone' ? [subject.row] : zonesOf(world, subject)

export function shareZone(world: ObservedWorld, a: Subject, b: Subject): boolean {
  const zones = zonesOfSubject(world, a)
  return zonesOfSubject(world, b).some((zone) => zones.includes(zone))
}

export const isPortOfCable = ({ topology }: ObservedWorld, port: FaultTarget, cable: FaultTarget): boolean =>
  port.kind === 'Port' && cable.kind === 'Cable' && topology.ports.cable[port.row] === cable.row

/** Whether a subject is a part itself, or the cable of a port. */
export const isAtPart = (world: ObservedWorld, subject: Subject, part: FaultTarget): boolean =>
  subject.kind !== 'Zone' && (sameTarget(subject, part) || isPortOfCable(world, part, subject))

/** Whether a cable is plugged into a device. */
export const isPluggedInto = (
  { topology }: ObservedWorld,
  cable: FaultTarget,
  device: FaultTarget,
): boolean =>
  cable.kind === 'Cable' &&
  endsOf(topology, cable.row).some((port) => {
    const owner = deviceOfPort(topology, port)
    return owner !== null && sameTarget(owner, device)
  })

/**
 * Whether two devices of a zone are redundant peers: switches of one role (edge switches also of one rack), gateways,
 * or appliances.
 */
export function isPeer({ topology: { switches } }: ObservedWorld, a: Subject, b: Subject): boolean {
  if (a.kind !== 'Switch' || b.kind !== 'Switch') return a.kind === b.kind
  const isSameRole = switches.role[a.row] === switches.role[b.row]
  return isSameRole && (switches.role[a.row] !== 'edge' || switches.rack[a.row] === switches.rack[b.row])
}

/** The id of a subject's customer; null for other subjects. */
export const customerIdOf = (subject: Subject): number | null =>
  subject.kind === 'Customer' ? subject.id : null

/** Whether a customer's only stopped hosts are those taken out of service, not for their repair. */
export function isBeingDrained({ condition, facility }: ObservedWorld, tenant: Tenant | undefined): boolean {
  if (tenant === undefined) return false
  const { hosts } = tenant
  const isDrained = (host: number): boolean =>
    condition.hostMaintenance[host] > 0 && condition.hostBroken[host] === 0
  return hosts.some(isDrained) && hosts.every((host) => isDrained(host) || facility.hostRunning[host] > 0)
}
