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

const introduction = `# Metrics

This page is made from the declarations in \`src/metrics\`.

\`GET /metrics\` answers in Prometheus's text format, version 0.0.4. Families of the world begin with \`dcsim_\`, those
of the service itself with \`dcsim_mirror_\`; prom-client's \`process_*\` and \`nodejs_*\` come with them. \`name[]\`, given
once or several times, narrows the answer to the families named.

Times are simulated time in seconds, unless the family is one of the mirror's own. Memory is counted in multiples of
2^20, disks of 10^9 bytes. Names of things stand in \`*_info\` families, which join to the others by id:

    dcsim_host_cpu_used_vcpus * on (host) group_left (name) dcsim_host_info

Each class of hostile traffic is counted in a unit of its own, and so in families of its own: floods in bytes, protocol
attacks in packets, attacks on applications in requests, intrusions in attempts, scans in probes per second.

A label without a value is left out. A sample that does not apply is left out. Values of one family are aligned by
blanks before them, as the format allows. Counters count from the beginning of the world and go on while
publishing pauses.

`

const collectorsIntroduction = `## Collectors

Families come in groups that can be switched on and off with \`--collectors\`: names alone replace the usual set,
\`+ports\` adds to it, \`-hosts\` takes away from it. \`dcsim_mirror_collector_success\` says whether each of them worked;
one that fails leaves out its own families and no others.

`

const exceptionLine = ({ families: excepted, because }: Exception): string =>
  `  - Except ${excepted.map((family) => `\`${family}\``).join(', ')}: ${because}\n`

const conventionsList = (): string =>
  (Object.keys(conventions) as ConventionName[])
    .map((name) => `- ${conventions[name].rule}\n${exceptionsOf(name).map(exceptionLine).join('')}`)
    .join('')

const conventionsIntroduction = `## Conventions

Prometheus's guidelines for [names](https://prometheus.io/docs/practices/naming/) and
[exporters](https://prometheus.io/docs/instrumenting/writing_exporters/). A test checks every family that the exporter
writes against each, and that no exception is listed without need.

`

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
  return [
    introduction,
    conventionsIntroduction,
    `${conventionsList()}\n`,
    collectorsIntroduction,
    '| Collector | On by default | Families | Content |\n| --- | --- | --- | --- |\n',
    `${summary.join('\n')}\n\n`,
    sections.join('\n'),
    `\n## The service itself\n\nAlways on, and taken at the moment of the scrape.\n\n${table(service)}\n`,
  ].join('')
}

test('docs/metrics.md lists the families as they are declared', async () => {
  await expect(metricsReference()).toMatchFileSnapshot('../../docs/metrics.md')
})
