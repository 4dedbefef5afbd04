import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
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

/** A file that only grows, by whole pieces. */
export class GrowingFile {
  readonly #path: string
  readonly #file: number
  size: number

  private constructor(path: string, file: number, size: number) {
    this.#path = path
    this.#file = file
    this.size = size
  }

  static create(path: string): GrowingFile {
    try {
      return new GrowingFile(path, openSync(path, 'wx'), 0)
    } catch (error) {
      const why = creationReasons[(error as NodeJS.ErrnoException).code ?? ''] ?? systemReason(error)
      throw new RecordingError(`Cannot record to ${path}: ${why}.`)
    }
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
    let done = 0
    try {
      while (done < bytes.length) {
        done += writeSync(this.#file, bytes, done, bytes.length - done, this.size + done)
      }
    } catch (error) {
      this.#cut()
      throw new RecordingError(
        `Cannot write to ${this.#path}: ${systemReason(error)}. It holds what was recorded before.`,
      )
    }
    this.size += bytes.length
  }

  close(): void {
    closeSync(this.#file)
  }

  /** Takes back the part of a piece that there was room for. Without it, the file ends with an unfinished block. */
  #cut(): void {
    try {
      ftruncateSync(this.#file, this.size)
    } catch {
      // Readers know what an unfinished block is.
    }
  }
}
