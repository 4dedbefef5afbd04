/** Notes of a world in the file of its session: they lead from its last save to where it was when its process ended. */
import type { DatabaseSync } from 'node:sqlite'
import { statementOf } from './statements.ts'

/**
 * The last published time of a world: a continued world repeats its steps up to there before it publishes, so that no
 * counter goes back. Nothing is synced: after a loss of power it may be some seconds old.
 */
interface LastPublish {
  readonly publishSeq: number
  readonly simTimeNs: bigint
}

/** An action that a world has taken: one that continues from an earlier state repeats it at the same time. */
export interface NotedAction {
  /** The number of the action in this world, from 1. */
  readonly taken: number
  /** Simulated microseconds. */
  readonly at: number
  readonly label: string
  readonly text: string
}

/** The notes of a world. Those of another world are replaced by its first. */
export class WorldLog {
  readonly #database: DatabaseSync
  readonly #worldId: string
  #hasOthers = true

  constructor(database: DatabaseSync, worldId: string) {
    this.#database = database
    this.#worldId = worldId
  }

  get lastPublish(): LastPublish | null {
    const row = statementOf(this.#database, 'SELECT seq, sim_ns FROM publish WHERE world = ?').get(
      this.#worldId,
    )
    return row === undefined ? null : { publishSeq: Number(row['seq']), simTimeNs: row['sim_ns'] as bigint }
  }

  /** Oldest first. */
  get actions(): NotedAction[] {
    return this.#database
      .prepare('SELECT taken, at_us AS at, label, text FROM action WHERE world = ? ORDER BY taken')
      .all(this.#worldId) as unknown as NotedAction[]
  }

  published({ publishSeq, simTimeNs }: LastPublish): void {
    this.#removeOthers()
    statementOf(this.#database, 'INSERT OR REPLACE INTO publish VALUES (?, ?, ?)').run(
      this.#worldId,
      publishSeq,
      simTimeNs,
    )
  }

  /** Notes an action before it can take effect; it is on disk when this returns. */
  took({ taken, at, label, text }: NotedAction): void {
    this.#removeOthers()
    this.#database.exec('PRAGMA synchronous = FULL')
    try {
      this.#database
        .prepare('INSERT OR REPLACE INTO action VALUES (?, ?, ?, ?, ?)')
        .run(this.#worldId, taken, at, label, text)
    } finally {
      this.#database.exec('PRAGMA synchronous = NORMAL')
    }
  }

  #removeOthers(): void {
    if (!this.#hasOthers) return
    for (const table of ['publish', 'action'])
      this.#database.prepare(`DELETE FROM ${table} WHERE world <> ?`).run(this.#worldId)
    this.#hasOthers = false
  }
}
