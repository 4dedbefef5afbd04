import type { DatabaseSync } from 'node:sqlite'
import type { SessionAction, SessionClosing, SessionOpening } from '../../contract/game-days/session-line.ts'
import type { TruthLine, TruthMoment, TruthSession } from '../../contract/game-days/truth-line.ts'
import { addRow, setFault } from '../../store/game-day-rows.ts'
import { openSession } from '../../store/session-file.ts'
import { sqliteErrorText } from '../../store/sqlite-error.ts'
import type { FaultTruth } from '../../world/built-in-world.ts'
import type { SimulationSpec } from './simulation-spec.ts'

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

  /** Writes a fault that has ended. */
  write(fault: FaultTruth, session: TruthSession | null = null): void {
    this.#set(fault, session, true)
  }

  /** Writes faults that have not ended. */
  writeOpen(faults: readonly FaultTruth[], session: TruthSession | null = null): void {
    for (const fault of faults) this.#set(fault, session, false)
  }

  open({ seed, scale, speed, warmupNs, blind = false, gameDay }: SimulationSpec, began: TruthMoment): void {
    const scenario = gameDay?.scenario ?? ''
    const warmUp = Number(warmupNs) / 1e9
    this.note({ opened: { seed: String(seed), scale, speed, warmup_s: warmUp, scenario, blind, began } })
  }

  note(line: Unnamed<SessionOpening> | Unnamed<SessionAction> | Unnamed<SessionClosing>): void {
    this.#unlessFailing(() =>
      addRow(this.#database, 'game_day_log', { world: this.#options.worldId, ...line }),
    )
  }

  close(): void {
    this.#database.close()
  }

  #set(fault: FaultTruth, session: TruthSession | null, isOver: boolean): void {
    const { worldId: world } = this.#options
    const line: TruthLine = { world, session, ...fault }
    this.#unlessFailing(() => setFault(this.#database, { world, fault: fault.fault, isOver }, line))
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
