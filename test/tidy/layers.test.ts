import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { checkRules, importsOf, isProgram, isSource, partOf, place } from './source-files.ts'
import type { SourceFile } from './source-files.ts'

interface Layer {
  /** The parts that it may import, besides itself. */
  readonly mayImport: readonly string[]
  readonly because: string
}

/** The parts of src in ascending order of layers. */
const layers = JSON.parse(readFileSync('src/layers.json', 'utf8')) as Readonly<Record<string, Layer>>

function importViolations(file: SourceFile): string[] {
  const part = partOf(file.path)
  const layer = Object.hasOwn(layers, part) ? layers[part] : undefined
  if (layer === undefined) return [`${file.path}: ${part} is not in src/layers.json`]
  return importsOf(file).flatMap(({ specifier, node }) => {
    if (!specifier.startsWith('.')) return []
    const target = posix.join(posix.dirname(file.path), specifier)
    const name = partOf(target) || target
    if (name === part || layer.mayImport.includes(name)) return []
    return [`${place(file, node)} imports ${specifier}: ${part} may not import ${name} (${layer.because})`]
  })
}

/** The parts of the simulation in ascending order of layers: each may import parts of lower layers. */
interface SimulationLayer {
  readonly parts: readonly string[]
  readonly because: string
  /** Whether it may import the types of all parts. */
  readonly namesTypesOfAll?: boolean
}

const simulation = 'src/world/simulation'
const simulationLayers = JSON.parse(
  readFileSync(`${simulation}/layers.json`, 'utf8'),
) as readonly SimulationLayer[]
const simulationPartOf = (path: string): string => posix.relative(simulation, path).replace(/[/.].*/, '')
const levelOf = (part: string): number => simulationLayers.findIndex(({ parts }) => parts.includes(part))

function simulationViolations(file: SourceFile): string[] {
  const part = simulationPartOf(file.path)
  const level = levelOf(part)
  if (level === -1) return [`${file.path}: ${part} is not in ${simulation}/layers.json`]
  const { because, namesTypesOfAll = false } = simulationLayers[level]
  return importsOf(file).flatMap(({ specifier, node }) => {
    const target = posix.join(posix.dirname(file.path), specifier)
    if (!target.startsWith(`${simulation}/`)) return []
    const name = simulationPartOf(target)
    if (name === part || levelOf(name) < level) return []
    if (namesTypesOfAll && node['importKind'] === 'type') return []
    return [`${place(file, node)} imports ${specifier}: ${part} may not import ${name} (${because})`]
  })
}

/** Modules of the simulation that records read directly; of other parts they read the view. */
const isReadByRecords = (path: string): boolean =>
  posix.dirname(path) === simulation ||
  path.endsWith('/view.ts') ||
  [`${simulation}/topology/tables.ts`, `${simulation}/quests/quests.ts`].includes(path) ||
  path.startsWith(`${simulation}/incidents/`)

const reachesPastViews = (file: SourceFile): string[] =>
  importsOf(file).flatMap(({ specifier, node }) => {
    const target = posix.join(posix.dirname(file.path), specifier)
    return target.startsWith(`${simulation}/`) && !isReadByRecords(target)
      ? [
          `${place(file, node)} imports ${specifier}: records read a part of the simulation through its view.ts`,
        ]
      : []
  })

checkRules([
  {
    name: 'each part imports only what src/layers.json allows',
    covers: (path) => isSource(path) || isProgram(path),
    violations: importViolations,
    example: { path: 'src/mirror/a.ts', text: "import type { Tick } from '../world/simulation/tick.ts'\n" },
  },
  {
    name: 'each part of the simulation imports only parts of lower layers',
    covers: (path) => isSource(path) && path.startsWith(`${simulation}/`),
    violations: simulationViolations,
    example: {
      path: `${simulation}/facility/a.ts`,
      text: "import type { Fault } from '../faults/model.ts'\n",
    },
  },
  {
    name: 'records read a part of the simulation through its view',
    covers: (path) => path.startsWith('src/world/records/'),
    violations: reachesPastViews,
    example: {
      path: 'src/world/records/a.ts',
      text: "import { clamp } from '../simulation/tenants/prices.ts'\n",
    },
  },
])

test('docs/layers.md shows the layers', async () => {
  const rows = Object.entries(layers).map(([part, { mayImport, because }]) => {
    const imports = mayImport.length === 0 ? 'nothing' : mayImport.map((name) => `\`${name}\``).join(', ')
    return `| \`${part}\` | ${imports} | ${because} |`
  })
  const text = [
    '# Layers',
    '',
    'The parts of `src`, the lowest first, then the programs beside it, and what each may import besides itself. The rules are in',
    '`src/layers.json`; `test/tidy/layers.test.ts` checks them and writes this table (`npx vitest run test/tidy --update`).',
    '',
    '| Part | May import | Because |',
    '| --- | --- | --- |',
    ...rows,
    '',
    '## The simulation',
    '',
    'Within `src/world/simulation`, a part may import parts of the rows above it. The rows are in its `layers.json`. `state`',
    'may import the types of all parts.',
    '',
    '| Parts | Because |',
    '| --- | --- |',
    ...simulationLayers.map(
      ({ parts, because }) => `| ${parts.map((part) => `\`${part}\``).join(', ')} | ${because} |`,
    ),
    '',
  ]
  await expect(text.join('\n')).toMatchFileSnapshot('../../docs/layers.md')
})
