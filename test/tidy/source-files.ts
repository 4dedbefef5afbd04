import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

export interface SourceFile {
  readonly path: string
  readonly text: string
}

export interface AstNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

interface Rule {
  readonly name: string
  readonly covers: (path: string) => boolean
  readonly violations: (file: SourceFile) => string[]
  /** A file that violates the rule: the rule must report it. */
  readonly example: SourceFile
}

/** The target of a symbolic link is a file of its own. */
const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Tracked files and untracked ones that are not ignored, as long as they are text. */
function repositoryFiles(): SourceFile[] {
  // A container often runs as another user than the checkout's owner, which git refuses by default.
  const git = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', git, { encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0')
  return [...new Set(paths)]
    .filter((path) => path !== '' && isFile(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    .filter(({ text }) => !text.includes('\0'))
}

export const files = repositoryFiles()

/** One test per rule for all files, and one that the rule reports its example. */
export function checkRules(rules: readonly Rule[]): void {
  test.each(rules)('$name', ({ covers, violations }) => {
    expect(files.filter(({ path }) => covers(path)).flatMap(violations)).toEqual([])
  })

  test.each(rules)('finds a file that breaks: $name', ({ covers, violations, example }) => {
    expect(covers(example.path)).toBe(true)
    expect(violations(example)).toHaveLength(1)
  })
}

export const isScript = (path: string): boolean => /\.[cm]?[jt]s$/.test(path)
export const isSource = (path: string): boolean => path.startsWith('src/') && isScript(path)

/** Programs beside src, which import from it. */
const programs = /^(?:alerts|dashboards|deploy|promql)\//
export const isProgram = (path: string): boolean => programs.test(path) && isScript(path)

/** The part of a path: below src its folder, or the file's own name at the top, some divided further; or a program. */
export const partOf = (path: string): string =>
  /^src\/((?:world|practice|store|tables)\/[^/.]+(?=\/)|[^/.]+)/.exec(path)?.[1] ??
  programs.exec(path)?.[0].slice(0, -1) ??
  ''

const isNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** Visits every node with its parent and the parent's key for it. */
export function walk(node: AstNode, visit: (node: AstNode, parent?: AstNode, key?: string) => void): void {
  const descend = (current: AstNode, parent?: AstNode, parentKey?: string): void => {
    visit(current, parent, parentKey)
    for (const key of Object.keys(current)) {
      const value = current[key]
      if (isNode(value)) descend(value, current, key)
      else if (Array.isArray(value))
        for (const child of value) if (isNode(child)) descend(child, current, key)
    }
  }
  descend(node)
}

const parsed = new WeakMap<SourceFile, AstNode>()

export function parse(file: SourceFile): AstNode {
  const known = parsed.get(file)
  if (known !== undefined) return known
  const { program, errors } = parseSync(file.path, file.text)
  const [first] = errors
  if (first !== undefined) throw new Error(`${file.path} does not parse: ${first.message}`)
  const root = program as unknown as AstNode
  parsed.set(file, root)
  return root
}

export const lineOf = (file: SourceFile, offset: number): number =>
  file.text.slice(0, offset).split('\n').length
export const place = (file: SourceFile, node: AstNode): string => `${file.path}:${lineOf(file, node.start)}`

interface Import {
  readonly specifier: string
  readonly node: AstNode
}

const imports = new WeakMap<SourceFile, readonly Import[]>()

export function importsOf(file: SourceFile): readonly Import[] {
  const known = imports.get(file)
  if (known !== undefined) return known
  const found: Import[] = []
  const look = (node: AstNode): void => {
    if (!/^(?:Import|ExportNamed|ExportAll)Declaration$|^ImportExpression$|^TSImportType$/.test(node.type))
      return
    const { source } = node
    if (isNode(source) && typeof source['value'] === 'string')
      found.push({ specifier: source['value'], node })
  }
  const root = parse(file)
  // All other imports are statements of the file.
  if (file.text.includes('import(')) walk(root, look)
  else for (const statement of root['body'] as readonly AstNode[]) look(statement)
  imports.set(file, found)
  return found
}

/** Every line that matches the pattern. */
export const linesWith =
  (pattern: RegExp) =>
  (file: SourceFile): string[] =>
    file.text
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : []))

/** The names that a file exports, declared in it. */
export function exportedNames(file: SourceFile): string[] {
  const statements = parse(file)['body'] as readonly AstNode[]
  return statements.flatMap(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || !isNode(declaration)) return []
    const declarators = (declaration['declarations'] ?? [declaration]) as readonly AstNode[]
    return declarators.flatMap(({ id }) => (id as { readonly name?: string } | null)?.name ?? [])
  })
}

/** The names that a file imports from others; `*` is every name. */
export function importedNames(file: SourceFile): { specifier: string; names: Set<string> }[] {
  return importsOf(file).map(({ specifier, node }) => {
    const specifiers = (node['specifiers'] ?? []) as readonly AstNode[]
    const names = specifiers.map(
      (one) => ((one['imported'] ?? one['local']) as { readonly name: string }).name,
    )
    const isWhole =
      specifiers.length === 0 || specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier')
    return { specifier, names: new Set(isWhole ? ['*'] : names) }
  })
}
