import type { QuestRecord } from '../../contract/collections.ts'
import { messageArguments } from '../../contract/messages/catalogue.ts'
import { blurbKey, type Quest, type Quests, titleKey } from '../quests/quests.ts'

/** Every blurb of a quest tells its goal and how far it has come. */
const progressOf = (quest: Quest): QuestRecord['blurb_args'] =>
  messageArguments('quest.first-light.blurb', { goal: quest.goal.atLeast, reached: quest.reached })

export interface QuestRecords {
  /** Ascending by id. */
  readonly quests: QuestRecord[]
  update(): void
}

export function createQuestRecords({ quests }: Quests): QuestRecords {
  const shown = quests.map(({ reached }) => reached)
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
        if (shown[index] === quest.reached) return
        shown[index] = quest.reached
        record.blurb_args = progressOf(quest)
      })
    },
  }
}
