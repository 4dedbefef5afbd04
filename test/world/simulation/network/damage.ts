import { threatClasses } from '../../../../src/contract/vocabularies.ts'
import type { RandomStream } from '../../../../src/world/simulation/random.ts'
import { attack, addCustomer } from './network-fixture.ts'
import type { NetworkFixture } from './network-fixture.ts'

/** Loads hosts at random, from idle to heavily overloaded. */
export function loadAtRandom(world: NetworkFixture, random: RandomStream): void {
  const heavy = random.pick([0.3, 1, 4, 20])
  const { load, topology } = world
  for (let host = 0; host < topology.hosts.count; host++) {
    load.wantedInGbps[host] = random.chance(0.1) ? 0 : random.uniform(0, heavy)
    load.wantedOutGbps[host] = random.chance(0.1) ? 0 : random.uniform(0, heavy * 2)
    load.wantedEastWestGbps[host] = random.chance(0.2) ? 0 : random.uniform(0, heavy * 2)
    load.cpuUsedMilli[host] = random.uniform(0, 64_000)
  }
  load.version++
}

/** Breaks a few devices of every kind, and occasionally all gateways of a zone. */
export function breakAtRandom(world: NetworkFixture, random: RandomStream): void {
  const { condition, topology } = world
  const few = (column: Uint8Array | Float64Array, of: number, value: () => number) => {
    for (let n = random.below(of + 1); n > 0; n--) column[random.below(column.length)] = value()
  }
  few(condition.hostBroken, 3, () => 1)
  few(condition.hostSupplyBroken, 3, () => random.between(1, 3))
  few(condition.switchBroken, 2, () => 1)
  few(condition.switchSupplyBroken, 2, () => random.between(1, 3))
  few(condition.switchFabricLost, 2, () => random.uniform(0.2, 0.95))
  few(condition.switchStorm, 1, () => 1)
  few(condition.gatewayBroken, 1, () => 1)
  few(condition.gatewayWithdrawn, 1, () => 1)
  few(condition.gatewayThrottle, 1, () => random.uniform(0.2, 0.9))
  few(condition.applianceBroken, 2, () => 1)
  few(condition.applianceMisrule, 2, () => random.uniform(0.05, 0.5))
  few(condition.feedBroken, 1, () => 1)
  few(condition.coolingBroken, 1, () => 1)
  few(condition.cableCut, 4, () => 1)
  few(condition.portLoss, 4, () => random.pick([0.02, 0.3, 1]))
  few(condition.portFlapping, 3, () => 1)
  if (random.chance(0.2))
    for (const gateway of topology.zones[0].gateways) condition.gatewayBroken[gateway] = 1
  condition.version++
}

export function attackAtRandom(world: NetworkFixture, random: RandomStream): void {
  world.attacks.length = 0
  for (let n = random.below(4); n > 0; n--) {
    const customer = random.between(1, 3)
    const hosts = Array.from({ length: 4 }, () => random.below(world.topology.hosts.count))
    addCustomer(
      world,
      customer,
      [...new Set(hosts)].toSorted((one, other) => one - other),
    )
    const fault = attack(world, customer, random.pick(threatClasses), random.uniform(0.5, 400))
    world.attacks[world.attacks.length - 1] = { ...fault, id: random.below(1_000_000) }
  }
}
