import { closeSync, fstatSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import type { RecordedBytes } from './blocks.ts'
import { RecordingError } from './frame-cursor.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be opened by this user',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of its path is no folder',
  EROFS: 'that disk may only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: "this user's share of the disk is full",
  EFBIG: 'the file would become too large',
  EIO: 'the disk failed',
}

/** Why the system would not do it, in words. */
export function systemReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return reasons[code ?? ''] ?? message
}

const creationReasons: Readonly<Record<string, string>> = {
  EEXIST: 'it is there already. Name another one, or add to it with --append yes',
  ENOENT: 'there is no such folder',
}

/** The bytes of a file as they were when it was opened. */
export class FileBytes implements RecordedBytes {
  readonly size: number
  readonly #file: number

  constructor(path: string) {
    try {
      this.#file = openSync(path, 'r')
      const stat = fstatSync(this.#file)
      if (!stat.isFile()) throw new RangeError('it is no file')
      this.size = stat.size
    } catch (error) {
      throw new RecordingError(`Cannot read ${path}: ${systemReason(error)}.`)
    }
  }

  read(into: Uint8Array, at: number): void {
    let done = 0
    while (done < into.length) {
      const count = readSync(this.#file, into, done, into.length - done, at + done)
      if (count === 0) throw new RecordingError(`The file ended at byte ${at + done} while it was read.`)
      done += count
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}

function createFile(path: string): number {
  try {
    return openSync(path, 'wx')
  } catch (error) {
    const why = creationReasons[(error as NodeJS.ErrnoException).code ?? ''] ?? systemReason(error)
    throw new RecordingError(`Cannot record to ${path}: ${why}.`)
  }
}

/** A file that only grows, by whole pieces. */
export class GrowingFile {
  readonly #path: string
  readonly #isNew: boolean
  /** Null until a new file has its first piece. */
  #file: number | null
  size: number

  private constructor(path: string, file: number | null, size: number) {
    this.#path = path
    this.#isNew = file === null
    this.#file = file
    this.size = size
  }

  /** A file that comes into being with its first piece. Whether it can is found out at once. */
  static create(path: string): GrowingFile {
    closeSync(createFile(path))
    unlinkSync(path)
    return new GrowingFile(path, null, 0)
  }

  /** Goes on behind the first bytes of a file. What came after them is cut off. */
  static goOn(path: string, size: number): GrowingFile {
    try {
      const file = openSync(path, 'r+')
      ftruncateSync(file, size)
      return new GrowingFile(path, file, size)
    } catch (error) {
      throw new RecordingError(`Cannot add to ${path}: ${systemReason(error)}.`)
    }
  }

  /** Appends all of the bytes, or none and throws. */
  append(bytes: Uint8Array): void {
    const file = (this.#file ??= createFile(this.#path))
    let done = 0
    try {
      while (done < bytes.length) {
        done += writeSync(file, bytes, done, bytes.length - done, this.size + done)
      }
    } catch (error) {
      this.#cut(file)
      const kept = this.size === 0 ? 'Nothing was recorded.' : 'It holds what was recorded before.'
      throw new RecordingError(`Cannot write to ${this.#path}: ${systemReason(error)}. ${kept}`)
    }
    this.size += bytes.length
  }

  /** A new file that nothing could be written to does not stay. */
  close(): void {
    if (this.#file === null) return
    closeSync(this.#file)
    if (this.#isNew && this.size === 0) unlinkSync(this.#path)
  }

  /** Takes back the part of a piece that there was room for. Without it, the file ends with an unfinished block. */
  #cut(file: number): void {
    try {
      ftruncateSync(file, this.size)
    } catch {
      // Readers know what an unfinished block is.
    }
  }
}
