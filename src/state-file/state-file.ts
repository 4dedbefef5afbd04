/**
 * The state file, with which another process can continue a world. See docs/formats/state.md. It is written to a
 * temporary file and renamed when it is complete, so that a complete file exists at any time.
 */
import { closeSync, fstatSync, fsync, readSync, renameSync, rmSync, statSync, write } from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { openRegularFile, syncDirectoryOf } from '../files/regular-file.ts'
import { errorCode } from '../files/system-error.ts'

const magic = 'DCSIMST2'
const lengthBytes = 4
const checksumBytes = 4
const headBytesMax = 4096
/** Written and checksummed at a time, so that the thread can advance its world in between. */
const chunkBytes = 1 << 20

/** The identity of a world. The file of another world is not continued. */
export interface WorldIdentity {
  /** The version of the program. */
  readonly version: string
  readonly seed: string
  readonly scale: string
  /** A hash of the scenario's content; empty without a scenario. */
  readonly scenario: string
}

export interface StateHead extends WorldIdentity {
  /** A random id, drawn when the world began. */
  readonly worldId: string
  readonly publishSeq: number
  /** Nanoseconds as decimal digits. */
  readonly simTimeNs: string
}

interface StoredHead extends StateHead {
  /** Lengths of the sections in bytes. */
  readonly sections: readonly number[]
}

export interface StateFile {
  readonly head: StateHead
  readonly sections: readonly Buffer[]
}

/** The file is not a complete state file; the message names the found and the expected content. */
export class StateFileError extends Error {
  override readonly name = 'StateFileError'
}

/** Writes a temporary file, makes it durable, and renames it. */
export async function writeStateFile(
  path: string,
  head: StateHead,
  sections: readonly Uint8Array[],
  temporary = `${path}.tmp`,
): Promise<void> {
  const file = openRegularFile(temporary, 'replace')
  try {
    let sum = 0
    const writeSummed = async (bytes: Uint8Array): Promise<void> => {
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        const chunk = bytes.subarray(at, at + chunkBytes)
        sum = crc32(chunk, sum)
        await writeAll(file, chunk)
      }
    }
    await writeSummed(encodeHead({ ...head, sections: sections.map(({ length }) => length) }))
    for (const section of sections) await writeSummed(section)
    await writeAll(file, uint32(sum))
    await promisify(fsync)(file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  await syncDirectoryOf(path)
}

/** Asynchronous: the world runs on meanwhile. */
async function writeAll(file: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await promisify(write)(file, bytes, at)).bytesWritten
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function encodeHead(head: StoredHead): Buffer {
  const json = Buffer.from(JSON.stringify(head))
  return Buffer.concat([Buffer.from(magic, 'latin1'), uint32(json.length), json])
}

/** Reads and validates a whole file; null if there is none. Errors of the system are passed on. */
export function readStateFile(path: string): StateFile | null {
  let file
  try {
    file = openRegularFile(path, 'read')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null
    throw error
  }
  try {
    return readOpenFile(file, fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}

function readOpenFile(file: number, size: number): StateFile {
  const opening = readAt(file, 0, magic.length + lengthBytes)
  const found = opening.toString('latin1', 0, magic.length)
  if (found !== magic)
    throw new StateFileError(`it begins with ${JSON.stringify(found)}, expected "${magic}"`)
  const headLength = opening.length < magic.length + lengthBytes ? 0 : opening.readUInt32LE(magic.length)
  if (headLength === 0 || headLength > headBytesMax)
    throw new StateFileError(`its head has ${headLength} bytes, expected 1 to ${headBytesMax}`)
  const json = readAt(file, opening.length, headLength)
  const { sections: lengths, ...head } = parseHead(json)
  const expected = lengths.reduce((sum, length) => sum + length, opening.length + headLength + checksumBytes)
  if (size !== expected) throw new StateFileError(`it has ${size} bytes, expected ${expected}`)
  let at = opening.length + headLength
  let sum = crc32(json, crc32(opening))
  const sections = lengths.map((length) => {
    const section = readAt(file, at, length)
    at += length
    sum = crc32(section, sum)
    return section
  })
  const stored = readAt(file, at, checksumBytes).readUInt32LE(0)
  if (stored !== sum) throw new StateFileError(`its checksum is ${hex(sum)}, expected ${hex(stored)}`)
  return { head, sections }
}

const hex = (sum: number): string => sum.toString(16).padStart(8, '0')

/** Up to `length` bytes: fewer at the end of the file. */
function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let filled = 0
  for (let read = -1; read !== 0 && filled < length; filled += read)
    read = readSync(file, bytes, filled, length - filled, position + filled)
  return bytes.subarray(0, filled)
}

/** Keeps the number countable: adding 1 to an integer that is not safe may not change it. */
const publishSeqMax = 1e15

const textFields = ['version', 'seed', 'scale', 'scenario', 'worldId', 'simTimeNs'] as const

function parseHead(json: Buffer): StoredHead {
  let head: Partial<StoredHead> | null = null
  try {
    head = JSON.parse(json.toString()) as Partial<StoredHead> | null
  } catch {
    // Reported below.
  }
  const { sections, publishSeq } = head ?? {}
  const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
  const isComplete =
    textFields.every((name) => typeof head?.[name] === 'string') &&
    /^\d{1,19}$/.test(head?.simTimeNs ?? '') &&
    isWhole(publishSeq) &&
    publishSeq! <= publishSeqMax &&
    Array.isArray(sections) &&
    sections.every(isWhole)
  if (!isComplete) throw new StateFileError('its head is not one of a state file')
  return head as StoredHead
}

/** Renames a file that is not continued, and returns its new path. Anything but a regular file stays. */
export function setAside(path: string): string {
  const stats = statSync(path)
  if (!stats.isFile()) throw new StateFileError('it is not a regular file')
  const written = stats.mtime.toISOString().replaceAll(':', '-').replace(/\..*/, '')
  const aside = `${path}.${written}Z`
  renameSync(path, aside)
  return aside
}
