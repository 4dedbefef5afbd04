import type { QuestRecord } from '../../../contract/collections.ts'
import { str } from '../../../contract/fields.ts'
import { messageText } from '../../../contract/messages/catalog.ts'
import { plainWords } from '../../../words/vocabulary.ts'
import { amountOrNone, idColumn, percentOf } from '../../engine/columns.ts'
import { idText } from '../../engine/table-world.ts'
import { column, defineTable, each, oneOfFilter } from '../../engine/table.ts'

const order = ['Next', 'Open', 'Locked', 'Done']

/** A numeric argument of the text, if there is one. */
const figure = ({ blurb_args }: QuestRecord, name: string): number | null =>
  blurb_args.find(({ key, is_number }) => key === name && is_number)?.number ?? null

function questProgress(quest: QuestRecord): number | null {
  if (quest.state === 'Done') return 100
  const goal = figure(quest, 'goal')
  const reached = figure(quest, 'reached')
  if (goal === null || reached === null || Number.isNaN(goal - reached)) return null
  return Math.min(100, percentOf(reached, goal) ?? 0)
}

export const quests = defineTable<QuestRecord>({
  name: 'quests',
  meaning: 'Quests: the next one, open ones, locked ones, then those that are done.',
  row: ['QuestRow', 'A quest.'],
  worldParts: ['quests'],
  ...each(({ records }) =>
    records.all('quests').toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state)),
  ),
  filters: {
    quest: { meaning: 'Id of a quest.', values: ({ id }) => [id] },
    state: oneOfFilter(['next', 'open', 'locked', 'done'], ({ state }) => [state]),
  },
  columns: {
    quest_id: column(idColumn('quest'), ({ id }) => idText(id)),
    state: column(str('next, open, locked or done.'), ({ state }) => plainWords(state)),
    title: column(str('Title.'), ({ title, title_args }) => messageText(title, title_args)),
    goal: column(str('What is to be reached and how far it is, as a sentence.'), ({ blurb, blurb_args }) =>
      messageText(blurb, blurb_args),
    ),
    reward: column(str('What it brings.'), 'reward_label'),
    progress_pct: column(amountOrNone('Reached, of the goal.', 'pct'), questProgress),
  },
})
