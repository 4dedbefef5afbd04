import type { QuestRecord } from '../../../contract/collections.ts'
import { messageArguments } from '../../../contract/messages/catalog.ts'
import type { Quest, Quests } from '../../simulation/quests/quests.ts'
import { blurbKey, titleKey } from '../../simulation/quests/quests.ts'

/** The blurb of a quest states its goal and its progress. */
const progressOf = (quest: Quest): QuestRecord['blurb_args'] =>
  messageArguments('quest.first-light.blurb', { goal: quest.goal.target, reached: quest.progress })

interface QuestRecords {
  /** Ascending by id. */
  readonly quests: QuestRecord[]
  update(): void
}

export function createQuestRecords({ quests }: Quests): QuestRecords {
  const shown = quests.map(({ progress: reached }) => reached)
  const records = quests.map(
    (quest): QuestRecord => ({
      id: quest.id,
      title: titleKey(quest),
      blurb: blurbKey(quest),
      title_args: [],
      blurb_args: progressOf(quest),
      state: quest.state,
      unlock_step: quest.unlockStep,
      reward_label: quest.reward,
    }),
  )
  return {
    quests: records,
    update() {
      quests.forEach((quest, index) => {
        const record = records[index]
        record.state = quest.state
        if (shown[index] === quest.progress) return
        shown[index] = quest.progress
        record.blurb_args = progressOf(quest)
      })
    },
  }
}
