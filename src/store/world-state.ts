/** The state of a world in the file of its session: with it, another process continues the world. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { inTransaction, statementOf } from './statements.ts'

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
  readonly simTimeNs: bigint
}

/** Bytes by the name of their section. */
export type Sections = Readonly<Record<string, Uint8Array>>

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
  const { version, seed, scale, scenario, worldId, publishSeq, simTimeNs } = head
  const bytes = Object.values(sections).reduce((sum, { length }) => sum + length, 0)
  inTransaction(database, () => {
    database.exec('DELETE FROM save')
    database
      .prepare('INSERT INTO save VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(number, version, seed, scale, scenario, worldId, publishSeq, simTimeNs, bytes)
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

/** The head of the state; null if none is saved. */
export function readHead(database: DatabaseSync): StateHead | null {
  const row = statementOf(
    database,
    `SELECT version, seed, scale, scenario, world AS worldId, publish_seq AS publishSeq, sim_ns AS simTimeNs FROM save`,
  ).get()
  return row === undefined ? null : ({ ...row, publishSeq: Number(row['publishSeq']) } as StateHead)
}

/** Reads sections of the state. Throws a `StateError` where bytes are missing or damaged. */
export function readSections<N extends string>(
  database: DatabaseSync,
  names: readonly N[],
): Record<N, Buffer> {
  const { number, bytes, left } = database
    .prepare(`
      SELECT number, bytes, (SELECT coalesce(sum(length(bytes)), 0) FROM piece WHERE save = save.number) AS left
      FROM save`)
    .get()!
  if (left !== bytes) throw new StateError(`it has ${Number(left)} bytes, expected ${Number(bytes)}`)
  const select = database.prepare(
    'SELECT bytes, sum FROM piece WHERE save = ? AND section = ? ORDER BY number',
  )
  const read = (name: string): Buffer =>
    Buffer.concat(
      Array.from(select.iterate(number, name), ({ bytes: piece, sum }) => {
        const found = crc32(piece as Uint8Array)
        if (found !== sum) throw new StateError(`its checksum is ${hex(found)}, expected ${hex(Number(sum))}`)
        return piece as Uint8Array
      }),
    )
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<N, Buffer>
}

const hex = (sum: number): string => sum.toString(16).padStart(8, '0')
