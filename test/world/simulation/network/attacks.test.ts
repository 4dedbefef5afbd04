import { beforeEach, describe, expect, test } from 'vitest'
import { threatClasses } from '../../../../src/contract/vocabularies.ts'
import type { ThreatClass } from '../../../../src/contract/vocabularies.ts'
import { gatewayCapacity } from '../../../../src/world/simulation/network/capabilities.ts'
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

describe('an attack', () => {
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
