import type { DatabaseSync } from 'node:sqlite'
import type { SessionAction, SessionClosing, SessionOpening } from '../../contract/game-days/session-line.ts'
import type { TruthLine, TruthSession } from '../../contract/game-days/truth-line.ts'
import { addRow, setFault } from '../../store/game-day-rows.ts'
import { openSession } from '../../store/session-file.ts'
import { sqliteErrorText } from '../../store/sqlite-error.ts'
import type { FaultTruth } from '../../world/built-in-world.ts'

interface TruthRowsOptions {
  /** The file of a session, which this process owns. */
  readonly path: string
  readonly worldId: string
  readonly onProblem: (message: string) => void
}

type Unnamed<T> = Omit<T, 'world'>

/** Writes the truth about the faults of a world, and the log of its game day. */
export class TruthRows {
  readonly #options: TruthRowsOptions
  readonly #database: DatabaseSync
  #isFailing = false

  constructor(options: TruthRowsOptions) {
    this.#options = options
    this.#database = openSession(options.path)
  }

  /** Writes faults that have ended, or that have not. */
  write(faults: readonly FaultTruth[], isOver: boolean, session: TruthSession | null = null): void {
    const { worldId: world } = this.#options
    for (const fault of faults) {
      const line: TruthLine = { world, session, ...fault }
      this.#unlessFailing(() => setFault(this.#database, { world, fault: fault.fault, isOver }, line))
    }
  }

  note(line: Unnamed<SessionOpening> | Unnamed<SessionAction> | Unnamed<SessionClosing>): void {
    const { worldId: world } = this.#options
    this.#unlessFailing(() => addRow(this.#database, 'game_day_log', { world, ...line }))
  }

  close(): void {
    this.#database.close()
  }

  /** A lasting failure is reported once. */
  #unlessFailing(write: () => void): void {
    const { path, onProblem } = this.#options
    try {
      write()
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) onProblem(`Cannot write the truth to ${path}: ${sqliteErrorText(error)}.`)
      this.#isFailing = true
    }
  }
}
