import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { collectorNames, collectors } from '../../src/metrics/declaration/collectors.ts'
import { collectorFamilies } from '../../src/metrics/exposition/exposition.ts'
import { families } from '../../src/metrics/families/all.ts'
import { conventions, exceptionsOf } from './conventions.ts'
import type { ConventionName, Exception } from './conventions.ts'
import type { Family } from '../../src/metrics/declaration/family.ts'
import { mirrorFamilies } from '../../src/metrics/declaration/mirror-families.ts'
import type { FamilyDeclaration } from '../../src/metrics/declaration/mirror-families.ts'

const escaped = (text: string): string => text.replaceAll('|', '\\|')

function table(rows: readonly (readonly [string, FamilyDeclaration])[]): string {
  const lines = rows.map(([name, { type, unit, labels, help }]) => {
    const labeled = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${unit} | ${labeled} | ${escaped(help)} |`
  })
  return ['| Family | Type | Unit | Labels | Help |', '| --- | --- | --- | --- | --- |', ...lines].join('\n')
}

const exceptionLine = ({ families: excepted, because }: Exception): string =>
  `  - Except ${excepted.map((family) => `\`${family}\``).join(', ')}: ${because}\n`

const conventionsList = (): string =>
  (Object.keys(conventions) as ConventionName[])
    .map((name) => `- ${conventions[name].rule}\n${exceptionsOf(name).map(exceptionLine).join('')}`)
    .join('')

/** The text of docs/metrics.md: every declared family and collector. */
function metricsReference(): string {
  const declared: Readonly<Record<string, Family>> = families
  const summary = collectorNames.map((name) => {
    const count = Object.values(declared).filter(({ collector }) => collector === name).length
    return `| [\`${name}\`](#${name}) | ${collectors[name].byDefault ? 'yes' : 'no'} | ${count} | ${collectors[name].subject} |`
  })
  const sections = collectorNames.map((name) => {
    const own = Object.entries(declared).filter(([, { collector }]) => collector === name)
    return `## ${name}\n\n${table(own)}\n`
  })
  const service = Object.entries<FamilyDeclaration>({ ...collectorFamilies, ...mirrorFamilies })
  const parts: Readonly<Record<string, string>> = {
    conventions: conventionsList(),
    collectors: summary.join('\n'),
    families: sections.join('\n'),
    service: table(service),
  }
  const template = readFileSync(new URL('reference-template.md', import.meta.url), 'utf8')
  return template.replaceAll(/^\{(\w+)\}$/gm, (_, name: string) => parts[name])
}

test('docs/metrics.md lists the families as they are declared', async () => {
  await expect(metricsReference()).toMatchFileSnapshot('../../docs/metrics.md')
})
