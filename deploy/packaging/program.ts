/** The program as it is packed: compiled, with a world at the end of its warm-up. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** Runs a script of Node in the checkout, and ends this process if it fails. */
export function runNode(words: readonly string[], node = process.execPath): void {
  const { status, error } = spawnSync(node, words, { cwd: root, stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** Compiles the sources into a folder. */
export const compile = (folder: string): void =>
  runNode(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.package.json', '--outDir', folder])

/** Keeps the world of a first start in a folder. */
export const firstStart = (folder: string, words: readonly string[]): void =>
  runNode(['deploy/packaging/first-start.ts', folder, process.execPath, ...words])
