import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { irregularTypeAt } from '../../files/regular-file.ts'
import { OptionError } from '../../options/parse-options.ts'
import { sourceKindOf } from '../../sources/registry.ts'
import type { WorldFiles } from '../select-source.ts'

/**
 * Refuses a path that cannot be written before the command starts: the file may be needed only much later. An empty
 * path means no file.
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

/** Checks the files of a built-in world. Other sources have no such files. */
export function checkWorldFiles({ options, origins }: WorldCommand): void {
  if (sourceKindOf(options.source) !== 'simulation') return
  checkFile(origins.actions, options.actions ?? '')
  const { cache = '' } = options
  if (existsSync(cache) && !statSync(cache).isDirectory())
    throw new OptionError(`${origins.cache}: ${cache} is not a directory, expected one, or none`)
}
