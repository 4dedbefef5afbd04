/** What people are told about a command's settings. */
import { variableOf } from './command.ts'
import type { Command } from './command.ts'
import type { Setting } from './setting.ts'
import { wrapped } from './wrap.ts'

const flagText = (name: string, { takes }: Setting<unknown>): string => `--${name} ${takes}`
const usualText = ({ fallback, otherwise = fallback }: Setting<unknown>): string => otherwise

/** What --help shows; `more` stands before the flags. */
export function helpText(
  { usage, summary, settings, questions, argument }: Command,
  more: string[] = [],
): string {
  const entries = Object.entries(settings)
  const width = Math.max(...entries.map((entry) => flagText(...entry).length)) + 2
  const line = (flag: string, meaning: string): string =>
    wrapped(`  ${flag.padEnd(width)}${meaning}`, width + 2)
  const lines = entries.flatMap(([name, setting]) => {
    const usual = usualText(setting)
    const otherwise = usual === '' ? '' : ` Otherwise ${usual}.`
    return [line(flagText(name, setting), setting.meaning), line('', `${variableOf(name)}.${otherwise}`)]
  })
  return [
    `Usage: ${usage}`,
    '',
    wrapped(summary, 0),
    '',
    ...more,
    ...(argument === undefined ? [] : [line(argument.takes, argument.meaning)]),
    ...lines,
    ...Object.entries(questions).map(([name, meaning]) => line(`--${name}`, meaning)),
    '',
    'Flags that take a value can also be set by the variable below them; flags win.',
  ].join('\n')
}

/** The same as a table in Markdown. */
export function optionsTable({ settings, questions }: Command): string {
  const code = (text: string): string => (text === '' ? '' : `\`${text}\``)
  const rows = Object.entries(settings).map(
    ([name, setting]) =>
      `| ${code(flagText(name, setting))} | ${code(variableOf(name))} | ${code(usualText(setting))} | ${setting.meaning} |`,
  )
  const asked = Object.entries(questions).map(
    ([name, meaning]) => `| ${code(`--${name}`)} | | | ${meaning} |`,
  )
  return ['| Flag | Variable | Default | Meaning |', '| --- | --- | --- | --- |', ...rows, ...asked].join(
    '\n',
  )
}
