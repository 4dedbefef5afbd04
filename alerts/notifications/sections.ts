import { capitalized } from '../../src/words/phrases.ts'
import { channelNames, channels, variableOf, variablesOf, watchdog } from './channels.ts'

/** Parts of files that list the channels: `npm run alerts` writes them, and a test compares. */

const variables: readonly (readonly [value: string, names: readonly string[]])[] = [
  ...channelNames.map((name) => [channels[name].value, variablesOf(name)] as const),
  [watchdog.value, [variableOf('watchdog')]],
]

const composed = variables.flatMap(([, names]) => names.map((name) => `  ${name}: \${${name}:-}\n`)).join('')

const plain = (markdown: string): string => capitalized(markdown).replaceAll('`', '')
const settings = variables
  .map(([value, names]) => `# ${plain(value)}\n${names.map((name) => `#${name}=\n`).join('')}`)
  .join('\n')

const rows = variables.map(([value, [name]]) => `| \`${name}\` | ${value} |\n`).join('')

/** The generated section of each file: a pattern that finds it, and its text. */
export const sections: Readonly<Record<string, readonly [pattern: RegExp, text: string]>> = {
  'docker-compose.yml': [/(?<=^x-notifications: &notifications\n)(?: {2}DCSIM_ALERT_\w+: .*\n)+/m, composed],
  '.env.example': [
    /(?<=^# --- Notifications[^]*?\n\n)(?:(?:# .*\n)?(?:#DCSIM_ALERT_\w+=\n)+\n?)+(?=\n# ---)/m,
    settings,
  ],
  'docs/alerts.md': [/(?<=^\| Variable \| Value \|\n\| --- \| --- \|\n)(?:\| `DCSIM_ALERT_.*\n)+/m, rows],
}

/** The text of a file with its section up to date. */
export function withSection(path: string, text: string): string {
  const [pattern, section] = sections[path]
  if (!pattern.test(text)) throw new Error(`${path} has no section of channels: ${pattern.source}`)
  return text.replace(pattern, () => section)
}
