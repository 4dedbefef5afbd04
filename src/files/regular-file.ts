/**
 * All access to files that options name. The path may be, or become after a check, a directory, an endless device or a
 * named pipe, whose ordinary open blocks the thread. Files are opened without blocking, and refused unless they are
 * regular.
 */
import { closeSync, constants, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import type { Stats } from 'node:fs'

/** Windows has neither the flag nor named pipes in its file systems. */
const withoutWaiting = constants.O_NONBLOCK ?? 0
const { O_RDONLY, O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_TRUNC } = constants

const flags = {
  read: O_RDONLY,
  /** Reads and writes an existing file. */
  update: O_RDWR,
  append: O_WRONLY | O_CREAT | O_APPEND,
  replace: O_WRONLY | O_CREAT | O_TRUNC,
} as const

const readAtOnceBytes = 1 << 18

function irregularTypeOf(stats: Stats): string | null {
  if (stats.isFile()) return null
  if (stats.isDirectory()) return 'a directory'
  if (stats.isFIFO()) return 'a named pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}

/** The type of the file at a path, links followed; null for a regular or a missing file. */
export function irregularTypeAt(path: string): string | null {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats === undefined ? null : irregularTypeOf(stats)
  } catch {
    // The open reports the same error.
    return null
  }
}

/** Opens a regular file. Throws `is a named pipe` and the like for any other type, or the error of the system. */
export function openRegularFile(path: string, use: keyof typeof flags): number {
  // Opening a device may already have side effects.
  const type = irregularTypeAt(path)
  if (type !== null) throw new RangeError(`is ${type}`)
  const file = openSync(path, flags[use] | withoutWaiting)
  const opened = irregularTypeOf(fstatSync(file))
  if (opened === null) return file
  closeSync(file)
  throw new RangeError(`is ${opened}`)
}

export class FileTooLargeError extends Error {}

/** Texts that people and programs write for this one are far smaller. */
const fileBytesMax = 4 * 2 ** 20

export function readRegularFile(path: string, bytesMax: number = fileBytesMax): Buffer {
  const file = openRegularFile(path, 'read')
  try {
    return readOpenFile(file, bytesMax)
  } finally {
    closeSync(file)
  }
}

function readOpenFile(file: number, bytesMax: number): Buffer {
  const pieces: Buffer[] = []
  // The size is not used: the file may grow meanwhile, and files of the kernel report a size of zero.
  for (let length = 0; ; ) {
    const piece = Buffer.allocUnsafe(Math.min(readAtOnceBytes, bytesMax + 1 - length))
    const read = readSync(file, piece)
    if (read === 0) return Buffer.concat(pieces, length)
    length += read
    if (length > bytesMax) throw new FileTooLargeError(`is larger than ${bytesMax / 2 ** 20} MiB`)
    pieces.push(piece.subarray(0, read))
  }
}

interface FileContent {
  /** Changes when the file is written or replaced. */
  readonly key: string
  readonly bytes: Buffer
}

const keyOf = (file: number): string => {
  const { dev, ino, size, mtimeNs } = fstatSync(file, { bigint: true })
  return [dev, ino, size, mtimeNs].join(' ')
}

/** The content of a regular file; null if its key is the given one. */
export function readChangedFile(path: string, lastKey: string, bytesMax: number): FileContent | null {
  const file = openRegularFile(path, 'read')
  try {
    // Taken before the content: a file that is written meanwhile is read again.
    const key = keyOf(file)
    return key === lastKey ? null : { key, bytes: readOpenFile(file, bytesMax) }
  } finally {
    closeSync(file)
  }
}

export const readTextFile = (path: string, bytesMax?: number): string =>
  readRegularFile(path, bytesMax).toString('utf8')

export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

/** Appends to a regular file, or creates it. */
export function appendToFile(path: string, text: string): void {
  const file = openRegularFile(path, 'append')
  try {
    writeAll(file, Buffer.from(text))
  } finally {
    closeSync(file)
  }
}
