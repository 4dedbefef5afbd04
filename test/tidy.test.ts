import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

interface SourceFile {
  readonly path: string
  readonly text: string
}

interface AstNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

interface Rule {
  readonly name: string
  readonly covers: (path: string) => boolean
  readonly offences: (file: SourceFile) => string[]
  /** A file that breaks the rule: a rule that finds nothing in it has stopped working. */
  readonly breaker: SourceFile
}

const LONGEST_FUNCTION = 70
const LONGEST_FILE = 400

/** What each part of src may import besides itself. The folders stand in the order of the layers. */
const imports: Record<string, { readonly may: readonly string[]; readonly because: string }> = {
  contract: { may: [], because: 'the contract is what every other part agrees on, so it depends on none' },
  simulation: { may: ['contract'], because: 'the world must run without anyone watching it' },
  encoding: { may: ['contract'], because: 'bytes follow from the contract, whichever source filled it' },
  metrics: { may: ['contract'], because: 'series follow from the contract, whichever source filled it' },
  recording: {
    may: ['contract', 'encoding'],
    because: 'a recording keeps encoded frames, whoever made them and whoever will read them',
  },
  sources: {
    may: ['contract', 'simulation', 'encoding', 'metrics', 'recording'],
    because: 'a source turns a world into encoded records and series, and knows nobody who reads them',
  },
  mirror: {
    may: ['contract', 'encoding'],
    because: 'the mirror keeps what it is given and must not know which source gave it',
  },
  http: {
    may: ['contract', 'mirror', 'encoding', 'metrics'],
    because: 'requests are answered from the mirror alone and never reach a world',
  },
  options: { may: ['contract'], because: 'options are read before any part exists' },
  'own-version': { may: [], because: 'it reads what the package says of itself' },
  service: {
    may: ['contract', 'encoding', 'metrics', 'mirror', 'http'],
    because: 'it puts together what serves a mirror, wherever the frames come from',
  },
  library: {
    may: ['contract', 'encoding', 'metrics', 'sources', 'mirror', 'service', 'own-version'],
    because: 'it puts a mirror together inside another program, which brings the world',
  },
  commands: {
    may: [
      'contract',
      'simulation',
      'encoding',
      'metrics',
      'recording',
      'sources',
      'mirror',
      'http',
      'options',
      'service',
      'own-version',
    ],
    because: 'each puts its parts together, and only the picking of a command stands above it',
  },
  main: { may: ['commands', 'options'], because: 'it only picks the command' },
  'world-thread': {
    may: ['contract', 'simulation', 'encoding', 'metrics', 'recording', 'sources', 'mirror', 'options'],
    because: "it puts the worker's side together, and requests are served on the main thread only",
  },
  launch: { may: ['main'], because: 'it only picks the Node that runs the service' },
  'launch-hooks': { may: [], because: 'it is loaded before anything else can be' },
}

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

const isScript = (path: string): boolean => /\.[cm]?[jt]s$/.test(path)
const isSource = (path: string): boolean => path.startsWith('src/') && isScript(path)
const mayTouchProcess = (path: string): boolean =>
  /^src\/(?:main\.ts|commands\/[^/]+\.ts|world-thread\.ts|launch[^/]*\.js)$/.test(path)

const isNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** Visits every node with its parent and the parent's key it hangs on. */
function walk(node: AstNode, visit: (node: AstNode, parent?: AstNode, key?: string) => void): void {
  const descend = (current: AstNode, parent?: AstNode, parentKey?: string): void => {
    visit(current, parent, parentKey)
    for (const [key, value] of Object.entries(current)) {
      for (const child of [value].flat()) if (isNode(child)) descend(child, current, key)
    }
  }
  descend(node)
}

function parse(file: SourceFile): AstNode {
  const { program, errors } = parseSync(file.path, file.text)
  const [first] = errors
  if (first !== undefined) throw new Error(`${file.path} does not parse: ${first.message}`)
  return program as unknown as AstNode
}

const lineOf = (file: SourceFile, offset: number): number => file.text.slice(0, offset).split('\n').length
const place = (file: SourceFile, node: AstNode): string => `${file.path}:${lineOf(file, node.start)}`

function importsOf(file: SourceFile): { specifier: string; node: AstNode }[] {
  const found: { specifier: string; node: AstNode }[] = []
  walk(parse(file), (node) => {
    if (!/^(?:Import|ExportNamed|ExportAll)Declaration$|^ImportExpression$|^TSImportType$/.test(node.type)) {
      return
    }
    const { source } = node
    if (isNode(source) && typeof source['value'] === 'string') {
      found.push({ specifier: source['value'], node })
    }
  })
  return found
}

/** The part a path below src belongs to: its folder, or the file's own name at the top. */
const partOf = (path: string): string => path.split('/')[1]?.replace(/\.[jt]s$/, '') ?? ''

function importOffences(file: SourceFile): string[] {
  const part = partOf(file.path)
  const row = Object.hasOwn(imports, part) ? imports[part] : undefined
  if (row === undefined) return [`${file.path}: ${part} has no row in the table of imports`]
  return importsOf(file).flatMap(({ specifier, node }) => {
    if (!specifier.startsWith('.')) return []
    const target = posix.join(posix.dirname(file.path), specifier)
    const inside = target.startsWith('src/')
    const name = inside ? partOf(target) : target
    if (inside && (name === part || row.may.includes(name))) return []
    return [`${place(file, node)} imports ${specifier}: ${part} may not import ${name}, ${row.because}`]
  })
}

/** Whether an identifier is only the name of a property, such as `process` in `x.process`. */
const isPropertyName = (parent: AstNode | undefined, key: string | undefined): boolean =>
  parent !== undefined && (key === 'property' || key === 'key') && parent['computed'] !== true

function purityOffences(file: SourceFile): string[] {
  const why = 'the world must come out the same for the same seed'
  const offences = importsOf(file)
    .filter(({ specifier }) => isBuiltin(specifier))
    .map(({ specifier, node }) => `${place(file, node)} imports ${specifier}: ${why}`)
  walk(parse(file), (node, parent, key) => {
    const name = node['name']
    if (node.type !== 'Identifier' || typeof name !== 'string' || isPropertyName(parent, key)) return
    const isMathRandom =
      name === 'Math' && /^Math\s*(?:\?\.|\.|\[)\s*['"]?random/.test(file.text.slice(node.start))
    const takesMathApart = name === 'Math' && parent?.type === 'VariableDeclarator'
    if (clockAndChance.has(name)) offences.push(`${place(file, node)} mentions ${name}: ${why}`)
    if (isMathRandom || takesMathApart) offences.push(`${place(file, node)} mentions Math.random: ${why}`)
  })
  return offences
}

function processOffences(file: SourceFile): string[] {
  const why = 'the surroundings are read, and the process ended, where the service is put together'
  const offences = importsOf(file)
    .filter(({ specifier }) => /^(?:node:)?process$/.test(specifier))
    .map(({ specifier, node }) => `${place(file, node)} imports ${specifier}: ${why}`)
  walk(parse(file), (node, parent, key) => {
    if (node.type !== 'Identifier' || node['name'] !== 'process' || isPropertyName(parent, key)) return
    const takesApart = parent?.type === 'VariableDeclarator' && key === 'init'
    const touches = /^process\s*(?:\?\.|\.|\[)\s*\[?['"]?(?:env|argv|exit|exitCode)\b/
    const [touched] = touches.exec(file.text.slice(node.start)) ?? []
    if (takesApart) offences.push(`${place(file, node)} takes process apart: ${why}`)
    if (touched !== undefined) offences.push(`${place(file, node)} touches ${touched}: ${why}`)
  })
  return offences
}

function longFunctions(file: SourceFile): string[] {
  const offences: string[] = []
  walk(parse(file), (node, parent) => {
    if (!/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return
    // The callback of a describe is a chapter of tests, each of which is measured itself.
    if (parent?.type === 'CallExpression' && /^describe\b/.test(file.text.slice(parent.start))) return
    const lines = lineOf(file, node.end) - lineOf(file, node.start) + 1
    if (lines > LONGEST_FUNCTION) offences.push(`${place(file, node)}: a function of ${lines} lines`)
  })
  return offences
}

function longFile(file: SourceFile): string[] {
  const lines = file.text.replace(/\n$/, '').split('\n').length
  return lines > LONGEST_FILE ? [`${file.path}: ${lines} lines`] : []
}

/** Every line that holds the pattern. */
const linesWith =
  (pattern: RegExp) =>
  (file: SourceFile): string[] =>
    file.text
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : []))

const vagueName = /^(?:utils?|helpers?|managers?|data|misc)$/i

const rules: readonly Rule[] = [
  {
    name: 'each part imports only the parts below it',
    covers: isSource,
    offences: importOffences,
    breaker: { path: 'src/mirror/a.ts', text: "import type { Tick } from '../simulation/tick.ts'\n" },
  },
  {
    name: 'the simulation asks neither clock, chance nor machine',
    covers: (path) => isSource(path) && partOf(path) === 'simulation',
    offences: purityOffences,
    breaker: { path: 'src/simulation/a.ts', text: 'export const roll = () => Math.random()\n' },
  },
  {
    name: 'only the files that put the service together touch the process',
    covers: (path) => isSource(path) && !mayTouchProcess(path),
    offences: processOffences,
    breaker: { path: 'src/http/a.ts', text: "export const port = process.env['PORT']\n" },
  },
  {
    name: `a function has at most ${LONGEST_FUNCTION} lines`,
    covers: isScript,
    offences: longFunctions,
    breaker: { path: 'src/http/a.ts', text: `export const f = () => {${'\n'.repeat(LONGEST_FUNCTION)}}\n` },
  },
  {
    name: `a file in src has at most ${LONGEST_FILE} lines`,
    covers: (path) => path.startsWith('src/'),
    offences: longFile,
    breaker: { path: 'src/http/a.ts', text: '\n'.repeat(LONGEST_FILE + 1) },
  },
  {
    name: 'no note of work left to do',
    // The digests in the lock file can spell anything.
    covers: (path) => path !== 'package-lock.json',
    offences: linesWith(/\b(?:TO(?:DO)|FIX(?:ME)|X{3}|HA(?:CK))\b/),
    breaker: { path: 'a.md', text: ['TO', 'DO: finish'].join('') },
  },
  {
    name: 'no path of one particular machine',
    covers: (path) => path !== 'package-lock.json',
    offences: linesWith(/(?<![\w.:@}*-])\/(?:work|root|home)\//),
    breaker: { path: 'a.md', text: ['See ', 'home', 'someone'].join('/') },
  },
  {
    name: 'names say what is inside',
    covers: () => true,
    offences: ({ path }) =>
      path.split('/').some((segment) => vagueName.test(segment.split('.')[0] ?? '')) ? [path] : [],
    breaker: { path: 'src/http/helpers.ts', text: '' },
  },
]

/** Tracked files and those about to be, as long as they are text. */
function repositoryFiles(): SourceFile[] {
  // A container often runs as another user than the checkout's owner, which git refuses by itself.
  const git = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', git, { encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0')
  return [...new Set(paths)]
    .filter((path) => path !== '' && existsSync(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    .filter(({ text }) => !text.includes('\0'))
}

const files = repositoryFiles()

test.each(rules)('$name', ({ covers, offences }) => {
  const found = files.filter(({ path }) => covers(path)).flatMap(offences)
  expect(found, `\n${found.join('\n')}\n`).toHaveLength(0)
})

test.each(rules)('finds a file that breaks: $name', ({ covers, offences, breaker }) => {
  expect(covers(breaker.path)).toBe(true)
  expect(offences(breaker)).toHaveLength(1)
})
