import { readFileSync, writeFileSync } from 'node:fs'
import { serveCommand } from '../../src/commands/serve.ts'
import { environmentVariable } from '../../src/options/command.ts'
import { describeDefault, flagText } from '../../src/options/help.ts'
import { commandLine } from '../fixtures/command-line.ts'

const page = new URL('../../docs/configuration.md', import.meta.url)
const table = /^\| Flag \| Variable \|.*\n(?:\|.*\n)+/m

/** The options of the service as a table in Markdown. */
function optionsTable(): string {
  const code = (text: string): string => (text === '' ? '' : `\`${text}\``)
  const rows = Object.entries(serveCommand.settings).map(([name, setting]) =>
    [flagText(name, setting), environmentVariable(name), describeDefault(setting)]
      .map((text) => `| ${code(text)} `)
      .concat(`| ${setting.help} |\n`)
      .join(''),
  )
  const flags = Object.entries(serveCommand.infoFlags).map(
    ([name, help]) => `| \`--${name}\` | | | ${help} |\n`,
  )
  return ['| Flag | Variable | Default | Meaning |\n| --- | --- | --- | --- |\n', ...rows, ...flags].join('')
}

/** The page with the table generated from the declarations, and the current page. */
export function configurationPage(): { readonly expected: string; readonly actual: string } {
  const actual = readFileSync(page, 'utf8')
  return { actual, expected: actual.replace(table, () => optionsTable()) }
}

const usage = `npm run options

Writes the table of options in docs/configuration.md, which follows from their declarations. It takes no options.`

if (import.meta.main) {
  commandLine(usage, { options: {} })
  writeFileSync(page, configurationPage().expected)
}
