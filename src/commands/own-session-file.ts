import { resolve } from 'node:path'
import { fillWords } from '../store/archive/word-index.ts'
import { RecordingError } from '../store/recording/recording-error.ts'
import { FileHeldError } from '../store/owner-lock.ts'
import { ForeignFileError, ownSessionFile } from '../store/session-file.ts'
import type { OwnedFile } from '../store/session-file.ts'
import type { Logger } from '../command-line/logger.ts'

/** Takes a file for a command that is of no use without it. Throws a `RecordingError` if it cannot be used. */
export function ownForWriting(file: string, log: Logger): OwnedFile & { readonly path: string } {
  let owned
  try {
    owned = ownSessionFile(resolve(file), fillWords)
  } catch (error) {
    if (error instanceof ForeignFileError) throw new RecordingError(`${error.message}.`)
    throw error instanceof FileHeldError ? new RecordingError(error.message) : error
  }
  const { path, problem } = owned
  if (path === null) throw new RecordingError(problem!)
  if (problem !== null) log.error(problem)
  return { ...owned, path }
}
