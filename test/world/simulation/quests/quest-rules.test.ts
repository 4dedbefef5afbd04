import { describe, expect, test } from 'vitest'
import type { Band } from '../../../../src/contract/vocabularies.ts'
import { questChain } from '../../../../src/world/simulation/quests/quest-chain.ts'
import type { QuestMetrics } from '../../../../src/world/simulation/quests/quest-metrics.ts'
import {
  createQuestMetrics,
  updateQuestMetrics,
} from '../../../../src/world/simulation/quests/quest-metrics.ts'
import type { Tenant } from '../../../../src/world/simulation/tenants/tenant.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { reviewedTexts } from '../../../fixtures/reviewed-texts.ts'
import type { QuietWorld } from '../quiet-world.ts'
import { createQuietWorld } from '../quiet-world.ts'

test.each([
  [24, [2, 6_000, 10, 2, 288_000]],
  [8, [2, 2_000, 3, 2, 96_000]],
  [1_000, [80, 250_000, 400, 40, 12_000_000]],
])('the targets of %i hosts', (hosts, expected) => {
  const targets = new Map(questChain(hosts).map(({ slug, target }) => [slug, target]))
  const growing = ['first-light', 'first-money', 'full-house', 'white-glove', 'hall-of-fame'] as const
  expect(growing.map((slug) => targets.get(slug))).toEqual(expected)
})

test('the goals in their order', () => {
  const rows = questChain(24).map(({ slug, metric, target, reward }) =>
    [slug, metric, target, ...Object.values(reward)].join(' '),
  )
  expect(`${rows.join('\n')}\n`).toBe(reviewedTexts(new URL('./texts/', import.meta.url)).text('goals'))
  expect(questChain(1_000, false).some(({ metric }) => metric === 'zonesOpened')).toBe(false)
})

const counts = { customersServed: 1, platinumContent: 0, ruleBooksServed: 0, satisfactionPct: 80 }

test.each<[string, Partial<Tenant>[], Partial<QuestMetrics>]>([
  ['one customer', [{}], counts],
  ['none', [], { customersServed: 0, satisfactionPct: 0 }],
  ['99 % of requests served', [{ failing: 0.009_999 }], counts],
  ['fewer', [{ failing: 0.010_1 }], { ...counts, customersServed: 0 }],
  ['no unit placed', [{ placedUnits: 0 }], { ...counts, customersServed: 0 }],
  [
    'Platinum and content',
    [{ tier: 'Platinum', satisfaction: 0.75 }],
    { ...counts, platinumContent: 1, satisfactionPct: 75 },
  ],
  ['Platinum, not content', [{ tier: 'Platinum', satisfaction: 0.749 }], { ...counts, satisfactionPct: 74 }],
  [
    'two under one regime',
    [{ compliance: 'HIPAA' }, { compliance: 'HIPAA', satisfaction: 0.5 }],
    { customersServed: 2, ruleBooksServed: 1, satisfactionPct: 65 },
  ],
])('customers are counted: %s', (_, tenants, expected) => {
  expect(metricsAfter((world) => tenants.forEach((tenant) => world.addTenant(tenant)))).toMatchObject(
    expected,
  )
})

/** The metrics after two updates an hour apart. */
function metricsAfter(prepare: (world: QuietWorld) => void): QuestMetrics {
  const world = createQuietWorld(1n, 8)
  prepare(world)
  const state = createQuestMetrics(world.state.topology)
  updateQuestMetrics(state, world.state, world.work)
  world.state.now += hour
  updateQuestMetrics(state, world.state, world.work)
  return state.metrics
}

describe('a streak of an hour', () => {
  const customer =
    (given: Partial<Tenant> = {}) =>
    ({ addTenant }: QuietWorld): void =>
      void addTenant(given)
  const withoutFeed = ({ addTenant, state }: QuietWorld): void => {
    addTenant()
    state.facility.feedLive[1] = 0
  }
  const costing =
    (costPerHour: number) =>
    ({ state }: QuietWorld): void =>
      void Object.assign(state.money, { revenuePerHour: 8, costPerHour })
  const allocating =
    (share: number) =>
    ({ state }: QuietWorld): void =>
      void (state.load.allocatedMilli[0] = share * allocatableMilli(state))
  test.each<[keyof QuestMetrics, string, (world: QuietWorld) => void, number]>([
    ['hoursReliable', 'with 99.9 % of requests served', customer({ failing: 0.000_999 }), 1],
    ['hoursReliable', 'with fewer', customer({ failing: 0.001_01 }), 0],
    ['hoursReliable', 'without requests', customer({ requestsPerSecond: 0 }), 0],
    ['hoursRedundant', 'with all feeds', customer(), 1],
    ['hoursRedundant', 'without customers', () => {}, 0],
    ['hoursRedundant', 'without the redundancy of one', customer({ redundancyBroken: true }), 0],
    ['hoursRedundant', 'without a feed', withoutFeed, 0],
    ['hoursProfitable', 'with a margin of 10 %', costing(7.19), 1],
    ['hoursProfitable', 'with less', costing(7.21), 0],
    ['hoursProfitable', 'without revenue', () => {}, 0],
    ['hoursRichlyProfitable', 'with a margin of 30 %', costing(5.6), 1],
    ['hoursRichlyProfitable', 'with less', costing(5.61), 0],
    ['hoursCool', 'with inlets of 27 °C', ({ state }) => void state.facility.rackInletCelsius.fill(27), 1],
    ['hoursCool', 'with one warmer', ({ state }) => void (state.facility.rackInletCelsius[1] = 27.1), 0],
    ['hoursWithRoom', 'with 85 % allocated', allocating(0.85), 1],
    ['hoursWithRoom', 'with more', allocating(0.86), 0],
  ])('%s %s', (streak, _, prepare, hours) => {
    expect(metricsAfter(prepare)[streak]).toBe(hours)
  })
})

/** The allocatable CPU of a site with 8 hosts, at the overcommit target of their pools. */
function allocatableMilli({ topology }: QuietWorld['state']): number {
  const { hosts, hostSkus, pools } = topology
  return hosts.rows.reduce(
    (sum, host) => sum + hostSkus[hosts.sku[host]].vcpu * 1_000 * pools[hosts.pool[host]].overcommitTarget,
    0,
  )
}

test('money counts in whole dollars', () => {
  expect(metricsAfter(({ state }) => void (state.money.revenue = 12.9)).dollarsEarned).toBe(12)
})

describe('a resolved incident', () => {
  test.each<[Band[], number, object]>([
    [['Minor'], 30, { incidentsResolved: 1, quickFixes: 1, mildIncidents: 4, criticalsWithinTheHour: 0 }],
    [['Minor'], 31, { incidentsResolved: 1, quickFixes: 0, mildIncidents: 4, criticalsWithinTheHour: 0 }],
    [['Major', 'Minor'], 31, { mildIncidents: 0, criticalsWithinTheHour: 0 }],
    [['Critical', 'Watch'], 60, { mildIncidents: 0, criticalsWithinTheHour: 1 }],
    [['Critical'], 61, { mildIncidents: 0, criticalsWithinTheHour: 0 }],
  ])('that was %j, after %i minutes', (bands, minutes, expected) => {
    const world = createQuietWorld(1n, 8)
    const state = createQuestMetrics(world.state.topology)
    state.metrics.mildIncidents = 3
    for (const band of bands) {
      world.incidents.set(1, { opened: 0, band } as never)
      updateQuestMetrics(state, world.state, world.work)
    }
    expect(state.metrics.incidentsResolved).toBe(0)
    world.state.now = minutes * minute
    world.incidents.clear()
    updateQuestMetrics(state, world.state, world.work)
    expect(state.metrics).toMatchObject(expected)
  })
})

test.each([
  [10, 1],
  [11, 0],
])('an attack that reached its customer for %i minutes: turned away %i', (minutes, count) => {
  const world = createQuietWorld(1n, 8)
  const state = createQuestMetrics(world.state.topology)
  const active = [
    { id: 1, attack: { customerId: 7 } },
    { id: 2, attack: null },
  ]
  const remainders = new Map([[7, {}]])
  const view = Object.create(world.state, {
    faults: { value: { active } },
    threats: { value: { remainders } },
  })
  for (let at = 0; at < minutes; at += 5) updateQuestMetrics(state, view, world.work)
  remainders.clear()
  updateQuestMetrics(state, view, world.work)
  expect(state.metrics.attacksTurnedAway).toBe(0)
  active.length = 0
  updateQuestMetrics(state, view, world.work)
  expect(state.metrics.attacksTurnedAway).toBe(count)
})
