/** Settings for fault injection and for the file of the truth. */
import { anyText } from './setting.ts'
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
  placeholder: 'FILE',
  defaultText: '',
  help:
    'File to which the truth about every fault is appended as a JSON line once it is over: what broke, when, whom it ' +
    'hurt, and its incidents and alerts. No request can read it; `report` grades alert rules by it.',
  brief: 'File to which the truth about every fault is appended, for `report`.',
  requires: requiresBuiltIn,
  parse: anyText,
} as const satisfies Setting<unknown>
