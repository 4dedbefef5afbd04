import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import { durabilityOf, replicasPromised } from '../service-table.ts'

/** Ticks during which requests still go to newly lost units. */
const failoverTicks = 3

/** Whether the network lets a unit of the service work on the host. */
export const canServeFrom = (
  { world, state: { services } }: TenantContext,
  service: number,
  host: number,
): boolean =>
  (services.userFacing[service] === 1
    ? world.network.hostReachable[host]
    : world.network.hostConnected[host]) === 1

/** Counts serving and stranded units, lists the serving hosts, and checks promised redundancy. */
export function countServing(context: TenantContext): void {
  const {
    world,
    state: { services, units },
  } = context
  const { strandedUnits } = context.state.load
  if (context.state.servingHosts.length < units.count)
    context.state.servingHosts = new Int32Array(units.count * 2)
  const { servingHosts } = context.state
  strandedUnits.fill(0)
  for (const account of context.state.accounts) account.strandedUnits = 0
  let at = 0
  for (let service = 0; service < services.rowsEnd; service++) {
    if (services.customer[service] === 0) continue
    services.firstServing[service] = at
    let stranded = 0
    for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.nextOfService[unit]) {
      const host = units.host[unit]
      if (canServeFrom(context, service, host)) {
        servingHosts[at++] = host
      } else {
        stranded++
        strandedUnits[host]++
      }
    }
    const lostNow = stranded - services.stranded[service]
    if (lostNow > 0) {
      services.failoverUntil[service] = world.tick + failoverTicks
      services.failoverShare[service] = lostNow / Math.max(1, services.placed[service])
    }
    services.stranded[service] = stranded
    services.serving[service] = at - services.firstServing[service]
    const account = context.state.byId.get(services.customer[service]) as Account
    account.strandedUnits += stranded
    checkSpread(context, account, service)
  }
  for (const account of context.state.accounts) updateRedundancy(context, account)
}

/** Checks the spread of the serving units, and counts replicas. */
function checkSpread(context: TenantContext, account: Account, service: number): void {
  const { services, capacity, servingHosts } = context.state
  const { visited } = context
  const stamp = ++visited.stamp
  const first = services.firstServing[service]
  const end = first + services.serving[service]
  let hosts = 0
  let racks = 0
  let zones = 0
  for (let i = first; i < end; i++) {
    const host = servingHosts[i]
    if (visited.hosts[host] === stamp) continue
    visited.hosts[host] = stamp
    hosts++
    if (visited.racks[capacity.rack[host]] !== stamp) racks++
    if (visited.zones[capacity.zone[host]] !== stamp) zones++
    visited.racks[capacity.rack[host]] = stamp
    visited.zones[capacity.zone[host]] = stamp
  }
  const promised = replicasPromised[durabilityOf(services, service)]
  services.replicasHeld[service] = Math.min(promised, hosts)
  const several = services.requested[service] > 1
  const racksKept = !account.contract.faultIsolation || !several || racks > 1
  const zonesKept = !account.contract.multiZone || !several || zones > 1
  services.spreadKept[service] = racksKept && zonesKept ? 1 : 0
}

function updateRedundancy(context: TenantContext, account: Account): void {
  const { services } = context.state
  account.redundancyBroken =
    account.live &&
    account.services.some(
      (service) =>
        services.spreadKept[service] === 0 ||
        services.replicasHeld[service] < replicasPromised[durabilityOf(services, service)],
    )
}
