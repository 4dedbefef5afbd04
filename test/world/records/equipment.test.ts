import { describe, expect, test } from 'vitest'
import { collections } from '../../../src/contract/collections.ts'
import type { RecordType } from '../../../src/contract/fields.ts'
import { LoadedLinkSchema } from '../../../src/contract/records/diagnostics.ts'
import { PortSchema } from '../../../src/contract/records/shared.ts'
import type { EquipmentRecords } from '../../../src/world/records/equipment/equipment.ts'
import { attack, loadEvenly, addCustomer } from '../simulation/network/network-fixture.ts'
import type { NetworkFixture } from '../simulation/network/network-fixture.ts'
import { recordViolations } from './record-violations.ts'
import { advance, createRecords } from './topology-fixture.ts'

const portsOf = (
  world: NetworkFixture,
  { switches, gateways, appliances, patchPanels, ...records }: EquipmentRecords,
) => [
  ...Array.from({ length: world.topology.hosts.count }, (_, host) => records.hostPorts(host)).flat(),
  ...[...switches, ...gateways, ...appliances, ...patchPanels].flatMap((device) => device.ports),
]

const parts = ['azs', 'switches', 'gateways', 'appliances', 'patchPanels', 'cables'] as const

function recordViolationsOf(world: NetworkFixture, records: EquipmentRecords): string[] {
  return [
    ...parts.flatMap((part) =>
      records[part].flatMap((one) => recordViolations(collections[part] as RecordType, one)),
    ),
    ...portsOf(world, records).flatMap((port) => recordViolations(PortSchema, port)),
    ...records.loadedLinks().list.flatMap((link) => recordViolations(LoadedLinkSchema, link)),
  ]
}

/** Breaks one device of nearly every kind. */
function wreck({ topology, condition }: NetworkFixture): void {
  condition.hostBroken[1] = 1
  condition.hostMaintenance[2] = 1
  condition.switchBroken[0] = 1
  condition.switchSupplyBroken[3] = 1
  condition.switchStorm[5] = 1
  condition.gatewayBroken[0] = 1
  condition.applianceBroken[topology.zones[0].appliances[3]] = 1
  condition.applianceMisrule[1] = 0.3
  condition.feedBroken[1] = 1
  condition.coolingBroken[0] = 1
  condition.cableCut[topology.ports.cable[topology.hosts.firstPort[4]]] = 1
  condition.portLoss[topology.hosts.firstPort[5]] = 0.2
  condition.portFlapping[topology.hosts.firstPort[6]] = 1
  condition.version++
}

describe('records of the equipment', () => {
  test.each([1, 5, 'small', 'medium', 'large'] as const)(
    'at scale %s say what the contract declares',
    (scale) => {
      const { world, records } = createRecords(scale)
      expect(recordViolationsOf(world, records)).toEqual([])
    },
  )

  test.each([1n, 2n, 3n])('say so too when much is broken, full and under attack (seed %d)', (seed) => {
    const { world, records } = createRecords('small', seed)
    wreck(world)
    addCustomer(world, 1, [7, 8])
    for (const threat of ['Volumetric', 'Protocol', 'Application', 'Intrusion', 'Scan'] as const) {
      attack(world, 1, threat, 40)
    }
    loadEvenly(world, 3, 9, 4)
    advance(world, records, 60)
    expect(recordViolationsOf(world, records)).toEqual([])
    expect(records.loadedLinks().total).toBeGreaterThan(10)
  })

  test('stay the same objects and show the present', () => {
    const { world, records } = createRecords('small')
    const before = [records.azs[0], records.switches[0], records.hostPorts(0)[0]]
    const bytes = records.hostPorts(0)[0].bytes_egress_total as number
    advance(world, records, 5)
    expect(
      [records.azs[0], records.switches[0], records.hostPorts(0)[0]].every(
        (one, index) => one === before[index],
      ),
    ).toBe(true)
    expect(records.hostPorts(0)[0].bytes_egress_total).toBeGreaterThan(bytes)
  })

  test('byte counters beyond 2^53 are exact integers', () => {
    const { world, records } = createRecords('small')
    const { firstPort } = world.topology.hosts
    world.network.portTxBytes[firstPort[0]] = 2 ** 54
    world.network.portRxBytes[firstPort[0]] = 2 ** 53 - 2
    records.update()
    expect(records.hostPorts(0)[0]).toMatchObject({
      bytes_egress_total: 18_014_398_509_481_984n,
      bytes_ingress_total: 9_007_199_254_740_990,
    })
  })
})

describe('switches', () => {
  test('look the same however often they were looked at', () => {
    const [often, rarely] = [createRecords('small'), createRecords('small')]
    for (let n = 0; n < 400; n++) advance(often.world, often.records, 1)
    advance(rarely.world, rarely.records, 400)
    expect(often.records.switches).toEqual(rarely.records.switches)
    expect(often.records.patchPanels).toEqual(rarely.records.patchPanels)
    expect(often.records.azs).toEqual(rarely.records.azs)
  })
})

describe('broken-out ports', () => {
  test('count their legs and the capacity in use', () => {
    const { world, records } = createRecords('medium', 6n)
    const legs = records.cables.filter((cable) => cable.kind === 'Breakout')
    const lanes = new Map(records.switches.flatMap((one) => one.ports).map((port) => [port.port_id, port]))
    const groups = Map.groupBy(legs, (cable) => cable.breakout_id)
    const counts = new Set<number>()
    for (const group of groups.values()) {
      for (const leg of group) {
        counts.add(group.length)
        expect(leg.qsfp_end).toBe(1)
        expect(lanes.get(leg.b?.port_id ?? -1)).toMatchObject({
          connector: 'QSFP28',
          link_capacity_gbps: 25,
          breakout_capacity_gbps: 100,
          breakout_leg_count: group.length,
          breakout_used_gbps: 25 * group.length,
        })
      }
    }
    expect([...counts].every((count) => count >= 1 && count <= 4)).toBe(true)
    expect(groups.size).toBeGreaterThan(10)
    const nics = Array.from({ length: world.topology.hosts.count }, (_, host) =>
      records.hostPorts(host),
    ).flat()
    expect(nics.every((port) => port.breakout_capacity_gbps === 0)).toBe(true)
  })
})
