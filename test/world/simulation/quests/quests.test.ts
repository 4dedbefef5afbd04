import { describe, expect, test } from 'vitest'
import { messages } from '../../../../src/contract/messages/catalog.ts'
import { questChain } from '../../../../src/world/simulation/quests/quest-chain.ts'
import { createQuests } from '../../../../src/world/simulation/quests/quests.ts'
import type { Quests } from '../../../../src/world/simulation/quests/quests.ts'
import { createQuestRecords } from '../../../../src/world/records/operations/quests.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../quiet-world.ts'
import type { QuietWorld } from '../quiet-world.ts'

function questWorld(seed = 1n): { world: QuietWorld; quests: Quests } {
  const world = createQuietWorld(seed)
  return { world, quests: createQuests(world.state, world.work) }
}

const stateOf = ({ quests }: Quests, slug: string) => quests.find(({ goal }) => goal.slug === slug)!.state
const inState = ({ quests }: Quests, state: string) => quests.filter((quest) => quest.state === state)

describe('the chain', () => {
  test('begins with one quest to show, four more open, and all others locked', () => {
    const { quests } = questWorld()
    const states = quests.quests.map(({ state }) => state)
    expect(states.slice(0, 6)).toEqual(['Next', 'Open', 'Open', 'Open', 'Open', 'Locked'])
    expect(inState(quests, 'Locked')).toHaveLength(quests.quests.length - 5)
  })

  test.each([1n, 2n, 3n])('has exactly one next quest while any is left (seed %s)', (seed) => {
    const { world, quests } = questWorld(seed)
    let done = 0
    world.state.money.revenuePerHour = 100
    world.run(8 * day, () => {
      const { now, money } = world.state
      quests.step()
      // Accelerated course: customers join, revenue comes in, disks fail and are replaced.
      money.revenue += 10
      if (now % (6 * hour) === 0 && world.state.tenants.active.length < 20) {
        world.addTenant({ tier: 'Platinum', satisfaction: 0.95, compliance: 'HIPAA' })
      }
      if (now % (9 * hour) === 0) {
        const row = Math.floor(now / hour) % 24
        world.injectFault({ kind: 'DiskFailure', target: { kind: 'Host', row }, magnitude: 1, lasts: null })
      }
      if (now % minute !== 0) return
      const next = inState(quests, 'Next')
      const first = quests.quests.find(({ state }) => state !== 'Done')
      expect(next).toEqual(first === undefined ? [] : [first])
      const doneNow = inState(quests, 'Done').length
      expect(doneNow).toBeGreaterThanOrEqual(done)
      done = doneNow
    })
    expect(done).toBeGreaterThan(3)
  })

  test('opens what its number of done quests allows', () => {
    const { world, quests } = questWorld()
    world.addTenant()
    world.addTenant()
    world.run(2 * minute, () => quests.step())
    expect(stateOf(quests, 'first-light')).toBe('Done')
    const states = quests.quests.map(({ state }) => state)
    expect(states.slice(0, 7)).toEqual(['Done', 'Next', 'Open', 'Open', 'Open', 'Open', 'Locked'])
    expect(world.state.events.state.window.map(({ kind }) => kind)).toEqual(['QuestDone', 'QuestOpened'])
  })

  test('completes what is reached at once: no open quest has all of its goal', () => {
    const { world, quests } = questWorld()
    for (let count = 0; count < 12; count++) world.addTenant()
    world.state.money.revenue = 10_000_000
    world.run(hour, () => {
      quests.step()
      const reached = quests.quests.filter(
        ({ state, progress, goal }) => progress >= goal.target && state === 'Open',
      )
      expect(reached).toEqual([])
    })
    expect(inState(quests, 'Done').length).toBeGreaterThan(1)
  })

  test.each(['small', 'medium', 'large'])('shows goal and progress of every quest (%s)', (scale) => {
    const hosts = { small: 24, medium: 120, large: 1_000 }[scale]!
    for (const { slug, target } of questChain(hosts)) {
      expect(messages[`quest.${slug}.blurb`]).toMatch(/\{reached\}/)
      expect(target).toBeGreaterThan(0)
    }
  })
})

describe('a quest', () => {
  test('about a streak starts over when its condition fails', () => {
    const { world, quests } = questWorld()
    const tenant = world.addTenant()
    const streak = quests.quests.find(({ goal }) => goal.slug === 'quiet-day')!
    world.run(5 * hour, () => quests.step())
    expect(streak.progress).toBe(4)
    tenant.failing = 0.5
    world.run(minute, () => quests.step())
    expect(streak.progress).toBe(0)
    tenant.failing = 0
    world.run(2 * hour, () => quests.step())
    expect(streak.progress).toBe(1)
  })

  test('about quick fixes counts incidents resolved within half an hour', () => {
    const { world, quests } = questWorld()
    const { fault } = world.injectFault({
      kind: 'FanFailure',
      target: { kind: 'Host', row: 0 },
      magnitude: 1,
      lasts: null,
    })
    world.run(20 * minute, () => quests.step())
    world.faults.repair(fault)
    world.run(6 * minute, () => quests.step())
    expect(quests.quests.find(({ goal }) => goal.metric === 'quickFixes')!.progress).toBe(1)
    const slow = world.injectFault({
      kind: 'FanFailure',
      target: { kind: 'Host', row: 1 },
      magnitude: 1,
      lasts: null,
    })
    slow.incident.workOrderIds.length = 0
    world.run(3 * hour, () => quests.step())
    expect(quests.quests.find(({ goal }) => goal.metric === 'quickFixes')!.progress).toBe(1)
    expect(quests.quests.find(({ goal }) => goal.slug === 'ten-down')!.progress).toBe(2)
  })

  test('about Critical incidents counts those resolved within the hour', () => {
    const { world, quests } = questWorld()
    const order = { kind: 'FanFailure', target: { kind: 'Host', row: 0 }, magnitude: 1, lasts: null } as const
    const { fault } = world.injectFault(order, 'Critical')
    world.run(15 * minute, () => quests.step())
    world.faults.repair(fault)
    world.run(6 * minute, () => quests.step())
    expect(quests.quests.find(({ goal }) => goal.slug === 'critical-hour')!.progress).toBe(1)
    expect(quests.quests.find(({ goal }) => goal.slug === 'calm-hands')!.progress).toBe(0)
  })

  test('about attacks counts those of which little got through', () => {
    const { world, quests } = questWorld()
    world.addTenant()
    const attack = (): void => {
      world.faults.inject({
        kind: 'Attack',
        target: { kind: 'Customer', id: 1 },
        magnitude: 5,
        lasts: 30 * minute,
        attackClass: 'Volumetric',
      })
    }
    const turnedAway = quests.quests.find(({ goal }) => goal.slug === 'shield-up')!
    const runHour = (): void => {
      world.run(hour, () => {
        world.faults.step()
        quests.step()
      })
    }
    attack()
    runHour()
    expect(turnedAway.progress).toBe(1)
    world.state.threats.remainders.set(1, {
      class: 'Volumetric',
      magnitude: 1,
      gbps: 1,
      requestsPerSecond: 0,
      breach: false,
    })
    attack()
    runHour()
    expect(turnedAway.progress).toBe(1)
  })

  test('brings its reward when it is done', () => {
    const { world, quests } = questWorld()
    const cables = world.work.dispatcher.inventory.count('cable')
    world.addTenant()
    world.addTenant()
    world.run(2 * minute, () => quests.step())
    expect(world.work.dispatcher.inventory.count('cable')).toBe(cables + 4)
    const rewards = quests.quests.map(({ reward }) => reward)
    expect(rewards[0]).toBe('4 spare cables')
    expect(rewards).toEqual(expect.arrayContaining(['2 spare power supplies', '1 spare switch']))
  })

  test('shows in its record how far it has come', () => {
    const { world, quests } = questWorld()
    const records = createQuestRecords(quests)
    const [first] = records.quests
    expect(first).toMatchObject({ id: 1, title: 'quest.first-light.title', state: 'Next', unlock_step: 0 })
    world.addTenant()
    world.run(minute + 1, () => quests.step())
    records.update()
    expect(records.quests[0]).toBe(first)
    expect(first.blurb_args.map(({ key, number }) => [key, number])).toEqual([
      ['goal', 2],
      ['reached', 1],
    ])
  })
})
