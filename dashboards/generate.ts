/**
 * Writes every dashboard to dashboards/generated, and removes what no program writes any more.
 *
 *   npm run dashboards
 *   npm run dashboards -- --for-import FOLDER   writes them to a folder, so that an import asks for the data source
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { generatedDashboards, importableDashboards } from './all.ts'

function write(folder: URL, files: ReadonlyMap<string, string>): void {
  for (const [name, text] of files) writeFileSync(new URL(name, folder), text)
}

const [flag, place, ...others] = process.argv.slice(2)
if (flag === undefined) {
  const folder = new URL('generated/', import.meta.url)
  const files = generatedDashboards()
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(new URL(name, folder))
  write(folder, files)
} else if (flag === '--for-import' && place !== undefined && others.length === 0) {
  mkdirSync(place, { recursive: true })
  write(pathToFileURL(`${place}/`), importableDashboards())
} else {
  console.error(
    `npm run dashboards takes nothing or --for-import FOLDER, and got ${process.argv.slice(2).join(' ')}.`,
  )
  process.exitCode = 2
}
