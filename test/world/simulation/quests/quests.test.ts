import { describe, expect, test } from 'vitest'
import { messages } from '../../../../src/contract/messages/catalog.ts'
import { questChain } from '../../../../src/world/simulation/quests/quest-chain.ts'
import { createQuests } from '../../../../src/world/simulation/quests/quests.ts'
import type { Quests } from '../../../../src/world/simulation/quests/quests.ts'
import { createQuestRecords } from '../../../../src/world/records/operations/quests.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
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
      const blurb = messages[`quest.${slug}.blurb`]
      expect(blurb).toMatch(/\{reached\}/)
      // A streak may be as long as its goal when the quest opens.
      expect(blurb.includes('Streak: {reached} h')).toBe(blurb.includes('{goal} hours in a row, also before'))
      expect(target).toBeGreaterThan(0)
    }
  })
})

describe('a quest', () => {
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
