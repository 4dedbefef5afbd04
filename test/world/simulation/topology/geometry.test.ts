import { describe, expect, test } from 'vitest'
import { cableKinds } from '../../../../src/contract/vocabularies.ts'
import { deviceKind, portRole } from '../../../../src/world/simulation/topology/tables.ts'
import type { DeviceTable, Topology } from '../../../../src/world/simulation/topology/tables.ts'
import { violations, topologyOf } from './topologies.ts'

const rackPlace = /^([A-Z]+)-(\d+)$/

/** Position of a port's device, derived from the name of its rack: position along the row, row, height. */
function standing(topology: Topology, port: number): readonly [x: number, y: number, z: number] {
  const tables: Record<number, DeviceTable> = {
    [deviceKind.Host]: topology.hosts,
    [deviceKind.Switch]: topology.switches,
    [deviceKind.Gateway]: topology.gateways,
    [deviceKind.Appliance]: topology.appliances,
  }
  const table = tables[topology.ports.deviceKind[port]]
  const row = topology.ports.device[port]
  const [, letters, place] = rackPlace.exec(topology.racks.name[table.rack[row]]) as RegExpExecArray
  let index = -1
  for (let i = 0; i < letters.length; i++) index = (index + 1) * 26 + letters.charCodeAt(i) - 65
  return [1.2 + (Number(place) - 1) * 0.6, index * 3, 0.1 + table.startU[row] * 0.0445]
}

const apart = (one: readonly number[], other: readonly number[]): number =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])

function wayViolations(topology: Topology): string[] {
  const { cables, ports } = topology
  const wrong: string[] = []
  for (let cable = 0; cable < cables.count; cable++) {
    const points = cables.points[cable]
    const from = standing(topology, cables.a[cable])
    if (apart(points[0], from) > 0.02) wrong.push(`cable ${cable} does not begin at its device`)
    let way = 0
    for (let i = 1; i < points.length; i++) way += apart(points[i - 1], points[i])
    if (cables.lengthM[cable] < way) wrong.push(`cable ${cable} is shorter than its way`)
    const role = ports.role[cables.a[cable]]
    if (role === portRole.CorePeer || role === portRole.GatewayWan) continue
    const to = standing(topology, cables.b[cable])
    if (apart(points[points.length - 1], to) > 0.02) wrong.push(`cable ${cable} does not end at its device`)
    if (cables.lengthM[cable] < apart(from, to)) wrong.push(`cable ${cable} is shorter than the distance`)
  }
  return wrong
}

function trayViolations(topology: Topology): string[] {
  const { cables } = topology
  const wrong: string[] = []
  const zones = new Map<number, number>()
  for (let cable = 0; cable < cables.count; cable++) {
    const trays = cables.trays[cable]
    if (trays.length !== cables.traySlots[cable].length)
      wrong.push(`cable ${cable} has a tray without a slot`)
    if ((trays.length === 0) !== (cables.draped[cable] === 1))
      wrong.push(`cable ${cable} hangs free and lies in a tray`)
    if (new Set(trays).size !== trays.length) wrong.push(`cable ${cable} lies in a tray twice`)
    const zone = zoneOf(topology, cables.a[cable])
    if (topology.ports.role[cables.a[cable]] === portRole.CorePeer) continue
    for (const tray of trays) {
      if ((zones.get(tray) ?? zone) !== zone) wrong.push(`tray ${tray} lies in two zones`)
      zones.set(tray, zone)
    }
  }
  return wrong
}

function zoneOf({ ports, switches, hosts, appliances, gateways }: Topology, port: number): number {
  const tables: Record<number, DeviceTable> = {
    [deviceKind.Host]: hosts,
    [deviceKind.Switch]: switches,
    [deviceKind.Gateway]: gateways,
    [deviceKind.Appliance]: appliances,
  }
  return tables[ports.deviceKind[port]].zone[ports.device[port]]
}

test.each(
  violations({
    'cables begin and end at their devices and are long enough': wayViolations,
    'cables that leave their rack lie in trays of their zone, each in a slot': trayViolations,
  }),
)('%s', (_, found) => {
  expect(found).toEqual([])
})

describe('geometry', () => {
  test('direct-attach cables stay inside their rack', () => {
    const { cables, ports, hosts, switches } = topologyOf({ name: '', seed: 9n, scale: 'large' })
    let seen = 0
    for (let cable = 0; cable < cables.count; cable++) {
      if (cableKinds[cables.kind[cable]] !== 'Dac') continue
      const host = ports.device[cables.a[cable]]
      const edge = ports.device[cables.b[cable]]
      expect(hosts.rack[host]).toBe(switches.rack[edge])
      expect(cables.lengthM[cable]).toBeLessThanOrEqual(5)
      seen++
    }
    expect(seen).toBeGreaterThan(1_000)
  })

  test('lines between zones of different regions are hundreds of kilometers long, inside a region tens', () => {
    const topology = topologyOf({ name: '', seed: 9n, scale: 'large' })
    const { cables, ports, zones } = topology
    const near: number[] = []
    const far: number[] = []
    for (let cable = 0; cable < cables.count; cable++) {
      if (ports.role[cables.a[cable]] !== portRole.CorePeer) continue
      const regions = [cables.a[cable], cables.b[cable]].map((port) => zones[zoneOf(topology, port)].region)
      const list = regions[0] === regions[1] ? near : far
      list.push(cables.lengthM[cable])
    }
    expect(near).toHaveLength(4)
    expect(far).toHaveLength(8)
    expect(Math.max(...near)).toBeLessThan(60_000)
    expect(Math.min(...far)).toBeGreaterThan(150_000)
  })

  test('fibers between racks pass patch panels next to their upper end', () => {
    const topology = topologyOf({ name: '', seed: 9n, scale: 'medium' })
    const { cables, ports, panels, switches } = topology
    let passed = 0
    for (let cable = 0; cable < cables.count; cable++) {
      for (const port of cables.patchPanelPorts[cable]) {
        passed++
        expect(panels.rack[ports.device[port]]).toBe(switches.rack[ports.device[cables.b[cable]]])
      }
    }
    expect(passed).toBe(48)
  })
})
