import { durabilities } from '../../../../contract/vocabularies.ts'
import type { Account } from '../account.ts'
import { createAccount } from '../account.ts'
import type { TenantContext } from '../context.ts'
import type { Contract, ServiceTerms } from '../contract.ts'
import { archetypeTraits } from '../demand/archetypes.ts'
import { curveNames } from '../demand/curves.ts'
import { randomDelay, seedDemandDrift } from '../demand/demand-drift.ts'
import { scheduleCopy } from '../demand/bulk-copies.ts'
import { scheduleBoosts } from '../demand/launches.ts'
import { classIndex, classTraits, roleAmong, roles } from '../demand/service-classes.ts'
import { gbitPerKb } from '../placement/network-room.ts'
import { homeZoneIn } from '../placement/home-zone.ts'
import { minutesPerMonth, unitMonthDollars } from '../prices.ts'
import { traitsOf } from '../relations/character.ts'
import { promisedP99 } from '../quality/latency.ts'
import { releaseServiceRow, takeServiceRow } from '../service-table.ts'
import { assignSegment, removePrivateSegment } from './segments.ts'

/** Opens an account with its services, without placed units. */
export function openAccount(
  context: TenantContext,
  contract: Contract,
  homeZone: number = homeZoneIn(context, contract.requiredRegion),
): Account {
  const { world, state } = context
  const id = ++state.lastCustomerId
  const segment = assignSegment(state.segments, contract, id)
  const noise = context.noise.ofAccount({ id })
  const traits = archetypeTraits[contract.archetype]
  const account = createAccount({
    id,
    contract,
    segmentId: segment.id,
    privateSegment: segment.customerId !== null,
    homeRegion: world.topology.zones[homeZone].region,
    homeZone,
    seasonPhase: noise.fraction(),
    temper: world.random.stream('customers.relations').uniform(0.6, 1.4) * traitsOf(contract).temper,
    p99BudgetMs: promisedP99(contract.services, contract.tier, contract.multiZone),
    signed: world.now,
  })
  account.priceLevel = state.tariff.level
  scheduleBoosts(account, world.now, world.random.stream('customers.launches'))
  scheduleCopy(account, world.now, noise)
  account.nextGrowth = world.now + randomDelay(noise, traits.daysBetweenGrowth)
  seedDemandDrift(account, noise)
  for (const service of contract.services) openService(context, account, service)
  state.accounts = [...state.accounts, account]
  state.byId.set(id, account)
  state.unitsChanged = true
  return account
}

function openService(
  { state: { services }, noise }: TenantContext,
  account: Account,
  terms: ServiceTerms,
): void {
  const row = takeServiceRow(services)
  const traits = classTraits[terms.class]
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
    (unitMonthDollars(terms, account.tier, account.dedicatedHosts) * account.priceLevel * 1_000_000) /
    minutesPerMonth
  services.role[row] = roles.indexOf(role)
  services.userFacing[row] = role === 'behind' ? 0 : 1
  services.curve[row] = curveNames.indexOf(traits.curve ?? archetype.demandCurve)
  const random = noise.ofService(row)
  services.demandDrift[row] = random.bell() * 0.03
  services.peakRpsPerUnit[row] =
    (terms.vcpu * 1000 * traits.busyShare * random.uniform(0.88, 1.12)) / traits.cpuMsPerRequest
  services.cpuMs[row] = traits.cpuMsPerRequest
  services.inGbpsPerRps[row] = traits.kbInPerRequest * gbitPerKb * random.uniform(0.75, 1.25)
  services.outGbpsPerRps[row] = traits.kbOutPerRequest * gbitPerKb * random.uniform(0.75, 1.25)
  services.eastWestGbpsPerRps[row] = traits.kbEastWestPerRequest * gbitPerKb * random.uniform(0.75, 1.25)
  services.successRatio[row] = 1
  services.diskQuality[row] = 1
  services.spreadKept[row] = 1
  account.services.push(row)
  account.requestedUnits += terms.count
}

/** Closes an account: removes its units and frees its service rows. */
export function closeAccount(
  { state, noise }: TenantContext,
  account: Account,
  removeUnit: (unit: number) => void,
): void {
  const { services, units } = state
  noise.forget(account)
  for (const service of account.services) {
    for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.firstOfService[service]) {
      removeUnit(unit)
    }
    releaseServiceRow(services, service)
  }
  account.live = false
  state.accounts = state.accounts.filter((other) => other !== account)
  state.byId.delete(account.id)
  removePrivateSegment(state.segments, account.id)
  state.unitsChanged = true
}
