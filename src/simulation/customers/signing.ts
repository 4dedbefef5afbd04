import { durabilities } from '../../contract/vocabularies.ts'
import { Account, type Contract, type ServiceTerms } from './account.ts'
import { archetypeTraits } from './archetypes.ts'
import type { Business } from './business.ts'
import { curveNames } from './curves.ts'
import { startWandering, wait } from './demand.ts'
import { homeZoneIn } from './homes.ts'
import { promisedP99 } from './latency.ts'
import { minutesPerMonth, unitMonthDollars } from './prices.ts'
import type { Segments } from './segments.ts'
import { classIndex, classTraits, roleAmong } from './service-classes.ts'

/** In the order of the column `role`. */
const roles = ['front', 'behind', 'job'] as const

/** Gbit/s of so many KB a second. */
const gbpsPerKb = 8.192e-6

/** Opens an account for a contract, with its services; nothing is placed yet. */
export function openAccount(
  business: Business,
  segments: Segments,
  contract: Contract,
  homeZone: number = homeZoneIn(business, contract.requiredRegion),
): Account {
  const { state } = business
  const id = ++business.lastCustomerId
  const segment = segments.assign(contract, id)
  const noise = state.random.stream(`customers.noise.${id}`)
  const traits = archetypeTraits[contract.archetype]
  const account = new Account({
    id,
    contract,
    segmentId: segment.id,
    privateSegment: segment.customerId !== null,
    homeRegion: state.plant.zones[homeZone].region,
    homeZone,
    noise,
    p99BudgetMs: promisedP99(contract.services, contract.tier, contract.multiZone),
    signed: state.now,
  })
  account.nextLaunch = state.now + wait(noise, traits.daysBetweenLaunches)
  account.nextGrowth = state.now + wait(noise, traits.daysBetweenGrowth)
  startWandering(account)
  for (const service of contract.services) openService(business, account, service)
  business.accounts = [...business.accounts, account]
  business.byId.set(id, account)
  business.unitsChanged = true
  return account
}

function openService(business: Business, account: Account, terms: ServiceTerms): void {
  const { services, state } = business
  const row = services.take()
  const traits = classTraits[terms.class]
  const noise = state.random.stream(`customers.noise.${account.id}.${terms.class}`)
  const role = roleAmong(terms.class, account.classes)
  const archetype = archetypeTraits[account.contract.archetype]
  services.customer[row] = account.id
  services.class[row] = classIndex[terms.class]
  services.durability[row] = durabilities.indexOf(terms.durability)
  services.vcpuMilli[row] = terms.vcpu * 1000
  services.memMb[row] = terms.memMb
  services.ssdGb[row] = terms.ssdGb
  services.iops[row] = terms.iops
  services.slices[row] = terms.slices
  services.requested[row] = terms.count
  services.unitMicroPerMinute[row] =
    (unitMonthDollars(terms, account.tier, account.dedicatedHosts) * 1_000_000) / minutesPerMonth
  services.role[row] = roles.indexOf(role)
  services.faced[row] = role === 'behind' ? 0 : 1
  services.curve[row] = curveNames.indexOf(traits.curve ?? archetype.curve)
  services.noise[row] = noise
  services.wander[row] = noise.bell() * 0.03
  services.peakRpsPerUnit[row] =
    (terms.vcpu * 1000 * traits.busyShare * noise.uniform(0.88, 1.12)) / traits.cpuMsPerRequest
  services.cpuMs[row] = traits.cpuMsPerRequest
  services.inGbpsPerRps[row] = traits.kbInPerRequest * gbpsPerKb * noise.uniform(0.75, 1.25)
  services.outGbpsPerRps[row] = traits.kbOutPerRequest * gbpsPerKb * noise.uniform(0.75, 1.25)
  services.eastWestGbpsPerRps[row] = traits.kbEastWestPerRequest * gbpsPerKb * noise.uniform(0.75, 1.25)
  services.ok[row] = 1
  services.diskQuality[row] = 1
  services.spreadKept[row] = 1
  account.services.push(row)
  account.requestedUnits += terms.count
}

/** Closes an account for good: its units leave, its rows are free again. */
export function closeAccount(
  business: Business,
  segments: Segments,
  account: Account,
  takeUnit: (unit: number) => void,
): void {
  const { services, units } = business
  for (const service of account.services) {
    for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.firstOfService[service]) {
      takeUnit(unit)
    }
    services.release(service)
  }
  account.live = false
  business.accounts = business.accounts.filter((other) => other !== account)
  business.byId.delete(account.id)
  segments.drop(account.id)
  business.unitsChanged = true
}
