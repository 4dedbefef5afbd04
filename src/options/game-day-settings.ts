/** Settings for fault injection, for the truth, and of the commands with which a team plays a game day. */
import { hintLevelMax } from '../contract/game-days/answer-line.ts'
import { webAddress } from './link-settings.ts'
import { anyText, integer, nonEmpty, optional, yesNo } from './setting.ts'
import type { Setting } from './setting.ts'
import { requiresBuiltIn } from './world-settings.ts'

/** `act` appends to it, and the stack mounts its folder. */
export const defaultActionsFile = 'sessions/actions.jsonl'
export const noActionsFile = 'none'

export const actionsSetting = {
  placeholder: 'FILE',
  defaultText: '',
  help:
    'File of actions that is read while the world runs: each line appended to it is an action of the scenario ' +
    'language, carried out at the next step. `act` appends one.',
  requires: requiresBuiltIn,
  parse: anyText,
} as const satisfies Setting<unknown>

/** For a mirror: it reads the file to which `act` appends by default. */
export const watchedActionsSetting = {
  ...actionsSetting,
  defaultHelp: `${defaultActionsFile} if there is a folder sessions; ${noActionsFile} for none`,
} as const satisfies Setting<unknown>

export const truthSetting = {
  placeholder: 'yes/no',
  defaultText: 'no',
  help:
    'Whether the file of the session keeps the truth about every fault: what broke, when, whom it hurt, and its incidents ' +
    'and alerts. No request can read it; `report` grades alert rules by it, `debrief` a team.',
  brief: 'Whether the file keeps the truth about every fault, for `report` and `debrief`.',
  requires: requiresBuiltIn,
  isSwitch: true,
  parse: yesNo,
} as const satisfies Setting<unknown>

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
    parse: optional(webAddress),
  },
  out: {
    placeholder: 'NAME',
    defaultText: 'debrief',
    help: 'Where to write: NAME.html.',
    parse: nonEmpty('the name of a file without its ending'),
  },
  twin: {
    placeholder: 'yes/no',
    defaultText: 'yes',
    help: 'Whether to run the world again, with and without what was ordered, for what it cost.',
    parse: yesNo,
  },
} as const
