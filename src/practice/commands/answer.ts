/** Notes the answers of a team in a game day. */
import { answerLengthMax } from '../../contract/game-days/answer-line.ts'
import { causeNames } from '../../contract/messages/incident-causes.ts'
import { commonInfoFlags } from '../../options/command.ts'
import { answerSettings } from '../../options/game-day-settings.ts'
import { OptionError } from '../../options/parse-options.ts'
import { printable } from '../../text/printable.ts'
import { commandFrom } from '../../command-line/command-line.ts'
import { fileOf } from './read-session.ts'
import { noteAnswer } from './note-answer.ts'

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

const causeLines = Object.entries(causeNames)
  .filter(([kind]) => kind !== 'Unknown')
  .map(([, name]) => name)

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
  noteAnswer(path, origin, { by, text, hint: null })
  console.log(`Noted in ${path}: ${text}`)
}
