import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const copied = [
  'src deploy test alerts dashboards docs README.md package.json tsconfig.json vitest.config.ts',
  '.gitignore',
].flatMap((line) => line.split(' '))
const outputBytesMax = 1 << 26

interface TestReport {
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
    }[]
  }[]
}

/** A copy of the project that a test changes as a contributor would. */
export class WorkingCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'dcsim-copy-'))

  constructor() {
    for (const name of copied) cpSync(join(root, name), join(this.folder, name), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'))
    spawnSync('git', ['init', '--quiet'], { cwd: this.folder })
    // Here it is a link, which the pattern for a folder in .gitignore does not match.
    this.write('.git/info/exclude', 'node_modules\nreport.json\n')
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8')
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text)
  }

  /** Replaces the only match of a pattern. */
  edit(path: string, pattern: RegExp, replacement: string): void {
    const text = this.read(path)
    const { length } = [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))]
    if (length !== 1) throw new Error(`${path}: ${pattern} matches ${length} times, expected once`)
    this.write(path, text.replace(pattern, replacement))
  }

  /** Runs a Node program and returns its output. */
  run(...words: readonly string[]): string {
    // A nested run of Vitest must not inherit this one's variables.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^VITEST|^TEST$/.test(name)),
    )
    const options = { cwd: this.folder, encoding: 'utf8', env, maxBuffer: outputBytesMax } as const
    const { stdout, stderr } = spawnSync(process.execPath, words, options)
    return `${stdout}${stderr}`
  }

  /** The errors of the type check by file. */
  typeErrors(): Record<string, string[]> {
    const flags = ['--noEmit', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', 'types.tsbuildinfo']
    const lines = this.run('node_modules/typescript/bin/tsc', ...flags).split('\n')
    const errors: Record<string, string[]> = {}
    for (const line of lines) {
      const [, path, message] = /^([^ (]+)\([\d,]+\): (.*)/.exec(line) ?? []
      if (path !== undefined) (errors[path] ??= []).push(message)
    }
    return errors
  }

  /** Runs test files: returns the number of passing tests, the names of failing ones, and the output. */
  test(...files: readonly string[]): { passed: number; failed: string[]; printed: string } {
    const flags = ['--reporter=default', '--reporter=json', '--outputFile.json=report.json']
    const printed = this.run('node_modules/vitest/vitest.mjs', 'run', ...flags, ...files)
    const report = JSON.parse(this.read('report.json')) as TestReport
    const broken = report.testResults.find(({ assertionResults: { length } }) => length === 0)
    if (broken !== undefined) throw new Error(broken.message)
    const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
    const namesOf = (wanted: string): string[] =>
      results.flatMap(({ status, fullName }) => (status === wanted ? [fullName] : [])).toSorted()
    return { passed: namesOf('passed').length, failed: namesOf('failed'), printed }
  }
}
