import { existsSync } from 'node:fs'
import { wrapText } from '../text/wrap-text.ts'
import { environmentVariable } from './command.ts'
import type { Command } from './command.ts'
import type { Setting } from './setting.ts'

const program = 'bin/dcsim-mirror'
/** The published package and the image come without it. */
const isCheckout = existsSync(new URL(`../../${program}`, import.meta.url))

export const flagText = (name: string, { placeholder }: Setting<unknown>): string =>
  `--${name} ${placeholder}`

export const describeDefault = ({ defaultText, defaultHelp = defaultText }: Setting<unknown>): string =>
  defaultHelp

/** The text of --help; `preamble` precedes the options. */
export function helpText(
  { usage, summary, settings, infoFlags, argument }: Command,
  preamble: string[] = [],
): string {
  const entries = Object.entries(settings)
  const flags = entries
    .map((entry) => flagText(...entry))
    .concat(
      argument?.placeholder ?? [],
      Object.keys(infoFlags).map((name) => `--${name}`),
    )
  const width = Math.max(...flags.map(({ length }) => length)) + 2
  const line = (flag: string, help: string): string => wrapText(`  ${flag.padEnd(width)}${help}`, width + 2)
  const lines = entries.flatMap(([name, setting]) => {
    const defaultValue = describeDefault(setting)
    const suffix = defaultValue === '' ? '' : ` (default: ${defaultValue})`
    return [
      line(flagText(name, setting), `${setting.help}${suffix}`),
      line('', `[${environmentVariable(name)}]`),
    ]
  })
  return [
    `Usage: dcsim-mirror ${usage}`,
    '',
    wrapText(summary, 0),
    '',
    ...preamble,
    'Options:',
    ...(argument === undefined ? [] : [line(argument.placeholder, argument.help)]),
    ...lines,
    ...Object.entries(infoFlags).map(([name, help]) => line(`--${name}`, help)),
    '',
    ...(entries.length === 0
      ? []
      : ['Options can also be set by the environment variable in brackets; flags override it.']),
    ...(isCheckout ? [`In this checkout, the command is ${program}.`] : []),
  ].join('\n')
}
