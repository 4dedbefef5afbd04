/** Notes the answers of a team in a game day, and the hints that it takes, with their time. */
import { answerLengthMax, hintLevelMax } from '../../../contract/game-days/answer-line.ts'
import type { AnswerLine } from '../../../contract/game-days/answer-line.ts'
import { causeNames, causeKinds } from '../../../contract/messages/incident-causes.ts'
import type { SessionAction } from '../../../contract/game-days/session-line.ts'
import type { TruthLine } from '../../../contract/game-days/truth-line.ts'
import { readingOf, sameName } from '../../debrief/readings.ts'
import { commonInfoFlags } from '../../../options/command.ts'
import { answerSettings, hintSettings } from '../../../options/game-day-settings.ts'
import { OptionError } from '../../../options/parse-options.ts'
import { processClock as clock } from '../../../process/clock.ts'
import { printable } from '../../../text/printable.ts'
import { commandFrom } from '../../../command-line/command-line.ts'
import { addRow } from '../../../store/game-day-rows.ts'
import { addToSessionFile } from '../../../store/read-session-file.ts'
import { sqliteErrorText } from '../../../store/sqlite-error.ts'
import { answersAt, fileOf, orderOf, readSession } from './read-session.ts'

export const answerCommand = {
  name: 'answer',
  usage: 'answer [OPTIONS] "WHAT at WHERE, hits WHOM"',
  summary:
    'Notes with its time what a team has found out in a game day: what it is, where, and whom it hits, as far as it is ' +
    'known. `debrief` compares it with the truth.',
  settings: answerSettings,
  infoFlags: { list: 'List the causes that an answer can name.', ...commonInfoFlags },
  examples: [
    'dcsim-mirror answer --session-file evening.dcsim "incident 12 is in Tallisford A"',
    'dcsim-mirror answer --session-file evening.dcsim "switch failure at tfd-a-core1"',
  ],
  argument: {
    placeholder: 'ANSWER',
    help: 'What is known, in words; names as dashboards show them.',
    isRest: true,
    advice: 'such as "switch failure at tfd-a-core1"',
  },
} as const

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

const causeLines = Object.entries(causeNames)
  .filter(([kind]) => kind !== 'Unknown')
  .map(([, name]) => name)

function append(path: string, origin: string, line: AnswerLine): void {
  try {
    addToSessionFile(path, (database) => addRow(database, 'answer', line))
  } catch (error) {
    throw new OptionError(`${origin}: cannot note it in ${JSON.stringify(path)}: ${sqliteErrorText(error)}`)
  }
}

const nowSeconds = (): number => Math.round(clock.wallMs() / 100) / 10

export async function runAnswer(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(answerCommand, words, environment, {
    answers: { list: () => causeLines.join('\n') },
  })
  if (command === null) return
  const text = printable(command.argument.trim(), Infinity)
  if (text === '')
    throw new OptionError('ANSWER: is empty, expected what is known, such as "switch failure at tfd-a-core1"')
  if (text.length > answerLengthMax)
    throw new OptionError(`ANSWER: expected at most ${answerLengthMax} characters, got ${text.length}`)
  const { path, origin } = fileOf({ ...command, argument: '' })
  const { by } = command.options
  append(path, origin, { wall_s: nowSeconds(), by, text, hint: null })
  console.log(`Noted in ${path}: ${text}`)
}

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
  append(path, origin, { wall_s: nowSeconds(), by, text, hint })
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
