import { beforeEach, describe, expect, test } from 'vitest'
import { threatClasses } from '../../../../src/contract/vocabularies.ts'
import type { ThreatClass } from '../../../../src/contract/vocabularies.ts'
import { gatewayCapacity, gbpsPerUnit } from '../../../../src/world/simulation/network/capabilities.ts'
import { attemptsUntilBreach } from '../../../../src/world/simulation/network/threats/attack-distribution.ts'
import { imbalances } from './conservation.ts'
import { applianceRow, gatewayRow, mark } from './names.ts'
import { attack, loadEvenly, createNetworkFixture, addCustomer, step } from './network-fixture.ts'
import type { NetworkFixture } from './network-fixture.ts'

/** One zone with four hosts and one gateway; the customer has a unit on each of the first two. */
let world: NetworkFixture
const customer = 7

beforeEach(() => {
  world = createNetworkFixture(4)
  loadEvenly(world, 0.4, 1, 0.5)
  addCustomer(world, customer, [0, 1])
  step(world)
})

const at = (threat: ThreatClass, row = 0) => row * threatClasses.length + threatClasses.indexOf(threat)
const residual = () => world.threats.remainders.get(customer)

/** Removes all defenses against a class, except the given capacity of the gateway. */
function disarm(threat: ThreatClass, gatewayStops: number): void {
  world.threats.gatewayCapacity[at(threat)] = gatewayStops
  for (let row = 0; row < world.topology.appliances.count; row++)
    world.threats.applianceCapacity[at(threat, row)] = 0
}

describe('noise', () => {
  test('always trickles in and ends at the gateway', () => {
    expect(world.threats.gatewayReaching[at('Scan')]).toBeGreaterThan(10)
    expect(world.threats.gatewayMitigated[at('Scan')]).toBe(world.threats.gatewayReaching[at('Scan')])
    expect(world.threats.gatewayReaching[at('Protocol')]).toBeGreaterThan(0)
    expect(world.threats.gatewayHostileInGbps[0]).toBeGreaterThan(0)
    expect(world.threats.gatewayHostileInGbps[0]).toBeLessThan(0.02)
    expect(world.threats.remainders.size).toBe(0)
  })

  test('none arrives at a gateway that announces nothing', () => {
    mark(world, 'gatewayWithdrawn', 0)
    step(world)
    expect(world.threats.gatewayReaching[at('Scan')]).toBe(0)
  })
})

describe('an attack', () => {
  test('that the gateway can stop ends there and is counted in its own unit', () => {
    disarm('Application', 50)
    const noise = world.threats.gatewayHostileInGbps[0]
    attack(world, customer, 'Application', 30)
    step(world, 6)
    const reaching = world.threats.gatewayReaching[at('Application')]
    expect(reaching).toBeGreaterThan(25)
    expect(reaching).toBeLessThan(35)
    expect(world.threats.gatewayMitigated[at('Application')]).toBe(reaching)
    expect(world.threats.gatewayHostileInGbps[0] - noise).toBeCloseTo(reaching * 0.016, 2)
    expect(residual()).toBeUndefined()
    expect(imbalances(world)).toEqual([])
  })

  test('beyond what all defenses stop reaches the customer with the rest', () => {
    disarm('Application', 10)
    attack(world, customer, 'Application', 30)
    step(world, 6)
    const reaching = world.threats.gatewayReaching[at('Application')]
    expect(world.threats.gatewayMitigated[at('Application')]).toBe(10)
    expect(residual()?.class).toBe('Application')
    expect(residual()?.magnitude).toBeCloseTo(reaching - 10, 6)
    expect(residual()?.requestsPerSecond).toBeCloseTo((reaching - 10) * 1000, 3)
    expect(residual()?.gbps).toBeCloseTo((reaching - 10) * gbpsPerUnit[2], 9)
    expect(residual()?.breach).toBe(false)
    expect(imbalances(world)).toEqual([])
  })

  test('passes the gateway, then what hangs beside it or stands behind it, each up to its capacity', () => {
    const [gateway, scrubber, first, second] = [
      gatewayRow(world, 'gw1'),
      applianceRow(world, 'scrub1'),
      applianceRow(world, 'fw1'),
      applianceRow(world, 'fw2'),
    ]
    disarm('Protocol', 1)
    world.threats.applianceCapacity[at('Protocol', scrubber)] = 2
    world.threats.applianceCapacity[at('Protocol', first)] = 0.25
    world.threats.applianceCapacity[at('Protocol', second)] = 0.25
    attack(world, customer, 'Protocol', 6)
    step(world, 6)
    const { gatewayReaching, gatewayMitigated, applianceReaching, applianceMitigated } = world.threats
    const afterGateway = gatewayReaching[at('Protocol', gateway)] - 1
    expect(gatewayMitigated[at('Protocol', gateway)]).toBeCloseTo(1, 9)
    expect(applianceReaching[at('Protocol', scrubber)]).toBeCloseTo(afterGateway, 9)
    expect(applianceMitigated[at('Protocol', scrubber)]).toBeCloseTo(2, 9)
    expect(applianceReaching[at('Protocol', first)]).toBeCloseTo((afterGateway - 2) / 2, 9)
    expect(applianceMitigated[at('Protocol', first)]).toBeCloseTo(0.25, 9)
    expect(residual()?.magnitude).toBeCloseTo(afterGateway - 2.5, 6)
    expect(imbalances(world)).toEqual([])
  })

  test('of sheer volume fills the WAN lines and displaces legitimate traffic', () => {
    attack(world, customer, 'Volumetric', 60)
    step(world, 12)
    expect(world.network.zoneWanInGbps[0]).toBeCloseTo(20, 6)
    expect(world.network.hostDeliveredIn[0]).toBeLessThan(0.5)
    // Other hosts share the links and are affected too.
    expect(world.network.hostDeliveredIn[3]).toBeLessThan(0.5)
    expect(imbalances(world)).toEqual([])
  })

  test('makes busy add-ons slow the gateway down', () => {
    world.topology.gateways.addons[0] = 0b1111
    for (const threat of threatClasses) {
      world.threats.gatewayCapacity[at(threat)] = gatewayCapacity(
        world.topology,
        0,
        threatClasses.indexOf(threat),
      )
    }
    world.condition.version++
    step(world, 6)
    const atRest = world.network.gatewayCeilingGbps[0]
    attack(world, customer, 'Application', world.threats.gatewayCapacity[at('Application')])
    step(world, 12)
    expect(world.network.gatewayThrottle[0]).toBeGreaterThan(0.2)
    expect(world.network.gatewayCeilingGbps[0]).toBeLessThan(0.85 * atRest)
    world.attacks.length = 0
    step(world, 12)
    expect(world.network.gatewayCeilingGbps[0]).toBe(atRest)
  })

  test('on a customer whose hosts are out of reach goes nowhere', () => {
    mark(world, 'hostBroken', 0)
    mark(world, 'hostBroken', 1)
    attack(world, customer, 'Volumetric', 5)
    step(world, 6)
    expect(world.threats.gatewayReaching[at('Volumetric')]).toBe(0)
    expect(world.threats.remainders.size).toBe(0)
  })
})

describe('intruders', () => {
  test('are in once enough attempts got through, and out when the attack ends', () => {
    disarm('Intrusion', 0)
    attack(world, customer, 'Intrusion', 20)
    step(world)
    expect(residual()?.breach).toBe(false)
    // About 20 attempts a second.
    const minutes = Math.ceil(attemptsUntilBreach / 20 / 60)
    step(world, 6 * (minutes - 1))
    expect(residual()?.breach).toBe(false)
    step(world, 12)
    expect(residual()?.breach).toBe(true)
    world.attacks.length = 0
    step(world)
    expect(world.threats.remainders.size).toBe(0)
    // The next attack starts without access.
    attack(world, customer, 'Intrusion', 20)
    step(world)
    expect(residual()?.breach).toBe(false)
  })

  test('that are all stopped never get in', () => {
    disarm('Intrusion', 100)
    attack(world, customer, 'Intrusion', 20)
    step(world, 600)
    expect(world.threats.remainders.size).toBe(0)
  })
})

describe('two gateways', () => {
  test('share an attack, and one takes all when the other stops announcing', () => {
    const larger = createNetworkFixture(60)
    const [zone] = larger.topology.zones
    addCustomer(larger, customer, zone.hosts.slice(0, 3))
    attack(larger, customer, 'Application', 10)
    step(larger, 6)
    const reaching = (gateway: number) => larger.threats.gatewayReaching[at('Application', gateway)]
    const [first, second] = zone.gateways
    expect(reaching(first)).toBeCloseTo(reaching(second), 9)
    const all = reaching(first) + reaching(second)
    mark(larger, 'gatewayWithdrawn', first)
    step(larger)
    expect(reaching(first)).toBe(0)
    expect(reaching(second)).toBeGreaterThan(0.9 * all)
    expect(imbalances(larger)).toEqual([])
  })
})
