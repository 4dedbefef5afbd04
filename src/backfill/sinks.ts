import { closeSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openRegularFile, writeAll } from '../files/regular-file.ts'
import type { BackfillSink } from './writer.ts'

/** A file that appears under its name, replacing an earlier file, only once it is complete. */
class AtomicFile {
  readonly #path: string
  readonly #unfinishedPath: string
  readonly #file: number

  constructor(path: string) {
    this.#path = path
    this.#unfinishedPath = `${path}.unfinished`
    this.#file = openRegularFile(this.#unfinishedPath, 'replace')
  }

  write(bytes: Uint8Array): void {
    writeAll(this.#file, bytes)
  }

  commit(): void {
    closeSync(this.#file)
    renameSync(this.#unfinishedPath, this.#path)
  }

  discard(): void {
    closeSync(this.#file)
    rmSync(this.#unfinishedPath, { force: true })
  }
}

/** Writes each text to a file. */
class BackfillFiles implements BackfillSink {
  readonly isSplitByBlock: boolean
  readonly #pathOf: (firstSeconds: number) => string
  #file: AtomicFile | null

  constructor(
    isSplitByBlock: boolean,
    pathOf: (firstSeconds: number) => string,
    openFile: AtomicFile | null = null,
  ) {
    this.isSplitByBlock = isSplitByBlock
    this.#pathOf = pathOf
    this.#file = openFile
  }

  open(firstSeconds: number): void {
    this.#file ??= new AtomicFile(this.#pathOf(firstSeconds))
  }

  write(bytes: Uint8Array): void {
    this.#file!.write(bytes)
  }

  close(): void {
    this.#file!.commit()
    this.#file = null
  }

  discard(): void {
    this.#file?.discard()
    this.#file = null
  }
}

/** One file for each block of Prometheus, named by the second of its first sample. */
function createDirectorySink(directory: string): BackfillSink {
  mkdirSync(directory, { recursive: true })
  const existing = readdirSync(directory).find((name) => name.endsWith('.om'))
  if (existing === undefined) return new BackfillFiles(true, (seconds) => join(directory, `${seconds}.om`))
  throw new Error(
    `it already contains a backfill (${existing}), and two would overlap. ` +
      `To replace it, remove it first: rm ${join(directory, '*.om')}`,
  )
}

/** The file is opened at once, so that an unwritable path is noticed before the world is simulated. */
const createFileSink = (path: string): BackfillSink =>
  new BackfillFiles(false, () => path, new AtomicFile(path))

/** `out` is a directory (a new one ends with a slash), or a file. */
export function createBackfillSink(out: string): BackfillSink {
  const stat = statSync(out, { throwIfNoEntry: false })
  if (out.endsWith('/') || stat?.isDirectory()) return createDirectorySink(out)
  // If `out` is a symbolic link, its target is replaced.
  return createFileSink(stat === undefined ? out : realpathSync(out))
}
