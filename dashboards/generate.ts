import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { settingsFrom } from '../alerts/config-file.ts'
import { dashboardManifests, generatedDashboards, importableDashboards } from './all.ts'
import { listings } from './listings.ts'

const usage = `npm run dashboards -- [--config FILE] [--out FOLDER | --for-import FOLDER | --manifests FOLDER]

Writes every dashboard, and removes the files that it wrote earlier and does not write any more.
  --config FILE        JSON of \`npm run alerts\`, of which \`identity\` matters here, see docs/alerts.md
  --out FOLDER         where to, dashboards/generated where left out
  --for-import FOLDER  writes them to a folder in a form whose import asks for the data source
  --manifests FOLDER   writes them to a folder as manifests for Git Sync and gcx
`

function write(folder: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder))
    if (/^dcsim-[a-z]+\.json$/.test(name) && !files.has(name)) rmSync(join(folder, name))
  for (const [name, text] of files) writeFileSync(join(folder, name), text)
  process.stdout.write(`Wrote ${files.size} files to ${folder}.\n`)
}

const options = {
  config: { type: 'string' },
  out: { type: 'string' },
  'for-import': { type: 'string' },
  manifests: { type: 'string' },
  help: { type: 'boolean' },
} as const

try {
  const { values } = parseArgs({ options })
  const { out, 'for-import': forImport, manifests } = values
  const folders = Object.entries({ out, 'for-import': forImport, manifests }).filter(
    ([, folder]) => folder !== undefined,
  )
  if (folders.length > 1)
    throw new Error(
      `${folders.map(([name]) => `--${name}`).join(' and ')} were given, one of them was expected.`,
    )
  if (values.help === true) process.stdout.write(usage)
  else {
    const { identity } = settingsFrom(values.config)
    if (forImport !== undefined) write(forImport, importableDashboards(identity))
    else if (manifests !== undefined) write(manifests, dashboardManifests(identity))
    else {
      write(out ?? join(import.meta.dirname, 'generated'), generatedDashboards(identity))
      if (out === undefined)
        for (const [path, text] of listings()) writeFileSync(join(import.meta.dirname, '..', path), text)
    }
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n--help shows the usage.\n`)
  process.exitCode = 2
}
