/** Gives a team hints in a game day, and notes them. */
import { hintLevelMax } from '../../contract/game-days/answer-line.ts'
import type { AnswerLine } from '../../contract/game-days/answer-line.ts'
import { causeNames, causeKinds } from '../../contract/messages/incident-causes.ts'
import type { SessionAction } from '../../contract/game-days/session-line.ts'
import type { TruthLine } from '../../contract/game-days/truth-line.ts'
import { readingOf, sameName } from '../debrief/readings.ts'
import { commonInfoFlags } from '../../options/command.ts'
import { hintSettings } from '../../options/game-day-settings.ts'
import { commandFrom } from '../../command-line/command-line.ts'
import { answersAt, fileOf, orderOf, readSession } from './read-session.ts'
import { noteAnswer } from './note-answer.ts'

export const hintCommand = {
  name: 'hint',
  usage: 'hint [FILE] [OPTIONS]',
  summary:
    'Gives a team a hint about the gravest fault that it has not named yet, plainer each time, and notes that it did.',
  settings: hintSettings,
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror hint evening.dcsim', 'dcsim-mirror hint evening.dcsim --level 3'],
  argument: { placeholder: 'FILE', help: 'The file of the session.', isOptional: true },
} as const

export async function runHint(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(hintCommand, words, environment)
  if (command === null) return
  const { by, level: wanted } = command.options
  const { path, origin } = fileOf(command)
  const { opening, faults, actions } = readSession(path, origin)
  const answers = answersAt(path, origin)
  const fault = faults
    .filter(({ begin, end }) => end === null && begin.sim_s >= opening.opened.began.sim_s)
    .filter(({ customers, incidents }) => customers.length > 0 || incidents.length > 0)
    .filter((one) => !isNamed(one, answers) && !isOrdered(one, actions))
    .toSorted((a, b) => b.revenue_hurt_dollars - a.revenue_hurt_dollars)[0]
  if (fault === undefined) {
    console.log('No fault lasts that customers feel or an incident shows, and that has not been named.')
    return
  }
  const taken = answers.flatMap(({ hint }) =>
    hint?.fault === fault.fault && hint.world === fault.world ? [hint.level] : [],
  )
  const level = wanted ?? Math.min(hintLevelMax, Math.max(0, ...taken) + 1)
  const text = hintText(fault, level)
  const hint = { world: fault.world, fault: fault.fault, level }
  noteAnswer(path, origin, { by, text, hint })
  console.log(text)
}

const isNamed = (fault: TruthLine, answers: readonly AnswerLine[]): boolean =>
  answers.some(
    ({ wall_s: at, text, hint }) =>
      hint === null &&
      at >= fault.begin.wall_s &&
      readingOf(text, [fault]).some(({ isNamed: named, isPlaced }) => named && isPlaced),
  )

const isOrdered = ({ begin, kind, entity }: TruthLine, actions: readonly SessionAction[]): boolean =>
  actions.some(({ did, at, line }) => {
    const order = did === 'ordered' && at.sim_s >= begin.sim_s ? orderOf(line) : null
    return order !== null && order.kinds.includes(kind) && sameName(order.on, entity.name)
  })

function hintText({ incidents, entity, kind }: TruthLine, level: number): string {
  const incident = incidents.findLast(({ resolved_after_s: after }) => after === null) ?? incidents.at(-1)
  const about = incident === undefined ? 'what customers feel' : `incident ${incident.id}`
  const texts = [
    `look at ${causeKinds[kind].field}`,
    // Customers are in many zones.
    entity.kind === 'Customer' ? 'it is at a customer, and no equipment' : `it is in ${entity.place}`,
    `it is ${entity.name}`,
    `${causeNames[kind]} at ${entity.name}`,
  ]
  return `Hint ${level} of ${hintLevelMax} about ${about}: ${texts[level - 1]}.`
}
