import { isBuiltin } from 'node:module'
import {
  checkRules,
  importedNames,
  importsOf,
  isSource,
  linesWith,
  parse,
  partOf,
  place,
  walk,
} from './source-files.ts'
import type { AstNode, SourceFile } from './source-files.ts'

const clockAndChance = new Set([
  'Date',
  'performance',
  'process',
  'globalThis',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
])

const mayTouchProcess = (path: string): boolean =>
  /^src\/(?:main|(?:(?:practice\/)?commands|command-line)\/[^/]+)\.ts$/.test(path)

/** Whether an identifier is only the name of a property, such as `process` in `x.process`. */
const isPropertyName = (parent: AstNode | undefined, key: string | undefined): boolean =>
  parent !== undefined && (key === 'property' || key === 'key') && parent['computed'] !== true

function purityViolations(file: SourceFile): string[] {
  const why = 'the same seed must give the same world'
  const found = importsOf(file)
    .filter(({ specifier }) => isBuiltin(specifier))
    .map(({ specifier, node }) => `${place(file, node)} imports ${specifier}: ${why}`)
  walk(parse(file), (node, parent, key) => {
    const name = node['name']
    if (node.type !== 'Identifier' || typeof name !== 'string' || isPropertyName(parent, key)) return
    const isMathRandom =
      name === 'Math' && /^Math\s*(?:\?\.|\.|\[)\s*['"]?random/.test(file.text.slice(node.start))
    const isDestructured = name === 'Math' && parent?.type === 'VariableDeclarator'
    if (clockAndChance.has(name)) found.push(`${place(file, node)} mentions ${name}: ${why}`)
    if (isMathRandom || isDestructured) found.push(`${place(file, node)} mentions Math.random: ${why}`)
  })
  return found
}

/** A `Date` of a given instant reads no clock. */
const clockReads = /\bDate\.now\b|\bDate\(\)|\bnew Date\b(?!\()|\bperformance\b|\bhrtime\b|\buptime\(/

function processViolations(file: SourceFile): string[] {
  const why = 'only composition roots read the environment and end the process'
  const found = importsOf(file)
    .filter(({ specifier }) => /^(?:node:)?process$/.test(specifier))
    .map(({ specifier, node }) => `${place(file, node)} imports ${specifier}: ${why}`)
  walk(parse(file), (node, parent, key) => {
    if (node.type !== 'Identifier' || node['name'] !== 'process' || isPropertyName(parent, key)) return
    const isDestructured = parent?.type === 'VariableDeclarator' && key === 'init'
    const touches = /^process\s*(?:\?\.|\.|\[)\s*\[?['"]?(?:env|argv|exit|exitCode)\b/
    const [touched] = touches.exec(file.text.slice(node.start)) ?? []
    if (isDestructured) found.push(`${place(file, node)} destructures process: ${why}`)
    if (touched !== undefined) found.push(`${place(file, node)} touches ${touched}: ${why}`)
  })
  return found
}

/** Exports of `node:fs` that open a file by its path. */
const opensFiles =
  /^(?:\*|default|promises|open|(?:read|write|append|truncate|copy|cp)(?:File)?|create\w+Stream|openAsBlob)(?:Sync)?$/
/** Exports that take an open file. */
const takesOpenFile = new Set(['read', 'readSync', 'write', 'writeSync'])

const fileViolations = (file: SourceFile): string[] =>
  importedNames(file)
    .filter(({ specifier }) => /^(?:node:)?fs(?:\/promises)?$/.test(specifier))
    .flatMap(({ names }) => Array.from(names))
    .filter((name) => opensFiles.test(name) && !takesOpenFile.has(name))
    .map(
      (name) => `${file.path} imports ${name}: src/files opens files without waiting, and reads with a bound`,
    )

checkRules([
  {
    name: 'src/process/clock.ts alone reads the clocks of the process',
    covers: (path) => isSource(path) && path !== 'src/process/clock.ts',
    violations: linesWith(clockReads),
    example: {
      path: 'src/http/a.ts',
      text: 'export const ageMs = (sinceMs: number) => Date.now() - sinceMs\n',
    },
  },
  {
    name: 'src/files alone opens files',
    covers: (path) => isSource(path) && partOf(path) !== 'files',
    violations: fileViolations,
    example: { path: 'src/http/a.ts', text: "import { readFileSync, statSync } from 'node:fs'\n" },
  },
  {
    name: 'the simulation reads neither clock, random source nor machine',
    covers: (path) => isSource(path) && partOf(path) === 'world/simulation',
    violations: purityViolations,
    example: { path: 'src/world/simulation/a.ts', text: 'export const roll = () => Math.random()\n' },
  },
  {
    name: 'only composition roots touch the process',
    covers: (path) => isSource(path) && !mayTouchProcess(path),
    violations: processViolations,
    example: { path: 'src/http/a.ts', text: "export const port = process.env['PORT']\n" },
  },
])
