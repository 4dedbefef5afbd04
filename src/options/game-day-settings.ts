/** Settings for fault injection and for the truth. */
import { anyText, yesNo } from './setting.ts'
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
  choices: ['yes', 'no'],
  isSwitch: true,
  parse: yesNo,
} as const satisfies Setting<unknown>
