import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { OptionError } from '../../options/parse-options.ts'
import { sourceKindOf } from '../../sources/registry.ts'
import type { WorldFiles } from '../select-source.ts'

/**
 * Refuses an option that names a file in a directory that does not exist, before anything else is done: such a file is
 * often needed only much later. An empty path is none.
 */
export function refuseMissingDirectory(origin: string, path: string): void {
  const directory = dirname(path)
  if (path !== '' && !existsSync(directory))
    throw new OptionError(`${origin}: there is no directory ${directory} for ${path}; create it first`)
}

interface WorldCommand {
  readonly options: WorldFiles & { readonly source: string }
  readonly origins: Readonly<Record<string, string>>
}

/** Does so for the files of a built-in world. Other sources use none of them. */
export function refuseMissingWorldDirectories({ options, origins }: WorldCommand): void {
  if (sourceKindOf(options.source) !== 'simulation') return
  for (const name of ['state', 'actions', 'truth'] as const)
    refuseMissingDirectory(origins[name], options[name] ?? '')
}
