import { expect, test } from 'vitest'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { announceDrain } from '../../../../src/world/simulation/scenarios/announcements.ts'
import { createPlotRunner } from '../../../../src/world/simulation/scenarios/plot-runner.ts'
import { plotNames, plots } from '../../../../src/world/simulation/scenarios/plots.ts'
import { actionRules } from '../../../../src/world/simulation/scenarios/scenario.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import { rowOf } from '../../../../src/world/simulation/topology/entities.ts'
import type { MutableWorld } from '../../../../src/world/simulation/step.ts'
import { createQuietWorld } from '../quiet-world.ts'
import type { QuietWorld } from '../quiet-world.ts'

const begun = ({ faults }: QuietWorld) => [...faults.ended, ...faults.active].toSorted((a, b) => a.id - b.id)

/** A world of the seed with nothing but its plots, some days after a warm-up of a minute. */
function plotsOf(seed: number, days: number) {
  const world = createQuietWorld(BigInt(seed))
  for (let i = 0; i < 5; i++) world.addTenant()
  const runner = createPlotRunner(world.state, minute)
  const began: { readonly plot: string; readonly at: number }[] = []
  let last: string | undefined
  for (world.state.now = 0; world.state.now < days * day; world.state.now += minute) {
    world.state.tick = (world.state.now / minute) * 6
    runner.step()
    const plot = runner.state.recent.at(-1)
    if (plot !== undefined && plot !== last) began.push({ plot, at: world.state.now / day })
    last = plot
  }
  return { world, began }
}

test.each(plotNames)('plot %s has two or three events within the rules of their actions', (name) => {
  const { events } = plots[name]
  expect([2, 3]).toContain(events.length)
  events.forEach(({ at, action, on, percent, lasts, attackClass }, index) => {
    const { targets, magnitude, duration } = actionRules[action]
    expect(targets).toContain(on.kind)
    expect(at[0]).toBeLessThanOrEqual(at[1])
    expect(at[0]).toBeGreaterThan(events[index - 1]?.at[1] ?? 0)
    expect(attackClass !== undefined).toBe(action === 'Attack')
    expect(lasts !== undefined || duration !== 'required').toBe(true)
    const { min, max } = magnitude ?? { min: 1, max: action === 'PowerFeedLoss' ? 1.18 : 1 }
    for (const value of percent ?? [100, 100]) {
      expect(value / 100).toBeGreaterThanOrEqual(min)
      expect(value / 100).toBeLessThanOrEqual(max)
    }
  })
})

test('ten seeds have ten first nights, of different kinds, and none at the minutes of another', () => {
  const nights = Array.from({ length: 10 }, (_, seed) => plotsOf(seed + 1, 1))
  const minutes = nights.map(({ world }) => begun(world).map(({ began }) => began / minute))
  for (const one of minutes) {
    expect(one.length).toBeGreaterThanOrEqual(4)
    expect(one[0]).toBeLessThanOrEqual(10)
  }
  expect(new Set(minutes.map((one) => one.slice(0, 3).join())).size).toBe(10)
  expect(new Set(nights.map(({ began }) => began[0].plot)).size).toBeGreaterThanOrEqual(6)
  expect(new Set(nights.flatMap(({ began }) => began.map(({ plot }) => plot))).size).toBeGreaterThanOrEqual(8)
})

test('after two in the first night there is a plot a week, none of which is among the last seven', () => {
  const { began } = plotsOf(4, 70)
  expect(began[1].at).toBeLessThan(0.5)
  const gaps = began.slice(2).map(({ at }, index) => at - began[index + 1].at)
  expect(gaps.length).toBeGreaterThanOrEqual(8)
  expect(Math.min(...gaps)).toBeGreaterThan(5)
  expect(Math.max(...gaps)).toBeLessThan(9.5)
  began.forEach(({ plot }, index) => {
    expect(began.slice(Math.max(0, index - 7), index).map((other) => other.plot)).not.toContain(plot)
  })
})

test('the second feed of a plot is the other one of the zone, and trips under its load', () => {
  const plots30 = Array.from({ length: 30 }, (_, seed) => plotsOf(seed + 1, 0.1))
  const { world } = plots30.find(({ began }) => began[0].plot === 'power')!
  const feeds = begun(world).filter(({ kind }) => kind === 'PowerFeedLoss')
  const rows = feeds.map(({ target }) => rowOf(target))
  expect(rows).toHaveLength(2)
  expect(rows[0]).not.toBe(rows[1])
  const { zone } = world.state.topology.feeds
  expect(zone[rows[0]]).toBe(zone[rows[1]])
  expect(feeds.map(({ magnitude }) => magnitude > 1)).toEqual([false, true])
})

const told = ({ events }: MutableWorld): string[] =>
  events.state.window.map(({ msg_key, msg_args }) => messageText(msg_key, msg_args))

test('the drain of a plot is an event that names its hosts', () => {
  const plots30 = Array.from({ length: 30 }, (_, seed) => plotsOf(seed + 1, 0.1))
  const { state } = plots30.find(({ began }) => began[0].plot === 'squeeze')!.world
  const { name, rows } = state.topology.hosts
  const drained = rows.filter((row) => state.condition.hostCampaigns[row] > 0).map((row) => name[row])
  expect(drained).toHaveLength(5)
  expect(told(state)).toEqual([
    `The operators drain 5 hosts for planned work until about 04:44: ${drained.join(', ')}.`,
  ])
})

test('the drain of many hosts names the first ten', () => {
  const { state } = createQuietWorld(1n)
  const hosts = state.topology.hosts.rows.slice(0, 12).map((row) => ({ kind: 'Host', row }) as const)
  announceDrain(state, hosts, 3 * hour)
  expect(told(state)[0]).toMatch(
    /^The operators drain 12 hosts for planned work until about 03:00: (?:\S+, ){9}\S+ and 2 others\.$/,
  )
})

test('a world without a warm-up has no plots', () => {
  const world = createQuietWorld(1n)
  const runner = createPlotRunner(world.state, 0)
  for (; world.state.now < day; world.state.now += minute, world.state.tick += 6) runner.step()
  expect(begun(world)).toEqual([])
})
