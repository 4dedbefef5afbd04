import { describe, expect, test } from 'vitest'
import { buildTopology } from '../../../../src/world/simulation/topology/construction/site.ts'
import { peakGbpsPerHost, sizingFor } from '../../../../src/world/simulation/topology/sizing.ts'
import { portRole } from '../../../../src/world/simulation/topology/tables.ts'
import type { Topology } from '../../../../src/world/simulation/topology/tables.ts'
import { RandomStreams } from '../../../../src/world/simulation/random.ts'

/** Capacity of all cabled ports of a role, by zone. */
function capacity(topology: Topology, zone: number, role: keyof typeof portRole): number {
  const { ports, gateways, appliances, switches } = topology
  const tables = [gateways, switches, appliances]
  let sum = 0
  for (let port = 0; port < ports.count; port++) {
    if (ports.role[port] !== portRole[role] || ports.peer[port] === -1) continue
    if (tables[ports.deviceKind[port]].zone[ports.device[port]] === zone) sum += ports.capacityGbps[port]
  }
  return sum
}

describe('sizing', () => {
  test.each(['small', 'medium', 'large', 5_000, 10_000, 30_000, 50_000] as const)(
    'at the evening peak of scale %s what all traffic of a zone passes is 30 to 70 % full, and no trunk is fuller',
    (scale) => {
      const topology = buildTopology(new RandomStreams(1n), scale)
      const zone = topology.zones[0]
      const users = zone.hosts.length * peakGbpsPerHost
      const firewalls = zone.firewalls.reduce(
        (sum, row) => sum + topology.applianceSkus[topology.appliances.sku[row]].fabricGbps,
        0,
      )
      const gateways = zone.gateways.reduce(
        (sum, row) => sum + topology.gatewaySkus[topology.gateways.sku[row]].fabricGbps,
        0,
      )
      const full = (gbps: number, role: keyof typeof portRole) => gbps / capacity(topology, 0, role)
      for (const share of [full(users, 'GatewayWan'), (users * 1.4) / firewalls, (users * 1.4) / gateways]) {
        expect(share).toBeGreaterThan(0.3)
        expect(share).toBeLessThan(0.7)
      }
      expect(full(users * 1.8, 'EdgeUp')).toBeLessThan(0.7)
      expect(full(users * 1.8, 'AggregationUp')).toBeLessThan(0.75)
      expect(full(users, 'CoreUp')).toBeLessThan(0.7)
      expect(full(users, 'ApplianceOutside')).toBeLessThan(0.7)
    },
  )

  test('line speeds are those on the market', () => {
    for (const hosts of [1, 24, 120, 333, 1_000, 2_500, 10_000, 50_000]) {
      const { edgeUplink, aggregationUplink, coreUplink, firewallUplink, wan, corePeer, oneArm } =
        sizingFor(hosts)
      for (const { gbps } of [
        edgeUplink,
        aggregationUplink,
        coreUplink,
        firewallUplink,
        wan,
        corePeer,
        oneArm,
      ]) {
        expect([10, 25, 40, 100, 400]).toContain(gbps)
      }
    }
  })

  test('a medium topology has three WAN lines of 10 Gbit/s on each of two gateways a zone', () => {
    expect(sizingFor('medium')).toMatchObject({
      zones: 3,
      gatewaysPerZone: 2,
      wan: { gbps: 10, links: 3 },
      edgeUplink: { gbps: 10, links: 1 },
      gatewayFabricGbps: 40,
    })
  })
})
