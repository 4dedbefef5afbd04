/** Settings of the commands with which a team plays a game day. */
import { anyText, integer, nonEmpty, optional, ParseFailure, yesNo } from './setting.ts'
import type { Setting } from './setting.ts'
import { hintLevelMax } from '../contract/game-days/answer-line.ts'

const defaultAnswersFile = 'sessions/answers.jsonl'

const answers = {
  placeholder: 'FILE',
  defaultText: defaultAnswersFile,
  help: 'File of answers, to which answers and hints are appended with their time.',
  parse: nonEmpty('the name of a file'),
} as const satisfies Setting<string>

const truth = {
  placeholder: 'FILE',
  defaultText: 'truth.jsonl',
  help: 'Truth file of the world, which --truth of the mirror names.',
  parse: nonEmpty('the name of a file'),
} as const satisfies Setting<string>

const by = {
  placeholder: 'NAME',
  defaultText: '',
  help: 'Who says it: a name or a role.',
  parse: anyText,
} as const satisfies Setting<string>

/** An address without a slash at its end, as paths are added. */
export function prometheusUrl(text: string): string | ParseFailure {
  const isUrl = /^https?:\/\//.test(text) && URL.canParse(text)
  return isUrl ? text.replace(/\/+$/, '') : new ParseFailure('a URL such as http://127.0.0.1:9090')
}

export const answerSettings = { answers, by } as const

export const hintSettings = {
  truth,
  answers,
  by: { ...by, help: 'Who asks: a name or a role.' },
  level: {
    placeholder: 'N',
    defaultText: '',
    defaultHelp: 'one more than the last hint about the same',
    help: `How plain: 1 what to look at, 2 where, 3 at which part, ${hintLevelMax} what is wrong with it.`,
    parse: optional(integer(1, hintLevelMax)),
  },
} as const

export const debriefSettings = {
  truth,
  answers,
  prometheus: {
    placeholder: 'URL',
    defaultText: '',
    defaultHelp: 'no alerts on the page',
    variableOf: 'prometheus-url',
    help: 'Prometheus that scraped the world, for the alerts that fired.',
    parse: optional(prometheusUrl),
  },
  out: {
    placeholder: 'NAME',
    defaultText: 'debrief',
    help: 'Where to write: NAME.html and NAME.md.',
    parse: nonEmpty('the name of a file without its ending'),
  },
  twin: {
    placeholder: 'yes/no',
    defaultText: 'yes',
    help: 'Whether to run the world again, with and without what was ordered, for what it cost.',
    choices: ['yes', 'no'],
    parse: yesNo,
  },
} as const
