/** Settings of the commands that read a mirror, the file of a session or an upstream. */
import { webAddress } from './link-settings.ts'
import { anyText, integer, yesNo } from './setting.ts'
import type { Setting } from './setting.ts'

/** In place of a mirror. */
export const sessionFileArgument = {
  placeholder: 'FILE',
  help: 'The file of a session, in place of a mirror that runs.',
  isOptional: true,
} as const

const mirrorUrl = {
  placeholder: 'URL',
  defaultText: 'http://127.0.0.1:9740',
  help: 'Address of the mirror.',
  parse: webAddress,
} as const satisfies Setting<string>

const readSession = {
  placeholder: 'NAME',
  defaultText: '',
  help: 'Session of a mirror with several.',
  parse: anyText,
} as const satisfies Setting<string>

const yesOrNo = { placeholder: 'yes/no', defaultText: 'no', isSwitch: true } as const

export const statusSettings = {
  url: mirrorUrl,
  session: readSession,
} as const satisfies Record<string, Setting<unknown>>

export const chronicleSettings = {
  days: {
    placeholder: 'N',
    defaultText: '7',
    help: 'Number of simulated days.',
    parse: integer(1, 10_000),
  },
  ...statusSettings,
} as const satisfies Record<string, Setting<unknown>>

export const checkSettings = {
  json: { ...yesOrNo, help: 'Whether to print JSON.', parse: yesNo },
} as const satisfies Record<string, Setting<unknown>>

export const eventsSettings = {
  follow: {
    ...yesOrNo,
    help: 'Whether to print what happens from now on too, until interrupted.',
    parse: yesNo,
  },
  ...statusSettings,
} as const satisfies Record<string, Setting<unknown>>
