import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { checkRules, importsOf, isSource, partOf, place } from './source-files.ts'
import type { SourceFile } from './source-files.ts'

interface Layer {
  /** Besides itself. */
  readonly mayImport: readonly string[]
  readonly because: string
}

/** The parts of src, the lowest first. */
const layers = JSON.parse(readFileSync('src/layers.json', 'utf8')) as Readonly<Record<string, Layer>>

function importViolations(file: SourceFile): string[] {
  const part = partOf(file.path)
  const layer = Object.hasOwn(layers, part) ? layers[part] : undefined
  if (layer === undefined) return [`${file.path}: ${part} is not in src/layers.json`]
  return importsOf(file).flatMap(({ specifier, node }) => {
    if (!specifier.startsWith('.')) return []
    const target = posix.join(posix.dirname(file.path), specifier)
    const inside = target.startsWith('src/')
    const name = inside ? partOf(target) : target
    if (inside && (name === part || layer.mayImport.includes(name))) return []
    return [`${place(file, node)} imports ${specifier}: ${part} may not import ${name} (${layer.because})`]
  })
}

checkRules([
  {
    name: 'each part imports only what src/layers.json allows',
    covers: isSource,
    violations: importViolations,
    example: { path: 'src/mirror/a.ts', text: "import type { Tick } from '../world/simulation/tick.ts'\n" },
  },
])

test('docs/layers.md shows src/layers.json', async () => {
  const rows = Object.entries(layers).map(([part, { mayImport, because }]) => {
    const imports = mayImport.length === 0 ? 'nothing' : mayImport.map((name) => `\`${name}\``).join(', ')
    return `| \`${part}\` | ${imports} | ${because} |`
  })
  const text = [
    '# Layers',
    '',
    'The parts of `src`, the lowest first, and what each may import besides itself. The rules are in `src/layers.json`;',
    '`test/tidy/layers.test.ts` checks them and writes this table (`npx vitest run test/tidy --update`).',
    '',
    '| Part | May import | Because |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ]
  await expect(text.join('\n')).toMatchFileSnapshot('../../docs/layers.md')
})
