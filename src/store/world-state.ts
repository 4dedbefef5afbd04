/** The state of a world in the file of its session: with it, another process continues the world. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { inTransaction } from './statements.ts'

/** The identity of a world. The state of another world is not continued. */
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

/** Bytes by the name of their section. */
export type Sections = Readonly<Record<string, Uint8Array>>

interface StoredHead extends StateHead {
  readonly lengths: Readonly<Record<string, number>>
}

/** A saved state that cannot be continued; the message names the found and the expected content. */
export class StateError extends Error {
  override readonly name = 'StateError'
}

/** Stored at a time, so that the thread can advance its world in between. */
const pieceBytes = 1 << 20

/** Saves a state in place of the one before, which stays until this one is complete. */
export async function saveState(database: DatabaseSync, head: StateHead, sections: Sections): Promise<void> {
  const { last } = database.prepare('SELECT coalesce(max(save), 0) AS last FROM piece').get()!
  const number = Number(last) + 1
  try {
    await writePieces(database, number, sections)
    complete(database, number, head, sections)
  } catch (error) {
    // On a full disk, others need the room.
    removeQuietly(database, number)
    throw error
  }
  await removeOthers(database, number)
}

async function writePieces(database: DatabaseSync, number: number, sections: Sections): Promise<void> {
  const insert = database.prepare(
    'INSERT INTO piece (save, section, number, bytes, sum) VALUES (?, ?, ?, ?, ?)',
  )
  for (const [name, bytes] of Object.entries(sections))
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = bytes.subarray(at, at + pieceBytes)
      insert.run(number, name, at / pieceBytes, piece, crc32(piece))
      await setImmediate()
    }
}

function complete(database: DatabaseSync, number: number, head: StateHead, sections: Sections): void {
  const lengths = Object.fromEntries(Object.entries(sections).map(([name, { length }]) => [name, length]))
  const stored = JSON.stringify({ ...head, lengths } satisfies StoredHead)
  inTransaction(database, () => {
    database.exec('DELETE FROM save')
    database.prepare('INSERT INTO save VALUES (?, ?)').run(number, stored)
  })
}

function removeQuietly(database: DatabaseSync, save: number): void {
  try {
    database.prepare('DELETE FROM piece WHERE save = ?').run(save)
  } catch {
    // The next save that succeeds removes them.
  }
}

/** Pieces of former saves, and of those that were interrupted. */
async function removeOthers(database: DatabaseSync, save: number): Promise<void> {
  const others = database.prepare('SELECT id FROM piece WHERE save <> ?').all(save)
  const remove = database.prepare('DELETE FROM piece WHERE id = ?')
  for (const { id } of others) {
    remove.run(id)
    await setImmediate()
  }
}

/** The head of the state; null if none is saved. Throws a `StateError` for one that is damaged. */
export function readHead(database: DatabaseSync): StateHead | null {
  const row = database.prepare('SELECT number, head FROM save').get()
  return row === undefined ? null : parseHead(String(row['head']))
}

/** Reads sections of the state. Throws a `StateError` where bytes are missing or damaged. */
export function readSections<N extends string>(
  database: DatabaseSync,
  names: readonly N[],
): Record<N, Buffer> {
  const { number, head } = database.prepare('SELECT number, head FROM save').get()!
  const { lengths } = parseHead(String(head))
  const select = database.prepare(
    'SELECT bytes, sum FROM piece WHERE save = ? AND section = ? ORDER BY number',
  )
  const read = (name: string): Buffer => {
    const pieces = Array.from(select.iterate(number, name), ({ bytes, sum }) => {
      const piece = Buffer.from(bytes as Uint8Array<ArrayBuffer>)
      if (crc32(piece) !== sum)
        throw new StateError(`its checksum is ${hex(crc32(piece))}, expected ${hex(Number(sum))}`)
      return piece
    })
    const section = Buffer.concat(pieces)
    if (section.length !== (lengths[name] ?? 0))
      throw new StateError(`its section ${name} has ${section.length} bytes, expected ${lengths[name] ?? 0}`)
    return section
  }
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<N, Buffer>
}

const hex = (sum: number): string => sum.toString(16).padStart(8, '0')

/** Keeps the number countable: adding 1 to an integer that is not safe may not change it. */
const publishSeqMax = 1e15

const textFields = ['version', 'seed', 'scale', 'scenario', 'worldId', 'simTimeNs'] as const

function parseHead(json: string): StoredHead {
  let head: Partial<StoredHead> | null = null
  try {
    head = JSON.parse(json) as Partial<StoredHead> | null
  } catch {
    // Reported below.
  }
  const { lengths, publishSeq } = head ?? {}
  const isWhole = (value: unknown, max: number): boolean =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max
  const isComplete =
    textFields.every((name) => typeof head?.[name] === 'string') &&
    /^\d{1,19}$/.test(head?.simTimeNs ?? '') &&
    isWhole(publishSeq, publishSeqMax) &&
    typeof lengths === 'object' &&
    Object.values(lengths).every((length) => isWhole(length, Infinity))
  if (!isComplete) throw new StateError('its head is not one of a saved world')
  return head as StoredHead
}
