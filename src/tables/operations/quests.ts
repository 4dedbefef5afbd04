import type { QuestRecord } from '../../contract/collections.ts'
import { defineRecord, int, str } from '../../contract/fields.ts'
import { messageText } from '../../contract/messages/catalog.ts'
import { plainWords } from '../../words/vocabulary.ts'
import { amountOrNone, idColumn, percentOf } from '../columns.ts'
import { idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'

const order = ['Next', 'Open', 'Locked', 'Done']

/** An argument of the text as a number, if it has it. */
const figure = ({ blurb_args }: QuestRecord, name: string): number | null => {
  const found = blurb_args.find(({ key, is_number }) => key === name && is_number)
  return found?.number ?? null
}

export function questProgress(quest: QuestRecord): number | null {
  const goal = figure(quest, 'goal')
  const reached = figure(quest, 'reached')
  if (quest.state === 'Done') return 100
  return goal === null || reached === null ? null : Math.min(100, percentOf(reached, goal) ?? 0)
}

export const quests = defineTable({
  name: 'quests',
  meaning: 'Quests: the next one, open ones, locked ones, then those that are done.',
  row: defineRecord('QuestRow', 'A quest.', {
    quest_id: idColumn('quest'),
    state: str('next, open, locked or done.'),
    title: str('Title.'),
    goal: str('What is to be reached and how far it is, as a sentence.'),
    reward: str('What it brings.'),
    goal_figure: amountOrNone('The number to reach.', 'none'),
    reached_figure: amountOrNone('The number reached so far.', 'none'),
    progress_pct: amountOrNone('Reached, of the goal.', 'pct'),
    unlocked_after: int('Quests that have to be done before it opens.'),
  }),
  reads: ['quests'],
  items: ({ records }: TableWorld) =>
    records.all('quests').toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state)),
  filters: {
    quest: { meaning: 'Id of a quest.', values: ({ id }) => [id] },
    state: { meaning: 'next, open, locked or done.', values: ({ state }) => [state] },
  },
  toRow: (quest) => ({
    quest_id: idText(quest.id),
    state: plainWords(quest.state),
    title: messageText(quest.title, quest.title_args),
    goal: messageText(quest.blurb, quest.blurb_args),
    reward: quest.reward_label,
    goal_figure: figure(quest, 'goal'),
    reached_figure: figure(quest, 'reached'),
    progress_pct: questProgress(quest),
    unlocked_after: quest.unlock_step,
  }),
})
