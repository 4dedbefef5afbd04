import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandLine } from '../fixtures/command-line.ts'
import { committedFiles, panelsOf } from './dashboard-json.ts'
import type { DashboardJson } from './dashboard-json.ts'
import { pageText, panelText } from './panel-text.ts'

const usage = `npm run node test/dashboards/changes.ts -- [COMMIT]

Prints how the dashboards in dashboards/generated differ from those of a commit, HEAD where left out: panels in words, with their formulas.`

const { positionals } = commandLine(usage, { options: {}, allowPositionals: true, strict: true })
const commit = positionals[0] ?? 'HEAD'

function textOf(json: string): string {
  const dashboard = JSON.parse(json) as DashboardJson
  // The line that says what a page answers is text.
  return `${[pageText(dashboard), ...panelsOf(dashboard).slice(1).map(panelText)].join('\n\n')}\n`
}

const isThere = (path: string): boolean =>
  execFileSync('git', ['ls-tree', '--name-only', commit, path], { encoding: 'utf8' }) !== ''

const folder = mkdtempSync(join(tmpdir(), 'dcsim-dashboards-'))
try {
  for (const side of ['before', 'after']) mkdirSync(join(folder, side))
  for (const [name, json] of committedFiles) {
    const path = `dashboards/generated/${name}`
    const before = isThere(path)
      ? execFileSync('git', ['show', `${commit}:${path}`], { encoding: 'utf8' })
      : null
    if (before !== null) writeFileSync(join(folder, 'before', name), textOf(before))
    writeFileSync(join(folder, 'after', name), textOf(json))
  }
  spawnSync('git', ['diff', '--no-index', 'before', 'after'], { cwd: folder, stdio: 'inherit' })
} finally {
  rmSync(folder, { recursive: true })
}
