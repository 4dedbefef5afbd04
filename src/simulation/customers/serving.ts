import type { Account } from './account.ts'
import type { Business } from './business.ts'
import { replicasPromised } from './contracts.ts'

/** Ticks for which requests still go to a unit that has just been lost. */
const failoverTicks = 3

/** Whether a host lets a unit of the service do its work. */
export const servesOn = ({ state, services }: Business, service: number, host: number): boolean =>
  (services.faced[service] === 1 ? state.network.hostReachable[host] : state.network.hostConnected[host]) ===
  1

/** Counts what serves and what is stranded, lists the hosts that serve, and checks what was promised of them. */
export function countServing(business: Business): void {
  const { services, units, state } = business
  const { strandedUnits } = state.load
  if (business.servingHosts.length < units.count) business.servingHosts = new Int32Array(units.count * 2)
  const { servingHosts } = business
  strandedUnits.fill(0)
  for (const account of business.accounts) account.strandedUnits = 0
  let at = 0
  for (let service = 0; service < services.end; service++) {
    if (services.customer[service] === 0) continue
    services.firstServing[service] = at
    let stranded = 0
    for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.nextOfService[unit]) {
      const host = units.host[unit]
      if (servesOn(business, service, host)) {
        servingHosts[at++] = host
      } else {
        stranded++
        strandedUnits[host]++
      }
    }
    const lostNow = stranded - services.stranded[service]
    if (lostNow > 0) {
      services.failoverUntil[service] = state.tick + failoverTicks
      services.failoverShare[service] = lostNow / Math.max(1, services.placed[service])
    }
    services.stranded[service] = stranded
    services.serving[service] = at - services.firstServing[service]
    const account = business.byId.get(services.customer[service]) as Account
    account.strandedUnits += stranded
    checkSpread(business, account, service)
  }
  for (const account of business.accounts) checkPromises(business, account)
}

/** Whether serving units lie apart as promised, and how many replicas are alive. */
function checkSpread(business: Business, account: Account, service: number): void {
  const { services, capacity, servingHosts } = business
  const { seenHost, seenRack, seenZone } = business.seen
  const stamp = ++business.seen.stamp
  const first = services.firstServing[service]
  const end = first + services.serving[service]
  let hosts = 0
  let racks = 0
  let zones = 0
  for (let i = first; i < end; i++) {
    const host = servingHosts[i]
    if (seenHost[host] === stamp) continue
    seenHost[host] = stamp
    hosts++
    if (seenRack[capacity.rack[host]] !== stamp) racks++
    if (seenZone[capacity.zone[host]] !== stamp) zones++
    seenRack[capacity.rack[host]] = stamp
    seenZone[capacity.zone[host]] = stamp
  }
  const promised = replicasPromised[services.durabilityOf(service)]
  services.replicasHeld[service] = Math.min(promised, hosts)
  const several = services.requested[service] > 1
  const racksKept = !account.contract.faultIsolation || !several || racks > 1
  const zonesKept = !account.contract.multiZone || !several || zones > 1
  services.spreadKept[service] = racksKept && zonesKept ? 1 : 0
}

function checkPromises(business: Business, account: Account): void {
  const { services } = business
  account.redundancyBroken =
    account.live &&
    account.services.some(
      (service) =>
        services.spreadKept[service] === 0 ||
        services.replicasHeld[service] < replicasPromised[services.durabilityOf(service)],
    )
}
