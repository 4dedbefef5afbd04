import { readFileSync, writeFileSync } from 'node:fs'
import { serveCommand } from '../../src/commands/serve.ts'
import { environmentVariable } from '../../src/options/command.ts'
import { describeDefault, flagText } from '../../src/options/help.ts'
import { commandLine } from '../fixtures/command-line.ts'

const page = new URL('../../docs/options.md', import.meta.url)
const head = `# Options

of the mirror, as they are declared in \`src/options\`. \`npm run node test/options/options-table.ts\` writes this page.

`

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

/** The page that follows from the declarations, and the current page. */
export function optionsPage(): { readonly expected: string; readonly actual: string } {
  return { actual: readFileSync(page, 'utf8'), expected: head + optionsTable() }
}

const usage = `npm run node test/options/options-table.ts

Writes docs/options.md, which follows from the declarations of options. It takes no options.`

if (import.meta.main) {
  commandLine(usage, { options: {} })
  writeFileSync(page, optionsPage().expected)
  console.log('Wrote docs/options.md.')
}
