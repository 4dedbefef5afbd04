/** Settings for the pictures of a running mirror. */
import { mirrorUrl } from './archive-settings.ts'
import { anyText, oneOfValues } from './setting.ts'
import type { Setting } from './setting.ts'

const pictureThemes = ['neutral', 'dark', 'light'] as const

export const outSetting = {
  placeholder: 'FILE',
  defaultText: '',
  defaultHelp: 'standard output',
  help: 'File to write.',
  brief: true,
  parse: anyText,
} as const satisfies Setting<string>

export const pictureSettings = {
  url: { ...mirrorUrl, brief: true },
  out: outSetting,
  filter: {
    placeholder: 'NAME=VALUE',
    defaultText: '',
    help: 'What to draw, as in zone=tfd-a; the filters of each picture are those of /tables/pictures.',
    brief: 'What to draw, as in zone=tfd-a.',
    repeatable: true,
    parse: anyText,
  },
  theme: {
    placeholder: 'THEME',
    defaultText: 'neutral',
    help: `Ground that it is for: ${pictureThemes.join(', ')}.`,
    brief: true,
    parse: oneOfValues(pictureThemes),
  },
} as const satisfies Record<string, Setting<unknown>>
