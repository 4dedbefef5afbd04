import { describe, expect, test } from 'vitest'
import { SpareInventory } from '../../../../src/world/simulation/operations/inventory.ts'
import type { PartKind } from '../../../../src/world/simulation/work/parts.ts'
import { partWithArticle } from '../../../../src/world/simulation/work/parts.ts'
import { MaintenancePlanner } from '../../../../src/world/simulation/operations/preventive-maintenance.ts'
import { RackAccess } from '../../../../src/world/simulation/operations/rack-access.ts'
import type { WorldView } from '../../../../src/world/simulation/state.ts'
import type { Tenants } from '../../../../src/world/simulation/tenants/tenant.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import type { Topology } from '../../../../src/world/simulation/topology/tables.ts'
import { FixedStream } from '../fixed-stream.ts'

/** 3,000 devices of all kinds. */
const topology = {
  hosts: { rows: { length: 2_900 } },
  switches: { count: 60 },
  gateways: { count: 30 },
  appliances: { count: 10 },
} as unknown as Topology

const inventoryAt = (draw: number): SpareInventory => new SpareInventory(topology, new FixedStream(draw))

test.each<[PartKind, string, number, number, number, number]>([
  ['ssd', 'an SSD', 204, 120, 8, 26],
  ['psu', 'a power supply', 123, 70, 8, 26],
  ['fan', 'a fan tray', 123, 40, 8, 26],
  ['mainboard', 'a mainboard', 52, 210, 12, 36],
  ['memory', 'a memory module', 77, 90, 8, 26],
  ['transceiver', 'a transceiver', 104, 45, 8, 20],
  ['cable', 'a cable', 156, 20, 6, 18],
  ['switch', 'a switch', 21, 360, 10, 30],
  ['gateway', 'a gateway', 4, 1_100, 12, 36],
  ['appliance', 'an appliance', 4, 800, 12, 36],
  ['compressor', 'a compressor', 7, 300, 10, 30],
  ['filter', 'an air filter', 56, 25, 10, 30],
  ['battery', 'a battery string', 7, 240, 12, 36],
])(
  '%s: stock for 3,000 devices, price and hours of delivery',
  (part, name, stock, dollars, fastest, slowest) => {
    expect(partWithArticle(part)).toBe(name)
    for (const [draw, hours] of [
      [0, fastest],
      [1, slowest],
    ]) {
      const inventory = inventoryAt(draw)
      expect(inventory.count(part)).toBe(stock)
      expect(inventory.take(part, day)).toBe(true)
      expect(inventory.count(part)).toBe(stock - 1)
      expect(inventory.state.deliveries).toEqual([{ part, due: day + hours * hour }])
      expect([inventory.takeSpending(), inventory.takeSpending()]).toEqual([dollars, 0])
    }
  },
)

describe('spare parts', () => {
  test('are not taken from an empty shelf, and nothing is ordered then', () => {
    const inventory = inventoryAt(0)
    inventory.state.stock.set('ssd', 0)
    expect(inventory.take('ssd', 0)).toBe(false)
    expect([inventory.count('ssd'), inventory.state.deliveries, inventory.takeSpending()]).toEqual([0, [], 0])
    inventory.state.stock.delete('ssd')
    expect(inventory.count('ssd')).toBe(0)
  })

  test('arrive when they are due, each once', () => {
    const inventory = inventoryAt(0)
    inventory.state.stock.set('ssd', 2)
    inventory.take('ssd', 0)
    inventory.take('ssd', hour)
    const counts = [8 * hour - 1, 8 * hour, 9 * hour, 30 * hour].map((at) => {
      inventory.receive(at)
      return inventory.count('ssd')
    })
    expect(counts).toEqual([0, 1, 2, 2])
    expect(inventory.state.deliveries).toEqual([])
  })

  test.each([
    [0, 2],
    [1, 7],
  ])(
    'come by courier (draw %i) in %i hours, for 90 dollars, in the place of a slower delivery',
    (draw, hours) => {
      const inventory = inventoryAt(draw)
      const due = 26 * hour
      inventory.state.deliveries.push({ part: 'fan', due }, { part: 'ssd', due })
      inventory.expedite('ssd', hour)
      expect(inventory.state.deliveries).toEqual([
        { part: 'fan', due: 26 * hour },
        { part: 'ssd', due: (1 + hours) * hour },
      ])
      expect(inventory.takeSpending()).toBe(90)
    },
  )

  test('need no courier where the delivery arrives as early', () => {
    const inventory = inventoryAt(0)
    inventory.take('cable', 0)
    inventory.takeSpending()
    inventory.expedite('cable', 4 * hour)
    expect(inventory.state.deliveries).toEqual([{ part: 'cable', due: 6 * hour }])
    expect(inventory.takeSpending()).toBe(0)
  })

  test('take longer while deliveries are delayed', () => {
    const inventory = inventoryAt(0)
    inventory.scaleDeliveryTimes(3)
    inventory.scaleDeliveryTimes(0.5)
    inventory.take('ssd', 0)
    expect(inventory.state.deliveries[0].due).toBe(12 * hour)
  })
})

describe('upkeep', () => {
  /** Three hosts, two feeds, and one cooling unit of a capacity of two rows; all renewed at the beginning. */
  function dueAt(now: number, hostWear = [0, 0, 0], hostBroken = [0, 0, 0], opened = 0, installed = 0) {
    const world = {
      now,
      topology: {
        hosts: { rows: [0, 1, 2] },
        zones: [{ opened }],
        feeds: { capacity: 2, count: 2, zone: [0, 0] },
        coolingUnits: { capacity: 2, count: 1 },
      },
      condition: { hostWear, hostBroken, coolingInstalled: [installed, installed] },
    } as unknown as WorldView
    const planner = new MaintenancePlanner(world.topology, new FixedStream(0))
    return {
      planner,
      due: () =>
        planner.findDue(world).map(({ target, reason }) => `${target.kind} ${target.row}: ${reason}`),
    }
  }

  test.each([
    [
      'from 75 % wear, most worn first',
      [0.75, 0.7499, 0.926],
      [0, 0, 0],
      ['Host 2: 92 % worn', 'Host 0: 75 % worn'],
    ],
    ['equally worn ones in order', [0.8, 0, 0.8], [0, 0, 0], ['Host 0: 80 % worn', 'Host 2: 80 % worn']],
    ['not of a broken host', [0.8, 0.8, 0], [1, 0, 0], ['Host 1: 80 % worn']],
  ])('of SSDs is due %s', (_, wear, broken, expected) => {
    expect(dueAt(0, wear, broken).due()).toEqual(expected)
  })

  test.each([
    [21 * day - 1, []],
    [21 * day, ['CoolingUnit 0: every 3 weeks']],
    [60 * day - 1, ['CoolingUnit 0: every 3 weeks']],
    [60 * day, ['PowerFeed 0: every 60 days', 'PowerFeed 1: every 60 days', 'CoolingUnit 0: every 3 weeks']],
  ])('of filters and batteries after %i µs', (now, expected) => {
    expect(dueAt(now).due()).toEqual(expected)
  })

  test.each([
    ['batteries of a zone that was opened', 63 * day - 1, 3 * day, 60 * day, []],
    ['batteries of a zone that was opened', 63 * day, 3 * day, 60 * day, [0, 1]],
    ['a filter of a unit that was installed', 24 * day - 1, 24 * day, 3 * day, []],
    ['a filter of a unit that was installed', 24 * day, 24 * day, 3 * day, [0]],
  ])('of %s since counts from then: at %i µs', (_, now, opened, installed, rows) => {
    const { planner, due } = dueAt(now, undefined, undefined, opened, installed)
    expect(due().map((text) => Number(/\d+/.exec(text)![0]))).toEqual(rows)
    expect(planner.state.filtersRenewed[0]).toBeLessThanOrEqual(0)
  })

  test('that was done is due again after its interval', () => {
    const { planner, due } = dueAt(60 * day)
    planner.markRenewed({ kind: 'PowerFeed', row: 1 }, 60 * day)
    planner.markRenewed({ kind: 'CoolingUnit', row: 0 }, 39 * day + 1)
    planner.markRenewed({ kind: 'Host', row: 0 }, 60 * day)
    expect(due()).toEqual(['PowerFeed 0: every 60 days'])
  })

  test('of parts was done at some moment of the interval before the world began', () => {
    const { state } = new MaintenancePlanner(
      { feeds: { capacity: 1, count: 1 }, coolingUnits: { capacity: 1, count: 1 } } as unknown as Topology,
      new FixedStream(0.5),
    )
    expect([state.batteriesRenewed[0], state.filtersRenewed[0]]).toEqual([-30 * day, -10.5 * day])
  })
})

describe('access to a rack', () => {
  const tenantsWith = (tenant: object | null): Tenants =>
    ({
      onHost: (row: number) => (row === 4 && tenant !== null ? [1] : []),
      byId: new Map([[1, tenant]]),
    }) as unknown as Tenants
  const host = { kind: 'Host', row: 4 } as const
  const regulated = { dedicatedHosts: true, compliance: 'HIPAA' }

  test.each([
    ['no customer', null, 'entered'],
    ['dedicated hosts under a regime', regulated, 10 * minute],
    ['dedicated hosts without one', { dedicatedHosts: true, compliance: null }, 'entered'],
    ['shared hosts under one', { dedicatedHosts: false, compliance: 'HIPAA' }, 'entered'],
  ])('of a host with %s', (_, tenant, expected) => {
    expect(new RackAccess(new FixedStream(0)).enter(1, 0, host, tenantsWith(tenant), 0)).toBe(expected)
  })

  test('an escort comes after 10 to 45 minutes and is called once', () => {
    const access = new RackAccess(new FixedStream(1))
    const tenants = tenantsWith(regulated)
    const enterAt = (now: number) => access.enter(1, 0, host, tenants, now)
    expect([enterAt(0), enterAt(45 * minute - 1), enterAt(45 * minute)]).toEqual([
      45 * minute,
      45 * minute,
      'entered',
    ])
    access.close(1, 0)
    expect(enterAt(hour)).toBe(hour + 45 * minute)
  })

  test('is for one order at a time; an order without a rack enters at once', () => {
    const access = new RackAccess(new FixedStream(0))
    const none = tenantsWith(null)
    const enter = (order: number, rack: number) => access.enter(order, rack, null, none, 0)
    expect([enter(1, 5), enter(2, 5), enter(1, 5), enter(2, 6), enter(3, -1), enter(4, -1)]).toEqual([
      'entered',
      null,
      'entered',
      'entered',
      'entered',
      'entered',
    ])
    access.leave(2, 5)
    expect(enter(2, 5)).toBe(null)
    access.leave(1, 5)
    expect(enter(2, 5)).toBe('entered')
  })
})
