import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { TruthFile } from '../../../src/sources/built-in/truth-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'truth-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a truth that cannot be written is said once, with the directory that is missing', () => {
  const problems: string[] = []
  const path = join(folder, 'missing', 'truth.jsonl')
  const file = new TruthFile({ path, worldId: 'w', onProblem: (message) => problems.push(message) })
  file.writeOpen([])
  file.writeOpen([])
  expect(problems).toStrictEqual([
    `Cannot write the truth to ${path}: there is no directory ${join(folder, 'missing')}.`,
  ])
})

test('a truth that cannot be written is said before any fault', () => {
  const problems: string[] = []
  const file = new TruthFile({ path: folder, worldId: 'w', onProblem: (message) => problems.push(message) })
  expect(file).toBeInstanceOf(TruthFile)
  expect(problems).toStrictEqual([`Cannot write the truth to ${folder}: is a directory.`])
})

test('a truth that can be written is no problem', () => {
  const problems: string[] = []
  const path = join(folder, 'truth.jsonl')
  new TruthFile({ path, worldId: 'w', onProblem: (message) => problems.push(message) }).writeOpen([])
  expect(problems).toStrictEqual([])
  expect(readFileSync(path, 'utf8')).toBe('')
})

test('a truth file that has become a pipe is said to be one', () => {
  const problems: string[] = []
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const file = new TruthFile({ path, worldId: 'w', onProblem: (message) => problems.push(message) })
  file.writeOpen([])
  expect(problems).toStrictEqual([`Cannot write the truth to ${path}: is a named pipe.`])
})
