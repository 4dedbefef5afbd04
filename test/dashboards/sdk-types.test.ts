import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { committedFiles } from './dashboard-json.ts'

/**
 * The SDK's package has no JSON schema, but type declarations of the same definitions. The compiler checks each file
 * against them: unknown fields, missing ones, wrong types, unknown words.
 */
const project = join(import.meta.dirname, '../../')
const folder = mkdtempSync(join(project, 'node_modules/.dashboards-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The compiler's errors in dashboards, one line each. */
function complaints(files: ReadonlyMap<string, string>): string[] {
  const sources = [...files].map(([name, text]) => {
    const path = join(folder, name.replace(/json$/, 'mts'))
    const declared = join(project, 'test/dashboards/declared-file.ts')
    writeFileSync(
      path,
      `import type { DashboardFile } from '${declared}'\nexport const file: DashboardFile = ${text}`,
    )
    return path
  })
  const configuration = join(folder, 'tsconfig.json')
  const extending = { extends: join(project, 'tsconfig.json'), include: [], files: sources }
  writeFileSync(configuration, JSON.stringify(extending))
  const words = ['--pretty', 'false', '-p', configuration]
  const { stdout } = spawnSync(join(project, 'node_modules/.bin/tsc'), words, {
    cwd: folder,
    encoding: 'utf8',
  })
  return stdout.split('\n').filter((line) => /^\S.*error TS/.test(line))
}

test('every file conforms to the dashboard types of the SDK', () => {
  expect(complaints(committedFiles)).toStrictEqual([])
})

test('a word, a field or a kind of value that the SDK does not know is found', () => {
  const text = committedFiles.get('dcsim-session.json')!
  const broken = new Map([
    ['word.json', text.replace('"graphMode": "none"', '"graphMode": "curve"')],
    ['field.json', text.replace('"gridPos"', '"gridPosition"')],
    ['kind.json', text.replace('"schemaVersion": 42', '"schemaVersion": "42"')],
  ])
  const found = complaints(broken).map((line) => /(\w+)\.mts\(/.exec(line)?.[1] ?? line)
  expect(found.toSorted()).toStrictEqual(['field', 'kind', 'word'])
})
