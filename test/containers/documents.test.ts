import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { hasTool } from '../fixtures/tools.ts'
import { fileText, root } from './stack-file.ts'

interface Snippet {
  /** The file name in the first line of the block. */
  readonly file: string
  readonly text: string
}

const snippetsOf = (path: string): Snippet[] =>
  [...fileText(path).matchAll(/^```yaml\n# (\S+)\n([^]*?)^```$/gm)].map(([, file, text]) => ({ file, text }))

const monitoring = snippetsOf('docs/existing-monitoring.md')
const longTerm = [...snippetsOf('docs/shared-stores.md'), ...snippetsOf('docs/long-term.md')].filter(
  ({ file }) => file === 'prometheus.yml',
)

/** Errors of promtool for a configuration with the files that the documents name; empty for a valid one. */
function complaints(configuration: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(new URL('alerts/generated/', root), join(folder, 'rules'), { recursive: true })
  for (const { file, text } of monitoring.filter((snippet) => snippet.file.includes('/'))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  writeFileSync(join(folder, 'prometheus.yml'), configuration)
  const { status, stdout, stderr } = spawnSync(
    'promtool',
    ['check', 'config', join(folder, 'prometheus.yml')],
    { encoding: 'utf8' },
  )
  return status === 0 ? '' : stdout + stderr
}

const configurations = [...monitoring, ...longTerm].filter(({ file }) => file === 'prometheus.yml')

test('the documents have snippets to check', () => {
  expect(configurations).toHaveLength(8)
  expect(monitoring.map(({ file }) => file)).toContain('sessions/evening.yml')
})

describe.skipIf(!hasTool('promtool'))('promtool (skipped where there is none)', () => {
  test.each(configurations)('accepts the configuration in the documents: $text', ({ text }) => {
    expect(complaints(text)).toBe('')
  })

  test.each(longTerm)("... also behind the stack's own configuration", ({ text }) => {
    const own = parse(fileText('alerts/prometheus.yml')) as { global: object }
    const added = parse(text) as { global?: object }
    const both = { ...own, ...added, global: { ...own.global, ...added.global } }
    expect(complaints(JSON.stringify(both))).toBe('')
  })

  test('an invalid configuration is reported', () => {
    expect(complaints('scrape_configs: [{ job: dcsim }]')).toContain('job')
  })
})

test('every dashboard of the past that the last snippet keeps is kept', () => {
  const dropped = /regex: (.+)/.exec(longTerm.at(-1)!.text)![1]
  const trends = fileText('dashboards/generated/dcsim-trends.json')
  const queriedNames = [...trends.matchAll(/dcsim_\w+/g)].map(([name]) => name)
  expect(queriedNames.length).toBeGreaterThan(5)
  expect(queriedNames.filter((name) => new RegExp(`^${dropped}$`).test(name))).toStrictEqual([])
})

describe.skipIf(!hasTool('systemd-analyze'))('systemd-analyze (skipped where there is none)', () => {
  const [, unit] = /^```ini\n# \S+\n([^]*?)^```$/m.exec(fileText('docs/existing-monitoring.md'))!
  const checkout = join(import.meta.dirname, '../..')

  test.each([
    ['finds nothing wrong with the service', unit, 0],
    ['finds what is wrong with one', unit.replace('MemoryMax=1G', 'MemoryMax=much'), 1],
  ])('%s', (_, text, complaintCount) => {
    const folder = mkdtempSync(join(tmpdir(), 'documents-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'dcsim-mirror.service')
    writeFileSync(file, text.replaceAll('/opt/dcsim-mirror', checkout))
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
      encoding: 'utf8',
    })
    const about = (stdout + stderr).split('\n').filter((line) => line.includes('dcsim-mirror.service'))
    expect(about).toHaveLength(complaintCount)
  })
})
