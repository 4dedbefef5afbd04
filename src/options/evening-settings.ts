/** Settings of the commands with which a team plays a game day. */
import { anyText, integer, nonEmpty, optional, ParseFailure, yesNo } from './setting.ts'
import type { Setting } from './setting.ts'
import { hintLevelMax } from '../contract/game-days/answer-line.ts'

const sessionFile = {
  placeholder: 'FILE',
  defaultText: '',
  help: 'File of the session, whose mirror may run.',
  parse: anyText,
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

export const answerSettings = { 'session-file': sessionFile, by } as const

export const hintSettings = {
  'session-file': sessionFile,
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
  'session-file': sessionFile,
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
