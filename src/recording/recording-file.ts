import { closeSync, existsSync, fstatSync, ftruncateSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { openRegularFile } from '../files/regular-file.ts'
import { errorCode, systemErrorText, writeErrorText } from '../files/system-error.ts'
import type { RecordingBytes } from './blocks.ts'
import { RecordingError } from './recording-error.ts'

/** Files in /proc are refused: they report no size. */
function openSizedFile(path: string): { readonly file: number; readonly size: number } {
  const file = openRegularFile(path, 'read')
  try {
    const { size } = fstatSync(file)
    if (size === 0 && readSync(file, new Uint8Array(1)) > 0) throw new RangeError('not a regular file')
    return { file, size }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** A window covers thousands of small blocks. */
const windowBytes = 1 << 18

/** The bytes of a file at the time of opening. */
export class FileBytes implements RecordingBytes {
  readonly size: number
  readonly #file: number
  /** The last bytes read, and their offset. */
  #window = Buffer.alloc(0)
  #windowAt = 0

  constructor(path: string) {
    try {
      const { file, size } = openSizedFile(path)
      this.#file = file
      this.size = size
    } catch (error) {
      throw new RecordingError(`Cannot read ${path}: ${systemErrorText(error)}.`)
    }
  }

  read(into: Uint8Array, at: number): void {
    if (into.length >= windowBytes) {
      this.#readAll(into, at)
      return
    }
    const from = at - this.#windowAt
    if (from < 0 || from + into.length > this.#window.length) {
      this.#moveWindow(at)
      this.#window.copy(into, 0, 0, into.length)
    } else this.#window.copy(into, 0, from, from + into.length)
  }

  #moveWindow(at: number): void {
    const length = Math.min(windowBytes, this.size - at)
    const window = this.#window.length === length ? this.#window : Buffer.allocUnsafeSlow(length)
    // A window that was read in part is not kept.
    this.#window = Buffer.alloc(0)
    this.#readAll(window, at)
    this.#window = window
    this.#windowAt = at
  }

  #readAll(into: Uint8Array, at: number): void {
    let done = 0
    while (done < into.length) {
      const count = this.#readSome(into.subarray(done), at + done)
      if (count === 0)
        throw new RecordingError(`The file ended at byte ${at + done} while it was being read.`)
      done += count
    }
  }

  #readSome(into: Uint8Array, at: number): number {
    try {
      return readSync(this.#file, into, 0, into.length, at)
    } catch (error) {
      throw new RecordingError(`Cannot read the file at byte ${at}: ${systemErrorText(error)}.`)
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}

const existsAlready = 'file exists. Choose another name, or add to it with --append yes'

function createFile(path: string): number {
  try {
    return openRegularFile(path, 'create')
  } catch (error) {
    const reason = errorCode(error) === 'EEXIST' ? existsAlready : writeErrorText(path, error)
    throw new RecordingError(`Cannot create ${path}: ${reason}.`)
  }
}

/** A file that grows by complete pieces only. */
export class AppendOnlyFile {
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

  /** A file that is created with its first piece. */
  static create(path: string): AppendOnlyFile {
    if (existsSync(path)) throw new RecordingError(`Cannot create ${path}: ${existsAlready}.`)
    return new AppendOnlyFile(path, null, 0)
  }

  /** Truncates a file to its first bytes and continues there. */
  static reopen(path: string, size: number): AppendOnlyFile {
    try {
      const file = openRegularFile(path, 'update')
      ftruncateSync(file, size)
      return new AppendOnlyFile(path, file, size)
    } catch (error) {
      throw new RecordingError(`Cannot write to ${path}: ${systemErrorText(error)}.`)
    }
  }

  /** Appends all of the bytes, or none and throws. */
  append(bytes: Uint8Array): void {
    const file = (this.#file ??= createFile(this.#path))
    if (fstatSync(file).size !== this.size)
      throw new RecordingError(`Cannot write to ${this.#path}: another process has changed it.`)
    let done = 0
    try {
      while (done < bytes.length) {
        done += writeSync(file, bytes, done, bytes.length - done, this.size + done)
      }
    } catch (error) {
      this.#cut(file)
      const kept = this.size === 0 ? 'Nothing was recorded.' : 'Everything recorded before was kept.'
      throw new RecordingError(`Cannot write to ${this.#path}: ${systemErrorText(error)}. ${kept}`)
    }
    this.size += bytes.length
  }

  /** Removes a new file without content. */
  close(): void {
    if (this.#file === null) return
    closeSync(this.#file)
    if (this.#isNew && this.size === 0) unlinkSync(this.#path)
  }

  /** Truncates a partly written piece. If that fails, the file ends with an unfinished block. */
  #cut(file: number): void {
    try {
      ftruncateSync(file, this.size)
    } catch {
      // Readers ignore an unfinished block.
    }
  }
}
