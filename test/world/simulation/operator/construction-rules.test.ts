import { describe, expect, test } from 'vitest'
import { createConstruction } from '../../../../src/world/simulation/operator/construction.ts'
import { day } from '../../../../src/world/simulation/time.ts'
import type { Works } from '../../../../src/world/simulation/topology/works.ts'
import { createPlanningFixture } from './planning-fixture.ts'

type Columns = Record<string, { [row: number]: number; fill(value: number): void }>

/** A site on day 9 of which every column has a seven in each row. */
function siteOfSevens() {
  const { world, context } = createPlanningFixture()
  const { condition, facility, network } = world
  const costs = context.costs as unknown as Columns
  const columnsOf = (part: object, names: readonly string[]): Columns =>
    Object.fromEntries(names.map((name) => [name, (part as Columns)[name]]))
  const columns = {
    condition: columnsOf(condition, ['hostMaintenance', 'hostWear']),
    facility: columnsOf(
      facility,
      'hostFeeds hostPowered hostRunning hostWatts hostHeatTripped hostThrottled hostDarkMinutes'.split(' '),
    ),
    network: columnsOf(network, ['hostReachable', 'hostConnected']),
    ports: columnsOf(network, ['portUp', 'portTxGbps', 'portRxGbps', 'portDroppedGbps']),
    costs: columnsOf(costs, ['direct', 'facility', 'total', 'basis', 'depreciation']),
  }
  for (const column of Object.values(columns).flatMap((part) => Object.values(part))) column.fill(7)
  world.now = 9 * day
  const part = { state: { capacity: context.capacity }, accounting: { costs } }
  const construct: (works: Works) => void = createConstruction(world, context.site, part as never)
  const rowOf = (part: Columns, row: number) =>
    Object.fromEntries(Object.entries(part).map(([name, column]) => [name, column[row]]))
  return { world, construct, columns, rowOf }
}

describe('a host that is taken out', () => {
  test('leaves a row of zeros, and those of others as they are', () => {
    const { world, construct, columns, rowOf } = siteOfSevens()
    const { connectivityVersion } = world.network
    construct({ kind: 'Removal', hosts: [3] })
    const { condition, facility, network, costs } = columns
    expect(rowOf(condition, 3)).toEqual({ hostMaintenance: 0, hostWear: 0 })
    expect(rowOf(condition, 4)).toEqual({ hostMaintenance: 7, hostWear: 7 })
    const running = { hostFeeds: 7, hostPowered: 7, hostRunning: 7, hostWatts: 7 }
    const off = { hostFeeds: 0, hostPowered: 0, hostRunning: 0, hostWatts: 0 }
    // How long a host was without power is a counter.
    expect(rowOf(facility, 3)).toEqual({ ...off, hostHeatTripped: 0, hostThrottled: 0, hostDarkMinutes: 7 })
    expect(rowOf(facility, 4)).toEqual({
      ...running,
      hostHeatTripped: 7,
      hostThrottled: 7,
      hostDarkMinutes: 7,
    })
    expect(rowOf(network, 3)).toEqual({ hostReachable: 0, hostConnected: 0 })
    expect(rowOf(network, 4)).toEqual({ hostReachable: 7, hostConnected: 7 })
    expect(rowOf(costs, 3)).toEqual({ direct: 0, facility: 0, total: 0, basis: 0, depreciation: 0 })
    expect([
      world.network.connectivityVersion > connectivityVersion,
      world.facility.conditionVersion,
    ]).toEqual([true, -1])
  })

  test('leaves ports free at both ends of its links', () => {
    const { world, construct, columns, rowOf } = siteOfSevens()
    const { hosts, ports } = world.topology
    const first = hosts.firstPort[3]
    const other = hosts.firstPort[4]
    const [peer, otherPeer] = [ports.peer[first], ports.peer[other]]
    construct({ kind: 'Removal', hosts: [3] })
    const idle = { portUp: 0, portTxGbps: 0, portRxGbps: 0, portDroppedGbps: 0 }
    const busy = { portUp: 7, portTxGbps: 7, portRxGbps: 7, portDroppedGbps: 7 }
    expect([first, peer, other, otherPeer].map((port) => rowOf(columns.ports, port))).toEqual([
      idle,
      idle,
      busy,
      busy,
    ])
  })
})

test('a host that is replaced is not worn, and was never without power', () => {
  const { construct, columns, rowOf, world } = siteOfSevens()
  construct({ kind: 'Renewal', host: 3 })
  expect([3, 4].map((host) => rowOf(columns.condition, host).hostWear)).toEqual([0, 7])
  expect([3, 4].map((host) => rowOf(columns.facility, host).hostDarkMinutes)).toEqual([0, 7])
  expect(columns.facility.hostWatts[3]).toBe(7)
  expect(world.facility.conditionVersion).toBe(-1)
})

test('a new cooling unit is as old as its installation', () => {
  const { construct, world } = siteOfSevens()
  const { coolingUnits } = world.topology
  const before = Array.from(world.condition.coolingInstalled)
  expect(coolingUnits.count).toBe(4)
  construct({ kind: 'Cooling', zone: 0, kw: 6 })
  expect(coolingUnits.count).toBe(5)
  expect(Array.from(world.condition.coolingInstalled)).toEqual(before.with(4, 9 * day))
})
