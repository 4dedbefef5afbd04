import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../process/package-root.ts'
import { printable } from '../text/printable.ts'
import { wrapText } from '../text/wrap-text.ts'
import { commonInfoFlags, environmentVariable } from './command.ts'
import type { Command } from './command.ts'
import { shortFlags } from './parse-options.ts'
import type { Setting } from './setting.ts'

const launcher = 'bin/dcsim-mirror'
const isThere = (path: string): boolean => existsSync(new URL(path, packageRoot))

/** The published package and the image come without the launcher of a checkout. */
const program = isThere(launcher) ? launcher : 'dcsim-mirror'

/** The image comes without the documentation. */
const guide = 'docs/README.md'
const documentation = isThere(guide) ? [printable(fileURLToPath(new URL(guide, packageRoot)), Infinity)] : []

export const flagText = (name: string, { placeholder }: Setting<unknown>): string =>
  `--${name} ${placeholder}`

export const describeDefault = ({ defaultText, defaultHelp = defaultText }: Setting<unknown>): string =>
  defaultHelp

const infoFlagText = (name: string): string =>
  shortFlags[name] === undefined ? `--${name}` : `-${shortFlags[name]}, --${name}`

/** A flag or an argument, and the lines that describe it. */
type Entry = readonly [flag: string, ...lines: string[]]

function entriesOf({ settings, infoFlags, argument }: Command, isAll: boolean): Entry[] {
  const isShort = Object.keys(settings).length <= shortSettingsMax
  const entryOf = ([name, setting]: [string, Setting<unknown>]): Entry[] => {
    const { help, brief = isShort } = setting
    if (!isAll && brief === false) return []
    const text = isAll || typeof brief !== 'string' ? help : brief
    const value = describeDefault(setting)
    const line = value === '' ? text : `${text} (default: ${value})`
    return [
      [
        flagText(name, setting),
        line,
        ...(isAll ? [`[${environmentVariable(setting.variableOf ?? name)}]`] : []),
      ],
    ]
  }
  return [
    ...(argument === undefined ? [] : [[argument.placeholder, argument.help] as const]),
    ...Object.entries(settings).flatMap(entryOf),
    ...Object.entries(infoFlags)
      .filter(([name]) => isAll || !Object.hasOwn(commonInfoFlags, name))
      .map(([name, help]) => [infoFlagText(name), help] as const),
  ]
}

function columns(entries: readonly Entry[]): string[] {
  const width = Math.max(...entries.map(([flag]) => flag.length)) + 2
  return entries.flatMap(([flag, ...lines]) =>
    lines.map((line, i) => wrapText(`  ${(i === 0 ? flag : '').padEnd(width)}${line}`, width + 2)),
  )
}

/** A command with at most this number of settings shows all of them without --all. */
const shortSettingsMax = 9

/**
 * The text of --help: the settings that have a `brief`, or all of them with their variables. The default command lists
 * `commands`, each with its summary.
 */
export function helpText(command: Command, isAll = false, commands: readonly Entry[] = []): string {
  const { usage, summary, examples } = command
  const isDefault = commands.length > 0
  const commonFlags = isAll ? [] : ['--help --all', '--version']
  const more = [...(isDefault ? ['help COMMAND'] : []), ...commonFlags, ...documentation]
  return [
    `Usage: ${program} ${usage}`,
    ...(isDefault ? columns(commands) : [wrapText(summary, 0)]),
    '',
    ...columns(entriesOf(command, isAll)),
    ...(isAll && Object.keys(command.settings).length > 0
      ? ['The environment variable in brackets sets an option too; the flag overrides it.']
      : []),
    '',
    ...examples.map((line) => `  ${line.replace('dcsim-mirror', program)}`),
    ...(more.length === 0 ? [] : [`More: ${more.join('; ')}`]),
  ].join('\n')
}
