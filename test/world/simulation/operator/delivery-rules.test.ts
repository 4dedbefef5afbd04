import { describe, expect, test } from 'vitest'
import { stepInstallations } from '../../../../src/world/simulation/operator/installation.ts'
import type { Purchase } from '../../../../src/world/simulation/operator/model.ts'
import { callOffSale, stepSales } from '../../../../src/world/simulation/operator/sales.ts'
import { day, hour } from '../../../../src/world/simulation/time.ts'
import type { OrderedWorks, Works } from '../../../../src/world/simulation/topology/works.ts'
import { FixedStream } from '../fixed-stream.ts'
import { createPlanningFixture } from './planning-fixture.ts'

type PlanningFixture = ReturnType<typeof createPlanningFixture>

function withPurchase(works: readonly OrderedWorks[], about: Partial<Purchase> = {}) {
  const fixture = createPlanningFixture()
  const purchase: Purchase = {
    id: 1,
    what: 'it',
    zone: 1,
    works: [...works],
    hires: null,
    region: null,
    dollars: 12_000,
    instalment: 200,
    ordered: 0,
    due: day,
    isExchanged: false,
    resaleDollars: 0,
    workOrder: null,
    ...about,
  }
  fixture.state.purchases.push(purchase)
  return { ...fixture, purchase }
}

/** Completes the open order immediately. */
function finishWork({ operations }: PlanningFixture): void {
  operations.dispatcher.state.open = []
}

const rack: OrderedWorks = { kind: 'Rack', zone: 1 }
const hosts: OrderedWorks = { kind: 'Hosts', zone: 1, pool: 0, count: 3 }

describe('a delivery', () => {
  test.each<[string, readonly OrderedWorks[], string, string, number[]]>([
    ['hosts', [hosts], 'Install', 'hardware', [75, 45]],
    ['a rack with hosts', [rack, hosts], 'Install', 'hardware', [255, 85]],
    ['links', [{ kind: 'Links', zone: 0, role: 'CoreUp', gbps: 40 }], 'Install', 'network', [60, 20]],
    [
      'a device',
      [{ kind: 'Device', device: 'Switch', row: 0, fabricGbps: 100 }],
      'Install',
      'network',
      [75, 30],
    ],
    ['a cooling unit', [{ kind: 'Cooling', zone: 0, kw: 6 }], 'Install', 'power', [240, 60]],
    ['power', [{ kind: 'Power', zone: 0, kw: 3 }], 'Install', 'power', [300, 60]],
    ['a successor', [{ kind: 'Renewal', host: 3 }], 'Replace', 'hardware', [40, 30]],
  ])('of %s is installed by an order', (_, works, kind, skill, [mount, burnIn]) => {
    const fixture = withPurchase(works)
    fixture.world.now = day - 1
    stepInstallations(fixture.context)
    expect(fixture.operations.openOrders).toBe(0)
    fixture.world.now = day
    stepInstallations(fixture.context)
    expect(fixture.texts()).toEqual([expect.stringMatching(/^Delivered/)])
    const [order] = fixture.operations.dispatcher.open
    const isRenewal = kind === 'Replace'
    expect(order).toMatchObject({ kind, skill, onSite: true, priority: 4, label: 'Install it' })
    expect(order.target).toEqual(isRenewal ? { kind: 'Host', row: 3 } : null)
    expect(order.steps.map((step) => [step.kind, step.estimate / 60e6])).toEqual([
      ['Travel', 8],
      ['FetchSpare', 15],
      ...(isRenewal ? [['Drain', 25]] : []),
      ['Swap', mount],
      ['Configure', 15],
      ['Test', burnIn],
    ])
    expect(fixture.purchase.workOrder).toBe(order.id)
    stepInstallations(fixture.context)
    expect([fixture.operations.openOrders, fixture.built]).toEqual([1, []])
    finishWork(fixture)
    stepInstallations(fixture.context)
    // The racks of this site are full.
    expect(fixture.state.purchases).toEqual(works.includes(hosts) ? [fixture.purchase] : [])
  })

  test.each<[OrderedWorks, number]>([
    [rack, 9_500 / 60],
    [{ kind: 'Cooling', zone: 0, kw: 6 }, 200],
    [{ kind: 'Renewal', host: 3 }, 0],
  ])('of %j is built and depreciated in its zone', (works, perMonth) => {
    const fixture = withPurchase([works], { due: 0, resaleDollars: 50 })
    stepInstallations(fixture.context)
    finishWork(fixture)
    const { reserves } = fixture.state
    const later = { ...fixture.purchase, due: 9 * day, workOrder: null }
    fixture.state.purchases.push(later)
    stepInstallations(fixture.context)
    expect(fixture.built).toEqual([works])
    expect(fixture.state.purchases).toEqual([later])
    expect([...fixture.context.costs.zoneWorks].slice(0, 2)).toEqual([0, perMonth])
    expect(fixture.state.totals).toMatchObject({ installed: 1, renewed: works.kind === 'Renewal' ? 1 : 0 })
    expect(fixture.state.reserves - reserves).toBe(works.kind === 'Renewal' ? 50 : 0)
  })

  test('waits in the hall while there is no room', () => {
    const fixture = withPurchase([rack], { due: 0 })
    fixture.context.site.racksMax.fill(0)
    stepInstallations(fixture.context)
    finishWork(fixture)
    stepInstallations(fixture.context)
    expect([fixture.built, fixture.state.purchases.length, fixture.state.totals.installed]).toEqual([
      [],
      1,
      0,
    ])
    expect(fixture.texts().at(-1)).toMatch(/^No room for it\. .*it was delivered and waits in the hall/)
    fixture.context.site.racksMax.fill(5)
    stepInstallations(fixture.context)
    expect([fixture.built, fixture.state.purchases, fixture.state.totals.installed]).toEqual([[rack], [], 1])
  })

  test('of hosts is installed as far as racks take them', () => {
    const fixture = withPurchase([hosts], { due: 0 })
    const { sizing } = fixture.context.site
    const construct = (works: Works): void => {
      fixture.context.construct(works)
      Object.assign(sizing, { hostsPerRack: 6 })
    }
    stepInstallations(fixture.context)
    finishWork(fixture)
    // Its racks take two more.
    Object.assign(sizing, { hostsPerRack: 7 })
    stepInstallations({ ...fixture.context, construct })
    expect(fixture.built).toEqual([{ ...hosts, count: 2 }])
    expect(fixture.purchase.works).toEqual([{ ...hosts, count: 1 }])
    expect(fixture.texts()[1]).toBe(
      'No room for it. It is needed because it was delivered and waits in the hall.',
    )
    expect(fixture.world.events.state.window[1]).toMatchObject({ entity_kind: 'Zone', entity_id: 2 })
    Object.assign(sizing, { hostsPerRack: 7 })
    stepInstallations({ ...fixture.context, construct })
    expect(fixture.built).toEqual([
      { ...hosts, count: 2 },
      { ...hosts, count: 1 },
    ])
    expect([fixture.state.purchases, fixture.state.totals.installed]).toEqual([[], 1])
  })

  test.each([
    [0.959, []],
    [0.96, [5]],
  ])('at a draw of %d is exchanged after days: %j', (draw, days) => {
    const fixture = withPurchase([rack], { due: 0 })
    const deliveries = Object.assign(new FixedStream(draw), { between: (least: number) => least + 1 })
    stepInstallations({ ...fixture.context, deliveries })
    expect([fixture.purchase.isExchanged, fixture.purchase.due]).toEqual(
      days.length === 0 ? [false, 0] : [true, days[0] * day],
    )
  })
})

test('a technician starts on the day', () => {
  const fixture = withPurchase([], { hires: 'power' })
  const before = fixture.operations.staffCount
  stepInstallations(fixture.context)
  expect(fixture.operations.staffCount).toBe(before)
  fixture.world.now = day
  stepInstallations(fixture.context)
  expect([
    fixture.operations.staffCount - before,
    fixture.state.totals.hired,
    fixture.state.purchases,
  ]).toEqual([1, 1, []])
  expect(fixture.operations.dispatcher.roster.staff.at(-1)!.skill).toBe('power')
})

test('a wrong delivery goes back once, and the next one is right', () => {
  const fixture = withPurchase([hosts])
  const context = { ...fixture.context, deliveries: new FixedStream(0.97) }
  const stepAt = (now: number) => {
    fixture.world.now = now
    stepInstallations(context)
    return fixture.operations.openOrders
  }
  expect([stepAt(day), stepAt(13 * day - 1), stepAt(13 * day), stepAt(14 * day)]).toEqual([0, 0, 1, 1])
  expect(fixture.texts()).toEqual([
    'The delivery of it goes back: the supplier mixed up two orders. Another one is due in 12 days.',
    'Delivered after 13 days: it.',
  ])
})

describe('a sale', () => {
  /**
   * A sale of hosts 3 and 4, due after a day. Each has a resale value of $8,330 and a debt of $9,800, apart from one
   * day's decay.
   */
  function withSale(prepare: (fixture: PlanningFixture) => void = () => {}) {
    const fixture = createPlanningFixture()
    const sale = { pool: 0, zone: 0, hosts: [3, 4], because: 'empty', due: day, workOrder: null }
    fixture.state.sales.push(sale)
    prepare(fixture)
    fixture.world.topology.hosts.installed.fill(day)
    return { ...fixture, sale }
  }
  const stepAt = ({ world, context }: PlanningFixture, now: number): void => {
    world.now = now
    stepSales(context)
  }

  test('takes hosts out of service when it is due, then out of the racks, and pays off what is owed', () => {
    const fixture = withSale()
    const { condition, topology } = fixture.world
    fixture.state.reserves = 0
    stepAt(fixture, day - 1)
    expect([condition.hostMaintenance[3], fixture.operations.openOrders]).toEqual([0, 0])
    stepAt(fixture, day)
    expect([condition.hostMaintenance[3], condition.hostMaintenance[4]]).toEqual([1, 1])
    const [order] = fixture.operations.dispatcher.open
    expect(order).toMatchObject({
      kind: 'Decommission',
      skill: 'hardware',
      onSite: true,
      priority: 5,
      zone: 0,
    })
    expect(order.steps.map((step) => [step.kind, step.estimate / 60e6])).toEqual([
      ['Travel', 8],
      ['Inspect', 5],
      ['Clean', 50],
      ['Dismount', 50],
      ['Configure', 10],
    ])
    stepAt(fixture, day)
    expect(fixture.built).toEqual([])
    finishWork(fixture)
    fixture.state.emptyHours.fill(9)
    stepAt(fixture, day)
    expect(topology.hostSkus[topology.hosts.sku[3]].priceDollars).toBe(9_800)
    expect(fixture.built).toEqual([{ kind: 'Removal', hosts: [3, 4] }])
    expect(fixture.state.reserves).toBeCloseTo(2 * (8_330 - 9_800), 6)
    expect(fixture.state.totals).toMatchObject({ sold: 2, proceeds: 16_660 })
    expect(Array.from(fixture.state.emptyHours.slice(2, 6))).toEqual([9, 0, 0, 9])
    expect(fixture.state.sales).toEqual([])
    expect(fixture.texts().at(-1)).toMatch(
      /for \$16,660, at a loss of \$2,940 against what was still owed: empty\.$/,
    )
  })

  test.each<[string, (fixture: PlanningFixture) => void, number[] | null]>([
    ['is used again', ({ world }) => void (world.load.unitCount[3] = 1), [4]],
    ['is in maintenance', ({ world }) => void (world.condition.hostMaintenance[4] = 1), [3]],
    ['and all others are used again', ({ world }) => world.load.unitCount.fill(1), null],
  ])('leaves a host that %s', (_, prepare, left) => {
    const fixture = withSale(prepare)
    stepAt(fixture, day)
    expect(fixture.state.sales.map(({ hosts: sold }) => sold)).toEqual(left === null ? [] : [left])
    expect(fixture.operations.openOrders).toBe(left === null ? 0 : 1)
  })

  const orderAt =
    (row: number) =>
    ({ operations }: PlanningFixture): void =>
      void operations.dispatcher.state.open.push({ target: { kind: 'Host', row } } as never)
  const suspectedAt =
    (kind: string, rowOf: (topology: Topology) => number) =>
    ({ world }: PlanningFixture): void =>
      incidentAt(world, { causes: [{ target: { kind, row: rowOf(world.topology) } }] })
  test.each<[string, (fixture: PlanningFixture) => void, number]>([
    ['nothing is wrong', () => {}, 1],
    ['a unit came to it', ({ world }) => void (world.load.unitCount[3] = 1), 0],
    ['an order concerns it', orderAt(4), 0],
    ['an order concerns another', orderAt(5), 1],
    ['a confirmed fault is in it', ({ world }) => faultAt(world, 3, 1), 0],
    ['an unnoticed fault is in it', ({ world }) => faultAt(world, 3, null), 1],
    ['a confirmed fault is in another', ({ world }) => faultAt(world, 5, 1), 1],
    ['an incident concerns its zone', ({ world }) => incidentAt(world, { zones: [0] }), 0],
    ['an incident concerns another zone', ({ world }) => incidentAt(world, { zones: [1] }), 1],
    ['an incident affects it', ({ world }) => incidentAt(world, { impact: { hosts: [3] } }), 0],
    ['it is suspected', suspectedAt('Host', () => 3), 0],
    ['its link is suspected', suspectedAt('Port', ({ hosts }) => hosts.firstPort[3]), 0],
    [
      'its cable is suspected',
      suspectedAt('Cable', ({ hosts, ports }) => ports.cable[hosts.firstPort[3]]),
      0,
    ],
    [
      'the other end of its last link is suspected',
      suspectedAt('Port', (at) => at.ports.peer[lastPortOf(at, 4)]),
      0,
    ],
    ['the first link of the next host is suspected', suspectedAt('Port', (at) => lastPortOf(at, 4) + 1), 1],
    ['another host is suspected', suspectedAt('Host', () => 5), 1],
  ])('is finished when %s: %i', (_, prepare, sold) => {
    const fixture = withSale()
    stepAt(fixture, day)
    finishWork(fixture)
    prepare(fixture)
    stepAt(fixture, day + hour)
    expect(fixture.built).toHaveLength(sold)
  })

  test('is called off for its pool alone, and only before it has begun', () => {
    const fixture = withSale()
    expect([callOffSale(fixture.context, 1), fixture.state.sales.length]).toEqual([false, 1])
    expect([callOffSale(fixture.context, 0), fixture.state.sales.length]).toEqual([true, 0])
    const begun = withSale()
    stepAt(begun, day)
    expect([callOffSale(begun.context, 0), begun.state.sales.length]).toEqual([false, 1])
  })
})

type Topology = PlanningFixture['world']['topology']
const lastPortOf = ({ hosts }: Topology, host: number): number =>
  hosts.firstPort[host] + hosts.portCount[host] - 1

function incidentAt({ incidents }: PlanningFixture['world'], about: object): void {
  const incident = { id: 1, zones: [], causes: [], impact: { hosts: [] }, ...about }
  ;(incidents as Map<number, object>).set(1, incident)
}

const faultAt = ({ faults }: PlanningFixture['world'], row: number, incidentId: number | null): void => {
  const spec = { kind: 'DiskFailure', target: { kind: 'Host', row }, magnitude: 1, lasts: null } as const
  Object.assign(faults.inject(spec), { incidentId })
}
