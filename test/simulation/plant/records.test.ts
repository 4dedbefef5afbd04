import { describe, expect, test } from 'vitest'
import { collections } from '../../../src/contract/collections.ts'
import type { RecordType } from '../../../src/contract/fields.ts'
import { LoadedLink } from '../../../src/contract/records/diagnostics.ts'
import { Port } from '../../../src/contract/records/shared.ts'
import type { ScaleName } from '../../../src/simulation/plant/sizing.ts'
import { createPlantRecords, type PlantRecords } from '../../../src/simulation/records/plant.ts'
import type { WorldState } from '../../../src/simulation/state.ts'
import { attack, loadEvenly, type Rig, rig, settle, step } from '../network/rig.ts'
import { recordOffences } from '../record-offences.ts'

interface Recorded {
  readonly world: Rig
  readonly records: PlantRecords
}

function recorded(scale: number | ScaleName, seed = 1n): Recorded {
  const world = rig(scale, seed)
  const staffed = Object.assign(world, { work: { costPerHour: 120 } as WorldState['work'] })
  loadEvenly(world, 0.2, 0.5, 0.4)
  const records = createPlantRecords(staffed)
  after(world, records, 3)
  return { world, records }
}

function after(world: Rig, records: PlantRecords, steps: number): void {
  step(world, steps)
  records.update()
}

const portsOf = (world: Rig, { switches, gateways, appliances, patchPanels, ...records }: PlantRecords) => [
  ...Array.from({ length: world.plant.hosts.count }, (_, host) => records.hostPorts(host)).flat(),
  ...[...switches, ...gateways, ...appliances, ...patchPanels].flatMap((device) => device.ports),
]

const parts = ['azs', 'switches', 'gateways', 'appliances', 'patchPanels', 'cables'] as const

function offences(world: Rig, records: PlantRecords): string[] {
  return [
    ...parts.flatMap((part) =>
      records[part].flatMap((one) => recordOffences(collections[part] as RecordType, one)),
    ),
    ...portsOf(world, records).flatMap((port) => recordOffences(Port, port)),
    ...records.loadedLinks().list.flatMap((link) => recordOffences(LoadedLink, link)),
  ]
}

/** Breaks one of nearly everything. */
function wreck({ plant, condition }: Rig): void {
  condition.hostBroken[1] = 1
  condition.hostMaintenance[2] = 1
  condition.switchBroken[0] = 1
  condition.switchSupplyBroken[3] = 1
  condition.switchStorm[5] = 1
  condition.gatewayBroken[0] = 1
  condition.applianceBroken[plant.zones[0].appliances[3]] = 1
  condition.applianceMisrule[1] = 0.3
  condition.feedBroken[1] = 1
  condition.coolingBroken[0] = 1
  condition.cableCut[plant.ports.cable[plant.hosts.firstPort[4]]] = 1
  condition.portLoss[plant.hosts.firstPort[5]] = 0.2
  condition.portFlapping[plant.hosts.firstPort[6]] = 1
  condition.version++
}

describe('records of the plant', () => {
  test.each([1, 5, 'small', 'medium', 'large'] as const)(
    'at scale %s say what the contract declares',
    (scale) => {
      const { world, records } = recorded(scale)
      expect(offences(world, records)).toEqual([])
    },
  )

  test.each([1n, 2n, 3n])('say so too when much is broken, full and under attack (seed %d)', (seed) => {
    const { world, records } = recorded('small', seed)
    wreck(world)
    settle(world, 1, [7, 8])
    for (const threat of ['Volumetric', 'Protocol', 'Application', 'Intrusion', 'Scan'] as const) {
      attack(world, 1, threat, 40)
    }
    loadEvenly(world, 3, 9, 4)
    after(world, records, 60)
    expect(offences(world, records)).toEqual([])
    expect(records.loadedLinks().total).toBeGreaterThan(10)
  })

  test.each(['small', 'medium', 'large'] as const)(
    'name cables, ports and peers that agree from both ends (%s)',
    (scale) => {
      const { world, records } = recorded(scale, 4n)
      const ports = portsOf(world, records)
      const byId = new Map(ports.map((port) => [port.port_id, port]))
      expect(byId.size).toBe(ports.length)
      const wrong: string[] = []
      for (const cable of records.cables) {
        const [a, b] = [cable.a, cable.b].map((end) => byId.get(end?.port_id ?? -1))
        const upstream = cable.b?.device_kind === 'Upstream'
        if (!a?.cable_ids.includes(cable.id) || a.peer?.port_id !== cable.b?.port_id)
          wrong.push(`cable ${cable.id}, end a`)
        if (!upstream && (!b?.cable_ids.includes(cable.id) || b.peer?.port_id !== cable.a?.port_id)) {
          wrong.push(`cable ${cable.id}, end b`)
        }
        const ends = [cable.path[0], cable.path[cable.path.length - 1]]
        if (
          JSON.stringify(ends) !== JSON.stringify([{ Port: cable.a?.port_id }, { Port: cable.b?.port_id }])
        ) {
          wrong.push(`cable ${cable.id}, path`)
        }
      }
      const cabled = ports.filter((port) => port.cable_ids.length > 0)
      for (const port of ports) {
        if (port.cable_ids.length === 0 && (port.peer !== null || port.state !== 'Free'))
          wrong.push(`port ${port.port_id}`)
      }
      expect(wrong).toEqual([])
      expect(cabled.length).toBeGreaterThan(records.cables.length)
    },
  )

  test('stay the same objects and show the present', () => {
    const { world, records } = recorded('small')
    const before = [records.azs[0], records.switches[0], records.hostPorts(0)[0]]
    const bytes = records.hostPorts(0)[0].bytes_egress_total as number
    after(world, records, 5)
    expect(
      [records.azs[0], records.switches[0], records.hostPorts(0)[0]].every(
        (one, index) => one === before[index],
      ),
    ).toBe(true)
    expect(records.hostPorts(0)[0].bytes_egress_total).toBeGreaterThan(bytes)
  })

  test('are the same for the same seed', () => {
    const text = ({ records }: Recorded) =>
      JSON.stringify(
        parts.map((part) => records[part]),
        (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
      )
    expect(text(recorded('medium', 8n))).toBe(text(recorded('medium', 8n)))
    expect(text(recorded('medium', 8n))).not.toBe(text(recorded('medium', 9n)))
  })

  test('byte counters beyond 2^53 are exact integers', () => {
    const { world, records } = recorded('small')
    const { firstPort } = world.plant.hosts
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
  test('have run for as long as they are old, less what they were without power', () => {
    const { world, records } = recorded('small')
    const [sw] = world.plant.zones[0].edges
    world.condition.switchSupplyBroken[sw] = 3
    world.condition.version++
    after(world, records, 6 * 60 * 2)
    const { age_hours: age, power_on_hours: powered } = records.switches[sw]
    expect(age - powered).toBe(2)
    expect(records.switches[sw]).toMatchObject({ powered: false, power_feeds: 0, indicator: 'Off' })
    expect(records.switches[sw + 1].power_on_hours).toBe(records.switches[sw + 1].age_hours)
  })

  test('look the same however often they were looked at', () => {
    const [often, rarely] = [recorded('small'), recorded('small')]
    for (let n = 0; n < 400; n++) after(often.world, often.records, 1)
    after(rarely.world, rarely.records, 400)
    expect(often.records.switches).toEqual(rarely.records.switches)
    expect(often.records.patchPanels).toEqual(rarely.records.patchPanels)
    expect(often.records.azs).toEqual(rarely.records.azs)
  })

  test('light up amber when one of two feeds is gone, red when broken', () => {
    const { world, records } = recorded('small')
    const [first, second, third] = world.plant.zones[0].edges
    world.condition.switchSupplyBroken[first] = 1
    world.condition.switchBroken[second] = 1
    world.condition.version++
    after(world, records, 1)
    expect([first, second, third].map((sw) => records.switches[sw].indicator)).toEqual([
      'Amber',
      'Red',
      'Green',
    ])
    expect(records.switches[first]).toMatchObject({ power_feeds: 1, powered: true, inv_status: 'Installed' })
    expect(records.switches[second]).toMatchObject({ inv_status: 'Failed', egress_gbps: 0 })
  })
})

describe('a port says why it has no link', () => {
  test('its device has no power', () => {
    const { world, records } = recorded('small')
    world.condition.hostSupplyBroken[0] = 3
    world.condition.version++
    after(world, records, 1)
    expect(records.hostPorts(0)[0]).toMatchObject({
      link: 'Down',
      active: false,
      state: 'PowerOff',
      gbps_tx: 0,
    })
  })

  test('its host is in maintenance', () => {
    const { world, records } = recorded('small')
    world.condition.hostMaintenance[0] = 1
    world.condition.version++
    after(world, records, 1)
    expect(records.hostPorts(0)[0]).toMatchObject({ link: 'Down', state: 'Disabled' })
  })

  test('its cable is cut, and so says the port at the other end', () => {
    const { world, records } = recorded('small')
    const { ports, hosts, switches } = world.plant
    const nic = hosts.firstPort[0]
    world.condition.cableCut[ports.cable[nic]] = 1
    world.condition.version++
    after(world, records, 1)
    const edge = ports.device[ports.peer[nic]]
    const far = records.switches[edge].ports[ports.peer[nic] - switches.firstPort[edge]]
    expect(records.hostPorts(0)[0]).toMatchObject({ link: 'Down', state: 'NoLight' })
    expect(far).toMatchObject({ link: 'Down', state: 'NoLight' })
    expect(records.cables[ports.cable[nic]].is_failed).toBe(true)
    expect(records.hostPorts(0)[1]).toMatchObject({ link: 'Up', state: 'Connected' })
  })

  test('or that it has one which loses frames', () => {
    const { world, records } = recorded('small')
    world.condition.portLoss[world.plant.hosts.firstPort[0]] = 0.1
    world.condition.version++
    after(world, records, 1)
    expect(records.hostPorts(0)[0]).toMatchObject({ link: 'Up', active: true, state: 'Errored' })
  })

  test('a link that flaps says so at both ends', () => {
    const { world, records } = recorded('small')
    const { ports, hosts, switches } = world.plant
    const nic = hosts.firstPort[0]
    world.condition.portFlapping[nic] = 1
    world.condition.version++
    after(world, records, 12)
    const edge = ports.device[ports.peer[nic]]
    const far = records.switches[edge].ports[ports.peer[nic] - switches.firstPort[edge]]
    expect([records.hostPorts(0)[0].link, far.link]).toEqual(['Flapping', 'Flapping'])
    expect(records.hostPorts(0)[0].link_flaps).toBeGreaterThan(0)
  })
})

describe('broken-out ports', () => {
  test('count their legs and the capacity in use', () => {
    const { world, records } = recorded('medium', 6n)
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
    const nics = Array.from({ length: world.plant.hosts.count }, (_, host) => records.hostPorts(host)).flat()
    expect(nics.every((port) => port.breakout_capacity_gbps === 0)).toBe(true)
  })
})

describe('zones', () => {
  test('sum up their hosts and racks', () => {
    const { world, records } = recorded('medium')
    world.load.allocatedMilli.fill(10_000)
    world.load.cpuUsedMilli.fill(4_000)
    world.load.allocatedMemMb.fill(2_048)
    world.load.unitCount.fill(3)
    after(world, records, 1)
    for (const zone of records.azs) {
      expect(zone).toMatchObject({
        host_count: 40,
        hosts_online: 40,
        allocated_millivcpu: 400_000,
        used_millivcpu: 160_000,
        unit_count: 120,
      })
      expect(zone.physical_mem_mb - zone.free_mem_mb).toBe(40 * 2_048)
      expect(zone.racks.reduce((sum, rack) => sum + rack.hosts_online, 0)).toBe(40)
      expect(zone.wan_egress_gbps).toBeCloseTo(20, 2)
      expect(zone.wan_capacity_gbps).toBe(60)
      const draw = zone.power_feeds.reduce((sum, feed) => sum + feed.load_kw, 0)
      expect(zone.power_draw_kw).toBeCloseTo(draw, 1)
    }
  })

  test('count each customer once in each zone where it has units', () => {
    const { world, records } = recorded('medium')
    const { zones } = world.plant
    const tenant = (id: number, hosts: readonly number[]) => ({ id, hosts: Int32Array.from(hosts) })
    const first = zones[0].hosts
    const active = [tenant(1, [first[0], first[1], zones[1].hosts[0]]), tenant(2, [first[1]])]
    Object.assign(world.tenants, { active, version: 2 })
    records.update()
    expect(records.azs.map((zone) => zone.customer_count)).toEqual([2, 1, 0])
  })

  test('are healthy while everything works', () => {
    const { records } = recorded('medium')
    expect(records.azs.map((zone) => `${zone.status} ${zone.health}`)).toEqual(Array(3).fill('Healthy 1'))
  })

  test('are degraded by one broken host, in their own eyes only', () => {
    const { world, records } = recorded('medium')
    world.condition.hostBroken[world.plant.zones[1].hosts[0]] = 1
    world.condition.version++
    after(world, records, 1)
    expect(records.azs.map((zone) => zone.status)).toEqual(['Healthy', 'Degraded', 'Healthy'])
    expect(records.azs[1]).toMatchObject({ hosts_online: 39, host_count: 40 })
  })

  test.each(['a cooling unit', 'a WAN line'])('are degraded by the loss of %s', (what) => {
    const { world, records } = recorded('medium')
    const { gateways, ports, zones } = world.plant
    if (what === 'a cooling unit') world.condition.coolingBroken[zones[0].coolingUnits[0]] = 1
    else world.condition.cableCut[ports.cable[gateways.firstPort[zones[0].gateways[0]]]] = 1
    world.condition.version++
    after(world, records, 1)
    expect(records.azs.map((zone) => zone.status)).toEqual(['Degraded', 'Healthy', 'Healthy'])
  })

  test('are no longer redundant with one feed lost, and impaired with their cooling gone', () => {
    const { world, records } = recorded('medium')
    const zone = world.plant.zones[0]
    world.condition.feedBroken[zone.feeds[0]] = 1
    for (const unit of zone.coolingUnits) world.condition.coolingBroken[unit] = 1
    world.condition.version++
    after(world, records, 1)
    expect(records.azs[0]).toMatchObject({
      power_redundant: false,
      cooling_state: 'Failed',
      status: 'Impaired',
    })
    expect(records.azs[0].power_feeds.map((feed) => feed.powered)).toEqual([false, true])
    expect(records.azs[0].cooling_units.every((unit) => !unit.working && unit.load_kw === 0)).toBe(true)
  })

  test('are down when no gateway announces routes', () => {
    const { world, records } = recorded('medium')
    for (const gateway of world.plant.zones[2].gateways) world.condition.gatewayWithdrawn[gateway] = 1
    world.condition.version++
    after(world, records, 2)
    expect(records.azs[2]).toMatchObject({ status: 'Down', bgp_advertising: false, wan_ingress_gbps: 0 })
  })
})

describe('gateways and appliances', () => {
  test('threats add up to the last digit: reaching = mitigated + residual, mitigated ≤ capacity', () => {
    const { world, records } = recorded('medium')
    settle(world, 1, [0, 50])
    for (const threat of ['Volumetric', 'Protocol', 'Application', 'Intrusion', 'Scan'] as const) {
      attack(world, 1, threat, 37.123_456)
    }
    after(world, records, 30)
    const threats = [...records.gateways, ...records.appliances].flatMap((one) => one.threats)
    expect(threats.some((threat) => threat.mitigated > 0)).toBe(true)
    for (const { reaching, mitigated, residual, capacity } of threats) {
      expect(Math.round((mitigated + residual) * 1000)).toBe(Math.round(reaching * 1000))
      expect(mitigated).toBeLessThanOrEqual(capacity)
      expect(residual).toBeGreaterThanOrEqual(0)
    }
  })

  test('what a gateway sends and receives is the sum of its WAN and LAN sides', () => {
    const { records } = recorded('medium')
    for (const gateway of records.gateways) {
      expect(gateway.egress_gbps).toBeCloseTo(gateway.wan_egress_gbps + gateway.lan_egress_gbps, 3)
      expect(gateway.ingress_gbps).toBeCloseTo(gateway.wan_ingress_gbps + gateway.lan_ingress_gbps, 3)
      expect(gateway.wan_egress_gbps).toBeGreaterThan(5)
    }
  })

  test('a broken firewall inspects nothing; traffic goes past a broken appliance beside the path', () => {
    const { world, records } = recorded('medium')
    const { appliances, zones } = world.plant
    const ofKind = (kind: string) =>
      zones[0].appliances.find((row) => appliances.kind[row] === kind) as number
    world.condition.applianceBroken[ofKind('Firewall')] = 1
    world.condition.applianceBroken[ofKind('IntrusionPrevention')] = 1
    world.condition.version++
    after(world, records, 2)
    expect(records.appliances[ofKind('Firewall')]).toMatchObject({
      inspection_state: 'Off',
      inv_status: 'Failed',
      indicator: 'Red',
      fabric_load_gbps: 0,
    })
    expect(records.appliances[ofKind('IntrusionPrevention')]).toMatchObject({ inspection_state: 'Bypassed' })
    expect(records.appliances[ofKind('LoadBalancer')]).toMatchObject({
      inspection_state: 'Inspecting',
      indicator: 'Green',
    })
  })
})

describe('loaded links', () => {
  test('are none at rest, and the twenty worst of all when much is full', () => {
    const { world, records } = recorded('medium')
    expect(records.loadedLinks()).toEqual({ list: [], total: 0 })
    loadEvenly(world, 1, 4, 2)
    after(world, records, 1)
    const { list, total } = records.loadedLinks()
    expect(list).toHaveLength(20)
    expect(total).toBeGreaterThan(20)
    const loads = list.map((link) => link.load_pct)
    expect(loads).toEqual(loads.toSorted((one, other) => other - one))
    expect(list[0].dropped_gbps).toBeGreaterThan(0)
  })

  test('are the WAN lines first when users take more than usual', () => {
    const { world, records } = recorded('medium')
    loadEvenly(world, 0.3, 1.35, 0)
    after(world, records, 1)
    const [worst] = records.loadedLinks().list
    expect(worst).toMatchObject({ load_pct: 90, load_gbps: 9, capacity_gbps: 10, dropped_gbps: 0 })
    expect(worst.label).toMatch(/^[a-z]{3}-[a-c]-gw[12] wan\d – [A-Z][a-z]+ [A-Z][a-z]+ line\d+$/)
  })
})
