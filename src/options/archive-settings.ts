/** Settings of the file of a session, in which what happened stays readable. */
import { anyText, integer } from './setting.ts'
import type { Setting } from './setting.ts'

export const archiveSettings = {
  'session-file': {
    placeholder: 'FILE',
    defaultText: '',
    defaultHelp: 'in memory, until the mirror ends',
    help:
      'File that holds the session. The built-in world is saved in it every few minutes, so that a restart continues it; ' +
      'of any source it keeps events, incidents, work orders and the chronicle, of a recording only where this is a ' +
      'flag. Tables read them by from=, to= and text=.',
    parse: anyText,
  },
  'archive-mb': {
    placeholder: 'N',
    defaultText: '256',
    help: 'Size of what happened in MiB, beyond which the oldest is forgotten, the chronicle last.',
    parse: integer(8, 1_048_576),
  },
} as const satisfies Record<string, Setting<unknown>>
