import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { settingsFrom } from './config-file.ts'
import { generatedFiles } from './render.ts'
import { sections, withSection } from './notifications/sections.ts'

const usage = `npm run alerts -- [--config FILE] [--out FOLDER]

Writes the alert rules for Prometheus, the manifest for its operator, routes and inhibition for Alertmanager, and the
lists of channels in docker-compose.yml, .env.example and docs/alerts.md.
  --config FILE   JSON with what differs from the defaults, see docs/alerts.md
  --out FOLDER    where to, alerts/generated where left out
`

function write(folder: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(folder, { recursive: true })
  // Files of subjects without enabled rules must not remain.
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.rules.yaml') && !files.has(name)) rmSync(join(folder, name))
  }
  for (const [name, text] of files) writeFileSync(join(folder, name), text)
}

try {
  const { values } = parseArgs({
    options: { config: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean' } },
  })
  if (values.help === true) process.stdout.write(usage)
  else {
    const files = generatedFiles(settingsFrom(values.config))
    const folder = values.out ?? join(import.meta.dirname, 'generated')
    write(folder, files)
    process.stdout.write(`Wrote ${files.size} files to ${folder}.\n`)
    if (values.out === undefined)
      for (const path of Object.keys(sections)) {
        const file = join(import.meta.dirname, '..', path)
        writeFileSync(file, withSection(path, readFileSync(file, 'utf8')))
      }
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n--help shows the usage.\n`)
  process.exitCode = 2
}
