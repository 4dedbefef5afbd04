/** The frames of a session, as rows of its file. */
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { isDamage, sqliteErrorText } from '../sqlite-error.ts'
import { statementOf } from '../statements.ts'
import { RecordingError } from './recording-error.ts'

/** A run of the recorder. */
export interface RecordedRun {
  readonly number: number
  /** The recorded source, in words. */
  readonly source: string
  /** The version of the recorder. */
  readonly software: string
  readonly beganMs: number
  /** The intended wall time between frames. */
  readonly everyMs: number
  /** The names of the lists in each frame, in order. */
  readonly lists: readonly string[]
}

export interface FrameRow {
  readonly number: number
  readonly recording: number
  /** The number of the frame with which its decoding begins. */
  readonly key: number
  readonly simTimeNs: bigint
  /** Simulated time since the first frame, summed over recordings and worlds. */
  readonly elapsedNs: bigint
  /** Wall time of the capture, in milliseconds since 1970. */
  readonly wallMs: number
  readonly publishSeq: number
  /** `at_ns` of the newest event that has left the window; -1 if none has. */
  readonly newestEvictedNs: bigint
  /** Whether time is discontinuous before this frame: it is the first of a recording, or of another world. */
  readonly isJoin: boolean
  /** Whether events since the previous frame are missing from every frame. */
  readonly hasEventGap: boolean
}

/** A month of them, one a second. */
export const framesMax = 30 * 86_400

const listsMax = 256

const columns =
  'number, recording, key, sim_ns, elapsed_ns, wall_ms, publish_seq, evicted_ns, is_join, has_gap'

type Row = Readonly<Record<string, unknown>>

const rowOf = (row: Row): FrameRow => ({
  number: Number(row['number']),
  recording: Number(row['recording']),
  key: Number(row['key']),
  simTimeNs: row['sim_ns'] as bigint,
  elapsedNs: row['elapsed_ns'] as bigint,
  wallMs: Number(row['wall_ms']),
  publishSeq: Number(row['publish_seq']),
  newestEvictedNs: row['evicted_ns'] as bigint,
  isJoin: row['is_join'] !== 0n,
  hasEventGap: row['has_gap'] !== 0n,
})

/** Reads frames. Errors of the file are a `RecordingError`. */
export class RecordedFrames {
  readonly #database: () => DatabaseSync

  /** The database is asked for at each reading, as its file may begin to be written meanwhile. */
  constructor(database: () => DatabaseSync) {
    this.#database = database
  }

  recordings(): ReadonlyMap<number, RecordedRun> {
    const rows = this.#read((database) => database.prepare('SELECT * FROM recording ORDER BY number').all())
    return new Map(rows.map((row) => [Number(row['number']), recordingOf(row)]))
  }

  last(): FrameRow | null {
    const row = this.#read((database) =>
      statementOf(database, `SELECT ${columns} FROM frame ORDER BY number DESC LIMIT 1`).get(),
    )
    return row === undefined ? null : rowOf(row)
  }

  /**
   * The frames that can be decoded, in their order: those that follow a missing one are left out, up to the next key
   * frame, and so are those of a recording that is not known, as one that has begun since. Damage of the file ends them.
   */
  *rows(
    onDamage: (error: RecordingError) => void,
    given?: ReadonlyMap<number, RecordedRun>,
  ): Generator<FrameRow> {
    let last: FrameRow | null = null
    try {
      const known = given ?? this.recordings()
      const select = statementOf(
        this.#database(),
        `SELECT ${columns} FROM frame ORDER BY number LIMIT ${framesMax}`,
      )
      for (const found of select.iterate()) {
        const row = rowOf(found)
        const isNext = last !== null && last.number === row.number - 1 && last.key === row.key
        if (!known.has(row.recording) || (row.number !== row.key && !isNext)) continue
        last = row
        yield row
      }
    } catch (error) {
      const damage = readError(error)
      if (!(damage instanceof RecordingError)) throw error
      onDamage(damage)
    }
  }

  /** Throws for one that is missing or damaged. */
  read(number: number): { readonly row: FrameRow; readonly body: Buffer } {
    const found = this.#read((database) =>
      statementOf(database, `SELECT ${columns}, body, sum FROM frame WHERE number = ?`).get(number),
    )
    if (found === undefined) throw new RecordingError(`Frame ${number} is missing.`)
    const body = Buffer.from(found['body'] as Uint8Array<ArrayBuffer>)
    if (crc32(body) !== Number(found['sum'])) throw new RecordingError(`Frame ${number} is damaged.`)
    return { row: rowOf(found), body }
  }

  #read<T>(read: (database: DatabaseSync) => T): T {
    try {
      return read(this.#database())
    } catch (error) {
      throw readError(error)
    }
  }
}

const readError = (error: unknown): unknown =>
  isDamage(error) ? new RecordingError(`The file is damaged: ${sqliteErrorText(error)}.`) : error

function recordingOf(row: Row): RecordedRun {
  return {
    number: Number(row['number']),
    source: String(row['source']),
    software: String(row['software']),
    beganMs: Number(row['began_ms']),
    everyMs: Number(row['every_ms']),
    lists: listsOf(String(row['lists'])),
  }
}

function listsOf(json: string): string[] {
  try {
    const lists: unknown = JSON.parse(json)
    if (Array.isArray(lists) && lists.length <= listsMax) return lists.map(String)
  } catch {
    // Reported below.
  }
  throw new RecordingError('The lists of a recording cannot be read.')
}
