import { requirementBits } from '../../contract/records/customers.ts'
import { applianceFunctions } from '../../contract/vocabularies.ts'
import type { Account } from './account.ts'
import type { Business } from './business.ts'

type Requirement = (typeof requirementBits)[number]

const auditLog = 1 << applianceFunctions.indexOf('AuditLog')
const firewall = 1 << applianceFunctions.indexOf('StatefulFirewall')

/** Once a minute: which of the things that a customer requires it does not have. */
export function judgeRequirements(business: Business, account: Account): void {
  const { contract } = account
  let mask = 0
  const lacks = (requirement: Requirement, lacking: boolean): void => {
    if (lacking) mask |= 1 << requirementBits.indexOf(requirement)
  }
  if (account.live) {
    const inspected = contract.compliance === null || zonesHave(business, account, firewall)
    const logged = !contract.auditLogs || zonesHave(business, account, auditLog)
    lacks('compliance_required', !inspected || !segmentKept(account))
    lacks('requires_multi_az', contract.multiZone && !spreadOverZones(business, account))
    lacks('requires_private_segment', contract.privateSegment && !account.privateSegment)
    lacks('demands_audit_logs', !logged)
    lacks('demands_air_gap', contract.airGap && !hostsOwned(business, account))
    lacks('requires_gpu', gpuMissing(business, account))
    lacks('requires_dedicated_hosts', contract.dedicatedHosts && !hostsOwned(business, account))
    lacks('requires_uncontended', contract.uncontended && contended(business, account))
    lacks('requires_fault_isolation', contract.faultIsolation && !spreadKept(business, account))
  }
  account.requirementsUnmet = mask
}

const segmentKept = (account: Account): boolean => !account.contract.privateSegment || account.privateSegment

/** Whether in every zone where it has units some appliance that works has a function. */
function zonesHave({ state, capacity }: Business, account: Account, wanted: number): boolean {
  const { plant, physical } = state
  for (let zone = 0; zone < plant.zones.length; zone++) {
    const here = account.hosts.some((host) => capacity.zone[host] === zone)
    if (!here) continue
    const { firewalls, appliances } = plant.zones[zone]
    const has = (row: number): boolean =>
      physical.applianceUp[row] === 1 && (plant.appliances.functionsEnabled[row] & wanted) !== 0
    if (!firewalls.some(has) && !appliances.some(has)) return false
  }
  return true
}

const spreadOverZones = ({ capacity, state }: Business, account: Account): boolean => {
  const { hostConnected } = state.network
  const first = account.hosts.find((host) => hostConnected[host] === 1)
  if (first === undefined) return false
  return account.hosts.some(
    (host) => hostConnected[host] === 1 && capacity.zone[host] !== capacity.zone[first],
  )
}

const hostsOwned = ({ capacity }: Business, account: Account): boolean =>
  account.hosts.every((host) => capacity.owner[host] === account.id)

const contended = ({ state }: Business, account: Account): boolean =>
  account.hosts.some((host) => state.load.contention[host] > 0.9)

const gpuMissing = ({ services }: Business, account: Account): boolean =>
  account.services.some((service) => services.slices[service] > 0 && services.serving[service] === 0)

const spreadKept = ({ services }: Business, account: Account): boolean =>
  account.services.every((service) => services.spreadKept[service] === 1)
