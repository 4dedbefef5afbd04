import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readSettings } from './config.ts'
import { generatedFiles } from './render.ts'
import { defaultSettings } from './settings.ts'
import type { Settings } from './settings.ts'

const usage = `npm run alerts -- [--config FILE] [--out FOLDER]

Writes the alert rules for Prometheus and the manifest for its operator.
  --config FILE   JSON with what differs from the defaults, see alerts/README.md
  --out FOLDER    where to, alerts/generated where left out
`

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a folder',
    }
    throw new Error(`--config: cannot read ${file}: ${reasons[code ?? ''] ?? message}.`, { cause: error })
  }
}

function settingsFrom(file: string | undefined): Settings {
  if (file === undefined) return defaultSettings
  const reading = readSettings(textOf(file))
  if ('settings' in reading) return reading.settings
  throw new Error(reading.problems.map((problem) => `${file}: ${problem}`).join('\n'))
}

function write(folder: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(folder, { recursive: true })
  // Rules of a subject that was switched off altogether must not stay behind.
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
    write(values.out ?? join(import.meta.dirname, 'generated'), files)
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  process.exitCode = 2
}
