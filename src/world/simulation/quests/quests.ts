import type { MessageKey } from '../../../contract/messages/catalog.ts'
import { messages } from '../../../contract/messages/catalog.ts'
import { partCatalog } from '../work/parts.ts'
import type { Operations } from '../operations/operations.ts'
import { isDue, schedule } from '../schedule.ts'
import type { Micros } from '../time.ts'
import type { WorldView } from '../state.ts'
import type { QuestGoal, QuestReward } from './quest-chain.ts'
import { questChain } from './quest-chain.ts'
import type { QuestMetricsState } from './quest-metrics.ts'
import { createQuestMetrics, updateQuestMetrics } from './quest-metrics.ts'

type QuestStatus = 'Locked' | 'Open' | 'Next' | 'Done'

/** Number of simultaneously open quests, while enough remain: one that takes months does not hold up the others. */
const openMax = 5

export interface Quest {
  readonly id: number
  readonly goal: QuestGoal
  /** Number of completed quests that opens this one, always less than the number of its predecessors. */
  readonly unlockStep: number
  readonly reward: string
  state: QuestStatus
  /** Current value of the goal's metric, at most its target. */
  progress: number
}

interface QuestsState {
  readonly tracker: QuestMetricsState
  /** In the order of the chain. */
  readonly quests: Quest[]
}

export interface Quests {
  readonly state: QuestsState
  readonly quests: readonly Quest[]
  step(): void
}

export function createQuests(world: WorldView, operations: Operations): Quests {
  const { topology } = world
  const canAddZones = topology.zones.filter(({ opened }) => opened <= 0).length < topology.zoneCapacity
  const quests = questChain(topology.hosts.rows.length, canAddZones).map(
    (goal, index): Quest => ({
      id: index + 1,
      goal,
      unlockStep: Math.max(0, index - openMax + 1),
      reward: rewardText(goal.reward),
      state: 'Locked',
      progress: 0,
    }),
  )
  unlockQuests(quests)
  const state: QuestsState = { tracker: createQuestMetrics(topology), quests }
  return {
    state,
    quests,
    step() {
      if (!isDue(schedule.questProgress, world.tick)) return
      updateQuestMetrics(state.tracker, world, operations)
      for (const quest of quests) {
        if (quest.state === 'Done') continue
        const { metric, target, reward } = quest.goal
        const value = state.tracker.metrics[metric]
        quest.progress = Math.min(value, target)
        if (quest.state === 'Locked' || value < target) continue
        quest.state = 'Done'
        grant(reward, operations, world.now)
        announceDone(world, quest)
      }
      for (const quest of unlockQuests(quests)) announceOpened(world, quest)
    },
  }
}

/** The first unfinished quest is next; others open with the number of completed ones. Returns the newly open ones. */
function unlockQuests(quests: readonly Quest[]): Quest[] {
  const done = quests.filter(({ state }) => state === 'Done').length
  const unlocked: Quest[] = []
  let isFirst = true
  for (const quest of quests) {
    if (quest.state === 'Done') continue
    const wasLocked = quest.state === 'Locked'
    quest.state = isFirst ? 'Next' : done >= quest.unlockStep ? 'Open' : 'Locked'
    isFirst = false
    if (wasLocked && quest.state !== 'Locked') unlocked.push(quest)
  }
  return unlocked
}

const deliverySpeedup = 0.8

function grant(reward: QuestReward, { dispatcher: { inventory, roster } }: Operations, now: Micros): void {
  switch (reward.kind) {
    case 'Spares':
      inventory.add(reward.part, reward.count)
      break
    case 'Hire':
      roster.hire(reward.skill, now)
      break
    case 'Automation':
      roster.addAutomationSlot()
      break
    case 'FasterDeliveries':
      inventory.scaleDeliveryTimes(deliverySpeedup)
      break
  }
}

const jobTitles = {
  hardware: 'hardware technician',
  network: 'network engineer',
  power: 'power and cooling technician',
  security: 'security analyst',
  platform: 'platform engineer',
} as const

/** "1 spare switch", "2 spare power supplies". */
const sparesText = (name: string, count: number): string =>
  `${count} spare ${count === 1 ? name : `${name.replace(/([^aeiou])y$/, '$1ie')}s`}`

function rewardText(reward: QuestReward): string {
  if (reward.kind === 'Spares') return sparesText(partCatalog[reward.part].name, reward.count)
  if (reward.kind === 'Hire') return `One more ${jobTitles[reward.skill]}`
  return reward.kind === 'Automation'
    ? 'Automation runs one more job in parallel'
    : 'Spare parts arrive 20 % sooner'
}

export const titleKey = (quest: Quest): MessageKey => `quest.${quest.goal.slug}.title`
export const blurbKey = (quest: Quest): MessageKey => `quest.${quest.goal.slug}.blurb`

const entityOf = ({ id }: Quest) => ({ kind: 'Quest', id }) as const

function announceDone({ events, now }: WorldView, quest: Quest): void {
  const args = { quest: messages[titleKey(quest)], reward: quest.reward }
  events.emit(now, 'QuestDone', 'Info', entityOf(quest), 'event.quest-done', args)
}

function announceOpened({ events, now }: WorldView, quest: Quest): void {
  const args = { quest: messages[titleKey(quest)] }
  events.emit(now, 'QuestOpened', 'Info', entityOf(quest), 'event.quest-opened', args)
}
