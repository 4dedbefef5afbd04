import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { generatedDashboards } from './all.ts'

/** Writes every dashboard to dashboards/generated, and removes what no program writes any more. */
const folder = new URL('generated/', import.meta.url)
const files = generatedDashboards()
for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(new URL(name, folder))
for (const [name, text] of files) writeFileSync(new URL(name, folder), text)
