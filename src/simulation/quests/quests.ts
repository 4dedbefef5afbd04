import { type MessageKey, messages } from '../../contract/messages/catalogue.ts'
import type { WorldState } from '../state.ts'
import { minute } from '../time.ts'
import type { Work } from '../work/desk.ts'
import { parts } from '../work/spares.ts'
import { type Goal, questChain, type Reward } from './chain.ts'
import { FeatBook } from './feats.ts'

export type QuestState = 'Locked' | 'Open' | 'Next' | 'Done'

/** Quests that are open at the same time while all of them are still to be done. */
const openAhead = 3

export interface Quest {
  readonly id: number
  readonly goal: Goal
  /** Quests that must be done before it opens: never more than stand before it, so one can always be next. */
  readonly unlockStep: number
  readonly reward: string
  state: QuestState
  /** How far it has come: what the feat has reached, held at the goal once done. */
  reached: number
}

export interface Quests {
  /** In the order of the chain, which is that of their ids. */
  readonly quests: readonly Quest[]
  step(): void
}

export function createQuests(state: WorldState, work: Work): Quests {
  const book = new FeatBook(state, work)
  const quests = questChain(state.plant.hosts.count).map(
    (goal, index): Quest => ({
      id: index + 1,
      goal,
      unlockStep: Math.max(0, index - openAhead + 1),
      reward: rewardText(goal.reward),
      state: 'Locked',
      reached: 0,
    }),
  )
  settle(quests, () => {})
  return {
    quests,
    step() {
      if (state.now % minute !== 0) return
      book.read()
      for (const quest of quests) {
        if (quest.state === 'Done') continue
        const reached = book.feats[quest.goal.feat]
        quest.reached = Math.min(reached, quest.goal.atLeast)
        if (quest.state === 'Locked' || reached < quest.goal.atLeast) continue
        quest.state = 'Done'
        grant(quest.goal.reward, work)
        announce(state, quest, 'QuestDone')
      }
      settle(quests, (quest) => announce(state, quest, 'QuestOpened'))
    },
  }
}

/** The first that is not done is next; what its number of done quests allows is open. */
function settle(quests: readonly Quest[], opened: (quest: Quest) => void): void {
  const done = quests.filter(({ state }) => state === 'Done').length
  let next = true
  for (const quest of quests) {
    if (quest.state === 'Done') continue
    const wasLocked = quest.state === 'Locked'
    quest.state = next ? 'Next' : done >= quest.unlockStep ? 'Open' : 'Locked'
    next = false
    if (wasLocked && quest.state !== 'Locked') opened(quest)
  }
}

function grant(reward: Reward, { floor }: Work): void {
  switch (reward.kind) {
    case 'Spares':
      floor.shelf.donate(reward.part, reward.count)
      break
    case 'Hire':
      floor.crew.hireOneMore(reward.skill)
      break
    case 'Automation':
      floor.crew.addSlot()
      break
    case 'FasterDeliveries':
      floor.shelf.hasten(0.8)
      break
  }
}

const crafts = {
  hardware: 'hardware technician',
  network: 'network engineer',
  power: 'power and cooling technician',
  security: 'security analyst',
  platform: 'platform engineer',
} as const

function rewardText(reward: Reward): string {
  if (reward.kind === 'Spares') return `${reward.count} × ${parts[reward.part].name} on the shelf`
  if (reward.kind === 'Hire') return `One more ${crafts[reward.skill]}`
  return reward.kind === 'Automation'
    ? 'The automation does one more thing at a time'
    : 'Spare parts arrive a fifth sooner'
}

export const titleKey = (quest: Quest): MessageKey => `quest.${quest.goal.slug}.title`
export const blurbKey = (quest: Quest): MessageKey => `quest.${quest.goal.slug}.blurb`

function announce(state: WorldState, quest: Quest, kind: 'QuestDone' | 'QuestOpened'): void {
  const entity = { kind: 'Quest', id: quest.id } as const
  const title = messages[titleKey(quest)]
  if (kind === 'QuestOpened') {
    state.events.emit(state.now, kind, 'Info', entity, 'event.quest-opened', { quest: title })
  } else {
    const given = { quest: title, reward: quest.reward }
    state.events.emit(state.now, kind, 'Info', entity, 'event.quest-done', given)
  }
}
