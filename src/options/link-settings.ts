/** Addresses that people open, for links in the log and on the landing page. */
import { anyText, optional, ParseFailure } from './setting.ts'
import type { Setting, ValueParser } from './setting.ts'

/** An http or https address without a trailing slash. */
export const webAddress: ValueParser<string> = (text) => {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return new ParseFailure('an http or https address, such as http://127.0.0.1:3000')
  return url.href.replace(/\/+$/, '')
}

const link = (program: string): Setting<string | null> => ({
  placeholder: 'URL',
  defaultText: '',
  help: `Address of the ${program} that watches this mirror, for a link on the landing page.`,
  parse: optional(webAddress),
})

export const linkSettings = {
  'public-url': {
    placeholder: 'URL',
    defaultText: '',
    defaultHelp: 'the listen address',
    help: 'Address under which people reach the mirror, if it is not the one that it listens on. Requests may name its host.',
    parse: optional(webAddress),
  },
  'grafana-url': link('Grafana'),
  'prometheus-url': link('Prometheus'),
  'alertmanager-url': link('Alertmanager'),
} as const satisfies Record<string, Setting<unknown>>

/** Set by the image itself. */
export const imageSetting: Setting<string> = {
  placeholder: 'NAME',
  defaultText: '',
  help: 'Image that this runs from, for the command on the landing page that starts the whole stack from it.',
  brief: false,
  parse: anyText,
}
