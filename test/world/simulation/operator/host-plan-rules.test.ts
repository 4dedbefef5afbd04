import { describe, expect, test } from 'vitest'
import { unservedHosts, planHosts } from '../../../../src/world/simulation/operator/plans/hosts.ts'
import { day } from '../../../../src/world/simulation/time.ts'
import type { OrderedWorks } from '../../../../src/world/simulation/topology/works.ts'
import { createPlanningFixture, demand } from './planning-fixture.ts'

/** The first pool has ten hosts, and the newer model of its hosts costs $14,200. */
function fixtureWith(use: readonly number[], fill: number) {
  const fixture = createPlanningFixture()
  const [pool] = fixture.context.capacity.pools
  pool.milli = fill * pool.maxMilli
  fixture.state.poolUse[0].push(...use)
  return fixture
}

const growing = (perDay: number): number[] => [0, 1, 2, 3, 4].map((passed) => passed * perDay)
/** 1.04 × 2 × 14,200, and a rack. */
const rackAndTwo = 'Rack zone 0 + Hosts zone 0 pool 0 count 2, $39036'

describe('a pool of ten hosts', () => {
  test.each<[string, number, number, readonly string[]]>([
    // 6 hosts in use, and growth by 0.75 within the delivery time of 15 days: 67.5 %.
    ['that will be too full before more could be there', 0.6, 0.05, [rackAndTwo]],
    ['that will be nearly too full', 0.59, 0.05, []],
    ['that is full and does not grow', 0.9, 0, []],
    ['that is full and hardly grows', 0.9, 0.0099, []],
    ['that is full and grows a little', 0.9, 0.0101, [rackAndTwo]],
  ])('%s', (_, fill, growth, expected) => {
    const { context, ordered } = fixtureWith(growing(growth), fill)
    planHosts(context)
    expect(ordered()).toEqual(expected)
  })

  test.each([
    [0.6, 0.05, 'the pool is 60 % full and reaches its limit of 67 % in 14 days'],
    [0.6, 1, 'the pool is 60 % full and reaches its limit of 67 % in 1 day'],
    [0.66, 0.011, 'the pool is 66 % full and reaches its limit of 67 % in 9 days'],
    [0.666, 0.011, 'the pool is 67 % full \\(limit: 67 %\\)'],
    [0.8, 0.05, 'the pool is 80 % full \\(limit: 67 %\\)'],
  ])('%d full that grows by %d a day: %s', (fill, growth, because) => {
    const { context, texts } = fixtureWith(growing(growth), fill)
    planHosts(context)
    expect(texts()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Ordered 2 × Kestrel R1-96 for General x86 with a rack in Westholm A for \\$39,036, delivery in 22 days: ${because}\\.$`,
        ),
      ),
    ])
  })

  test.each([
    // Unserved demand counts half: 6.6 and 0.15 of 10.
    ['0.3 hosts', 0.66, 0.3, 1],
    ['less', 0.66, 0.29, 0],
    ['much, but has room', 0.5, 3.2, 0],
    ['more than it has room for', 0.5, 3.6, 1],
  ])('that turned away %s', (_, fill, hosts, orders) => {
    const { context, world, ordered } = fixtureWith([], fill)
    const { maxMilli } = context.capacity.pools[0]
    demand(world, { vcpu: (hosts * maxMilli) / 10 / 1_000 })
    planHosts(context)
    expect(ordered()).toHaveLength(orders)
  })

  test('that turned away much says so', () => {
    const { context, world, texts } = fixtureWith([], 0.8)
    demand(world, { vcpu: (2 * context.capacity.pools[0].maxMilli) / 10 / 1_000 })
    planHosts(context)
    expect(texts()[0]).toMatch(
      /: the pool is 80 % full \(limit: 67 %\) and turned away demand for 2 hosts\.$/,
    )
  })

  test.each([
    [1, '1 more host is on order already'],
    [2, '2 more hosts are on order already'],
  ])('that turned away more than the %i on order says what is on order', (count, text) => {
    const fixture = fixtureWith([], 0.9)
    demand(fixture.world, { vcpu: (20 * fixture.context.capacity.pools[0].maxMilli) / 10 / 1_000 })
    comes(fixture, [{ kind: 'Hosts', zone: 0, pool: 0, count }])
    planHosts(fixture.context)
    expect(fixture.texts().at(-1)!.endsWith(`for 20 hosts; ${text}.`)).toBe(true)
  })

  test('takes what is on order into account', () => {
    const { context, ordered } = fixtureWith(growing(0.05), 0.6)
    planHosts(context)
    planHosts(context)
    expect(ordered()).toHaveLength(1)
  })

  test.each([
    // At most 15 % more hosts.
    [20, 0.9, 0.05, 3],
    [21, 0.9, 0.05, 4],
    // 67.8 hosts in use after 29 days, of which 60 % may be in use.
    [100, 0.67, 0.0275, 13],
    [100, 0.67, 0.0276, 14],
  ])('that had %i hosts, was %d full and grows by %d a day would order %i', (hosts, fill, growth, wanted) => {
    const { context, texts } = fixtureWith(growing(growth), fill)
    Object.assign(context.capacity.pools[0], { hosts })
    context.site.racksMax.fill(0)
    planHosts(context)
    expect(texts()).toEqual([expect.stringContaining(`No room for ${wanted} × Kestrel R1-96`)])
  })

  type Fixture = ReturnType<typeof fixtureWith>
  const comes = ({ state }: Fixture, works: readonly OrderedWorks[]): void =>
    void state.purchases.push({ works, hires: null } as never)
  const onSiteFor =
    (hostsMax: number) =>
    ({ context }: Fixture) =>
      void Object.assign(context.site, { hostsMax })
  const hostsCome =
    (zone: number, count: number) =>
    (fixture: Fixture): void =>
      comes(fixture, [{ kind: 'Hosts', zone, pool: 1, count }])
  const rackComes =
    (racksMax: number) =>
    (fixture: Fixture): void => {
      fixture.context.site.racksMax.fill(racksMax)
      comes(fixture, [{ kind: 'Rack', zone: 0 }])
    }
  const two = 'Hosts zone 0 pool 0 count 2, $29536'
  const one = 'Hosts zone 0 pool 0 count 1, $14768'
  const rackAndOne = 'Rack zone 0 + Hosts zone 0 pool 0 count 1, $24268'
  test.each<[string, number, (fixture: Fixture) => void, number, string]>([
    ['are free', 7, () => {}, 11, two],
    ['are free, for one of which a host of another pool comes', 7, hostsCome(0, 1), 11, one],
    ['are free, for all of which hosts of another pool come', 7, hostsCome(0, 2), 22, rackAndTwo],
    ['are free, and hosts come to the other zone', 7, hostsCome(1, 2), 11, two],
    ['are free, on a site for one more host', 7, onSiteFor(25), 11, one],
    ['are taken, on a site for one more host', 6, onSiteFor(25), 22, rackAndOne],
    [
      'are taken, and the last rack of the zone comes',
      6,
      rackComes(3),
      22,
      rackAndTwo.replaceAll('zone 0', 'zone 1'),
    ],
    ['are taken, and the last rack but one of the zone comes', 6, rackComes(4), 22, rackAndTwo],
  ])('whose racks %s', (_, hostsPerRack, prepare, days, expected) => {
    const fixture = fixtureWith(growing(0.05), 0.6)
    Object.assign(fixture.context.site.sizing, { hostsPerRack })
    prepare(fixture)
    const before = fixture.state.purchases.length
    planHosts(fixture.context)
    expect(fixture.ordered().slice(before)).toEqual([expected])
    expect(fixture.state.purchases.at(-1)!.due).toBe(days * day)
  })

  test('says that it waits for a rack that is on order', () => {
    const fixture = fixtureWith(growing(0.05), 0.6)
    fixture.context.site.racksMax.fill(0)
    comes(fixture, [{ kind: 'Rack', zone: 1 }])
    planHosts(fixture.context)
    expect(fixture.state.purchases).toHaveLength(1)
    const text =
      '2 × Kestrel R1-96 for General x86 waits for the racks on order, unless there is room elsewhere before.'
    expect(fixture.texts().join().slice(0, text.length)).toBe(text)
  })

  test('keeps hosts that were to be sold instead of ordering more', () => {
    const { context, state } = fixtureWith(growing(0.05), 0.6)
    state.sales.push({ pool: 0, zone: 0, hosts: [2], because: '', due: 0, workOrder: null })
    planHosts(context)
    expect([state.sales, state.purchases]).toEqual([[], []])
  })

  test('grows where it is fullest', () => {
    const { context, world, state } = fixtureWith(growing(0.05), 0.6)
    const { hosts } = world.topology
    for (const host of hosts.rows) if (hosts.zone[host] === 1) world.load.allocatedMilli[host] = 1_000
    planHosts(context)
    expect(state.purchases.map(({ zone }) => zone)).toEqual([1])
  })

  const noRoom = /^No room for 2 × Kestrel R1-96 for General x86\./
  const noMoney =
    /^Cannot afford 2 × Kestrel R1-96 for General x86 with a rack in Westholm A: \$39,036 needed, \$667 available\./
  test.each<[string, (fixture: Fixture) => void, RegExp]>([
    ['no floor space', ({ context }) => void context.site.racksMax.fill(0), noRoom],
    ['room for no more hosts', onSiteFor(24), noRoom],
    ['no money', ({ state }) => void (state.reserves = 100), noMoney],
  ])('finds %s', (_, prepare, expected) => {
    const fixture = fixtureWith(growing(0.05), 0.6)
    prepare(fixture)
    planHosts(fixture.context)
    expect(fixture.state.purchases).toEqual([])
    expect(fixture.texts()).toEqual([expect.stringMatching(expected)])
  })

  test('orders power first', () => {
    const { context, state, ordered } = fixtureWith(growing(0.05), 0.6)
    state.zonePeakKw[0] = 9
    planHosts(context)
    expect(ordered()).toEqual(['Power zone 0 kw 3, $5400'])
  })

  test('goes elsewhere if the grid connection of a zone is at its limit', () => {
    const { context, state, world } = fixtureWith(growing(0.05), 0.6)
    state.zonePeakKw[0] = 19.5
    world.topology.feeds.capacityKw.set([20, 20])
    planHosts(context)
    expect(state.purchases.map(({ zone }) => zone)).toEqual([1])
  })

  test('has no more than two racks on order in a zone', () => {
    const { context, state } = fixtureWith(growing(2), 0.9)
    for (let n = 0; n < 9; n++) planHosts(context)
    const racks = state.purchases.flatMap(({ works }) =>
      works.flatMap((one) => (one.kind === 'Rack' ? [one.zone] : [])),
    )
    expect(racks).toEqual([0, 0, 1, 1])
  })

  test.each([
    // Two hosts of 510 W count 0.928 kW, and a feed of 10 kW may be used to 92 %.
    [8.271, 'Rack'],
    [8.272, 'Power'],
  ])('beside a peak of %d kW orders first: %s', (peak, kind) => {
    const { context, state } = fixtureWith(growing(0.05), 0.6)
    state.zonePeakKw[0] = peak
    planHosts(context)
    expect(state.purchases.map(({ works }) => works[0].kind)).toEqual([kind])
  })

  test.each([
    ['money', 10, ['Cannot afford 3 kW', 'Cannot afford 4 kW']],
    ['power', 40, ['No power for 3 kW', 'No power for 4 kW', 'No power for 2 × Kestrel R1-96']],
  ])('without %s in any zone says so once', (_, capacity, expected) => {
    const { context, state, world, texts } = fixtureWith(growing(0.05), 0.6)
    state.reserves = 100
    state.zonePeakKw.fill(100)
    world.topology.feeds.capacityKw.fill(capacity)
    planHosts(context)
    expect(texts()).toEqual(expected.map((text) => expect.stringContaining(text)))
  })
})

test.each([
  ['CPU', { vcpu: 30 }, 3],
  ['memory', { memMb: 800 }, 8],
  ['slices', { slices: 4 }, 2],
  ['the scarcest', { vcpu: 30, memMb: 800, slices: 4 }, 8],
])('demand for %s that was turned away counts in hosts', (_, wanted, hosts) => {
  const { context, world } = createPlanningFixture()
  Object.assign(context.capacity.pools[0], {
    hosts: 10,
    maxMilli: 100_000,
    memMbTotal: 1_000,
    slicesTotal: 20,
  })
  expect(unservedHosts(context, 0)).toBe(0)
  demand(world, wanted)
  expect(unservedHosts(context, 0)).toBeCloseTo(hosts, 12)
  Object.assign(context.capacity.pools[0], { slicesTotal: 0, memMbTotal: 1e9, maxMilli: 1e9 })
  expect(unservedHosts(context, 0)).toBeLessThan(0.01)
})
