import { requirementBits } from '../../../../contract/records/customers.ts'
import { applianceFunctions } from '../../../../contract/vocabularies.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'

type Requirement = (typeof requirementBits)[number]

const auditLog = 1 << applianceFunctions.indexOf('AuditLog')
const firewall = 1 << applianceFunctions.indexOf('StatefulFirewall')

/** Updates the mask of the customer's unmet requirements, after a change of what they follow from. */
export function updateUnmetRequirements(context: TenantContext, account: Account): void {
  const { contract } = account
  const { facility, network, topology } = context.world
  const version = context.state.version + facility.version + network.routeVersion + topology.version
  if (account.requirementsVersion === version && !contract.uncontended) return
  account.requirementsVersion = account.live ? version : -1
  let mask = 0
  const lacks = (requirement: Requirement, lacking: boolean): void => {
    if (lacking) mask |= 1 << requirementBits.indexOf(requirement)
  }
  if (account.live) {
    const inspected = contract.compliance === null || zonesProvide(context, account, firewall)
    const logged = !contract.auditLogs || zonesProvide(context, account, auditLog)
    lacks('compliance_required', !inspected || !hasRequiredSegment(account))
    lacks('requires_multi_az', contract.multiZone && !spansZones(context, account))
    lacks('requires_private_segment', contract.privateSegment && !account.privateSegment)
    lacks('demands_audit_logs', !logged)
    lacks('demands_air_gap', contract.airGap && !hasDedicatedHosts(context, account))
    lacks('requires_gpu', lacksGpu(context, account))
    lacks('requires_dedicated_hosts', contract.dedicatedHosts && !hasDedicatedHosts(context, account))
    lacks('requires_uncontended', contract.uncontended && isContended(context, account))
    lacks('requires_fault_isolation', contract.faultIsolation && !isSpread(context, account))
  }
  account.requirementsUnmet = mask
}

const hasRequiredSegment = (account: Account): boolean =>
  !account.contract.privateSegment || account.privateSegment

/** Whether every zone with its units has a working appliance with the function. */
function zonesProvide(
  { world, state: { capacity } }: TenantContext,
  account: Account,
  applianceFunction: number,
): boolean {
  const { topology, facility } = world
  for (let zone = 0; zone < topology.zones.length; zone++) {
    const hasUnits = account.hosts.some((host) => capacity.zone[host] === zone)
    if (!hasUnits) continue
    const { firewalls, appliances } = topology.zones[zone]
    const has = (row: number): boolean =>
      facility.applianceUp[row] === 1 && (topology.appliances.functionsEnabled[row] & applianceFunction) !== 0
    if (!firewalls.some(has) && !appliances.some(has)) return false
  }
  return true
}

const spansZones = ({ world, state: { capacity } }: TenantContext, account: Account): boolean => {
  const { hostConnected } = world.network
  const first = account.hosts.find((host) => hostConnected[host] === 1)
  if (first === undefined) return false
  return account.hosts.some(
    (host) => hostConnected[host] === 1 && capacity.zone[host] !== capacity.zone[first],
  )
}

const hasDedicatedHosts = ({ state: { capacity } }: TenantContext, account: Account): boolean =>
  account.hosts.every((host) => capacity.owner[host] === account.id)

const isContended = ({ world }: TenantContext, account: Account): boolean =>
  account.hosts.some((host) => world.load.contention[host] > 0.9)

const lacksGpu = ({ state: { services } }: TenantContext, account: Account): boolean =>
  account.services.some((service) => services.slices[service] > 0 && services.serving[service] === 0)

const isSpread = ({ state: { services } }: TenantContext, account: Account): boolean =>
  account.services.every((service) => services.spreadKept[service] === 1)
