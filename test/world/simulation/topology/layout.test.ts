import { describe, expect, test } from 'vitest'
import { buildTopology } from '../../../../src/world/simulation/topology/construction/site.ts'
import { hostsMax } from '../../../../src/world/simulation/topology/sizing.ts'
import type { Topology } from '../../../../src/world/simulation/topology/tables.ts'
import { RandomStreams } from '../../../../src/world/simulation/random.ts'
import { deviceTables, violations, topologyOf } from './topologies.ts'

function rackViolations(topology: Topology): string[] {
  const { racks } = topology
  const wrong: string[] = []
  const units = Array.from({ length: racks.count }, () => new Map<number, string>())
  for (const [kind, table] of Object.entries(deviceTables(topology))) {
    for (let row = 0; row < table.count; row++) {
      const rack = table.rack[row]
      if (racks.zone[rack] !== table.zone[row]) wrong.push(`${kind} ${row} stands in a rack of another zone`)
      for (let unit = table.startU[row]; unit < table.startU[row] + table.uSize[row]; unit++) {
        const other = units[rack].get(unit)
        if (other !== undefined) wrong.push(`${other} and ${kind} ${row} share unit ${unit} of rack ${rack}`)
        if (unit < 1 || unit > racks.uSize[rack]) wrong.push(`${kind} ${row} sticks out of rack ${rack}`)
        units[rack].set(unit, `${kind} ${row}`)
      }
    }
  }
  units.forEach((taken, rack) => {
    if (taken.size !== racks.usedU[rack])
      wrong.push(`rack ${rack} counts ${racks.usedU[rack]} of ${taken.size} units`)
  })
  return wrong
}

function listViolations(topology: Topology): string[] {
  const { racks, hosts, switches, zones } = topology
  type List = 'racks' | 'hosts' | 'gateways' | 'appliances' | 'panels' | 'feeds' | 'coolingUnits'
  const ofZones = (list: List): number[] => zones.flatMap((zone) => zone[list])
  const switchesOf = zones.flatMap(({ edges, aggregations, cores }) => [edges, aggregations, cores].flat())
  const lists: Readonly<Record<string, readonly [rows: readonly number[], count: number]>> = {
    'racks in zones': [ofZones('racks'), racks.count],
    'hosts in zones': [ofZones('hosts'), hosts.count],
    'hosts in racks': [racks.hosts.flat(), hosts.count],
    'switches in racks': [racks.switches.flat(), switches.count],
    'switches in zones': [switchesOf, switches.count],
    'gateways in zones': [ofZones('gateways'), topology.gateways.count],
    'appliances in zones': [ofZones('appliances'), topology.appliances.count],
    'panels in zones': [ofZones('panels'), topology.panels.count],
    'feeds in zones': [ofZones('feeds'), topology.feeds.count],
    'cooling units in zones': [ofZones('coolingUnits'), topology.coolingUnits.count],
  }
  const wrong = Object.entries(lists).flatMap(([what, [rows, count]]) => {
    const sorted = rows.toSorted((one, other) => one - other)
    const isWhole = sorted.length === count && sorted.every((row, index) => row === index)
    return isWhole ? [] : [`${what} are not each in one place`]
  })
  racks.hosts.forEach((rows, rack) => {
    const edges = racks.switches[rack].filter((row) => switches.role[row] === 'edge').length
    if (rows.length > 0 && edges !== 2) wrong.push(`rack ${rack} has ${edges} edge switches`)
    if (rows.some((host) => hosts.rack[host] !== rack)) wrong.push(`rack ${rack} lists a host of another`)
  })
  return wrong
}

function nameViolations(topology: Topology): string[] {
  const wrong: string[] = []
  const names = Object.values(deviceTables(topology)).flatMap((table) => table.name)
  names.push(
    ...topology.zones.map((zone) => zone.name),
    ...topology.coolingUnits.name,
    ...topology.hosts.label,
  )
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) wrong.push(`${name} is the name of two`)
    seen.add(name)
  }
  for (const zone of topology.zones) {
    const rackNames = new Set(zone.racks.map((rack) => topology.racks.name[rack]))
    if (rackNames.size !== zone.racks.length) wrong.push(`${zone.name} has two racks of one name`)
  }
  return wrong
}

/** All equipment was installed before the world began, and none before its zone. */
function ageViolations(topology: Topology): string[] {
  const wrong: string[] = []
  for (const [kind, table] of Object.entries(deviceTables(topology))) {
    for (let row = 0; row < table.count; row++) {
      const installed = table.installed[row]
      const hours = -installed / 3_600_000_000
      if (!Number.isInteger(installed) || hours < 24 || hours > 4 * 8_766) {
        wrong.push(`${kind} ${row} was installed ${hours} hours before the world began`)
      }
    }
  }
  return wrong
}

function poolViolations(topology: Topology): string[] {
  const { hosts, pools, hostSkus } = topology
  const wrong: string[] = []
  const members = pools.map(() => 0)
  for (let host = 0; host < hosts.count; host++) {
    const pool = pools[hosts.pool[host]]
    const sku = hostSkus[hosts.sku[host]]
    members[hosts.pool[host]]++
    if (sku.arch !== pool.arch || sku.accelerator !== pool.accelerator)
      wrong.push(`host ${host} is in the wrong pool`)
    if (sku.uSize !== hosts.uSize[host] || sku.nicCount !== hosts.portCount[host]) {
      wrong.push(`host ${host} is not built like its model`)
    }
  }
  members.forEach((count, pool) => {
    if (count === 0) wrong.push(`pool ${pools[pool].name} is empty`)
  })
  const expected = Math.min(7, hosts.count)
  if (pools.length !== expected) wrong.push(`${pools.length} pools at ${hosts.count} hosts`)
  return wrong
}

test.each(
  violations({
    'devices stand in racks of their zone and never share a unit': rackViolations,
    'every device is listed once, where it stands': listViolations,
    'no two devices have the same name': nameViolations,
    'devices were installed in the years before the world began': ageViolations,
    'hosts are in pools of their build, and no pool is empty': poolViolations,
  }),
)('%s', (_, found) => {
  expect(found).toEqual([])
})

describe('layout', () => {
  test('nor do they in the largest topology, in which racks of the network row are full', () => {
    const topology = topologyOf({ name: '', seed: 1n, scale: hostsMax })
    expect(rackViolations(topology)).toEqual([])
    expect(listViolations(topology)).toEqual([])
    expect(nameViolations(topology)).toEqual([])
  })

  test.each([
    ['small', 24, 2, 1, 4, 2],
    ['medium', 120, 3, 2, 9, 6],
    ['large', 1_000, 4, 2, 64, 8],
    [5_000, 5_000, 5, 3, 255, 10],
    [1, 1, 1, 1, 1, 1],
  ] as const)(
    'a topology of scale %s has %i hosts, %i zones, %i regions, %i racks with hosts, %i gateways',
    (scale, ...counts) => {
      const topology = topologyOf({ name: '', seed: 11n, scale })
      const hostRacks = topology.racks.hosts.filter((rows) => rows.length > 0).length
      expect([
        topology.hosts.count,
        topology.zones.length,
        topology.regions.length,
        hostRacks,
        topology.gateways.count,
      ]).toEqual(counts)
    },
  )

  test('hosts of a pool stand in several zones and racks', () => {
    const { hosts, pools } = topologyOf({ name: '', seed: 2n, scale: 'medium' })
    const spread = pools.map((_, pool) => {
      const rows = Array.from({ length: hosts.count }, (_, host) => host).filter(
        (host) => hosts.pool[host] === pool,
      )
      return [
        new Set(rows.map((row) => hosts.zone[row])).size,
        new Set(rows.map((row) => hosts.rack[row])).size,
      ] as const
    })
    for (const [zones, racks] of spread) {
      expect(zones).toBe(3)
      expect(racks).toBeGreaterThanOrEqual(4)
    }
  })

  test('where hosts are too few for all pools, the general pool takes what has no other place', () => {
    const { pools } = topologyOf({ name: '', seed: 2n, scale: 1 })
    expect(pools.map((pool) => pool.name)).toEqual(['General x86'])
    expect(pools[0].classes.toSorted()).toEqual(
      'app batch block-storage cache database object-storage queue web'.split(' '),
    )
  })

  test('one feed of a zone alone carries its hosts at full load, but not with all that cooling may draw', () => {
    const topology = topologyOf({ name: '', seed: 2n, scale: 'medium' })
    for (const zone of topology.zones) {
      const busy = zone.hosts.reduce(
        (sum, host) => sum + topology.hostSkus[topology.hosts.sku[host]].busyWatts,
        0,
      )
      for (const feed of zone.feeds)
        expect(topology.feeds.capacityKw[feed] / (busy / 1000)).toSatisfy(isBetween(1, 1.45))
    }
  })

  test.each([0, -1, 2.5, hostsMax + 1, Number.NaN])('%d hosts are refused', (hosts) => {
    expect(() => buildTopology(new RandomStreams(1n), hosts)).toThrow('a plant has 1 to 50000 hosts')
  })
})

const isBetween =
  (low: number, high: number) =>
  (value: number): boolean =>
    value >= low && value <= high
