import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { irregularTypeAt } from '../../files/regular-file.ts'
import { OptionError } from '../../options/parse-options.ts'
import { sourceKindOf } from '../../sources/registry.ts'
import type { WorldFiles } from '../select-source.ts'

/**
 * Refuses an option that names a file which cannot be one, before anything else is done: such a file is often needed
 * only much later. An empty path is none.
 */
export function checkFile(origin: string, path: string, mayBeDirectory = false): void {
  if (path === '') return
  const directory = dirname(path)
  if (!existsSync(directory))
    throw new OptionError(`${origin}: there is no directory ${directory} for ${path}; create it first`)
  refuseIrregularFile(origin, path, mayBeDirectory)
}

export function refuseIrregularFile(origin: string, path: string, mayBeDirectory = false): void {
  const type = irregularTypeAt(path)
  if (type !== null && !(mayBeDirectory && type === 'a directory'))
    throw new OptionError(`${origin}: ${path} is ${type}, expected a regular file, or a new one`)
}

interface WorldCommand {
  readonly options: WorldFiles & { readonly source: string }
  readonly origins: Readonly<Record<string, string>>
}

/** Checks the files of a built-in world. Other sources use none of them. */
export function checkWorldFiles({ options, origins }: WorldCommand): void {
  if (sourceKindOf(options.source) !== 'simulation') return
  for (const name of ['state', 'actions', 'truth'] as const) checkFile(origins[name], options[name] ?? '')
}
