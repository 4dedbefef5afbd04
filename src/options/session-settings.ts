/** Settings that name sessions. */
import { sessionNamePattern } from '../contract/session.ts'
import { hostAndPort } from './service-settings.ts'
import { anyText, ParseFailure } from './setting.ts'
import type { Setting } from './setting.ts'

const sessionNameForm = 'a name of up to 64 letters, digits, dots, colons, dashes and underscores'

export const sessionSettings = {
  session: {
    placeholder: 'NAME',
    defaultText: '',
    defaultHelp: 'scale, seed and scenario; the address of the upstream; or the name of the recording',
    help: 'Name of the session, which tells it from others in Prometheus and in a shared store.',
    parse: (text) =>
      text === '' || sessionNamePattern.test(text) ? text : new ParseFailure(sessionNameForm),
  },
  sessions: {
    placeholder: 'LIST',
    defaultText: '',
    help:
      'Several sessions at one address, each with a mirror of its own: NAME=SOURCE?SETTING=VALUE&…, separated by ' +
      'commas. Requests name one by ?session=NAME.',
    parse: anyText,
  },
} as const satisfies Record<string, Setting<string>>

export const outSetting = {
  placeholder: 'FILE',
  defaultText: '',
  defaultHelp: 'standard output',
  help: 'File to write.',
  brief: true,
  parse: anyText,
} as const satisfies Setting<string>

export const targetSetting = {
  placeholder: 'HOST:PORT',
  defaultText: 'mirror:9740',
  help: 'Address at which Prometheus reaches the mirror.',
  brief: true,
  parse: (text) => {
    const address = hostAndPort(text)
    return address instanceof ParseFailure ? address : text
  },
} as const satisfies Setting<string>
