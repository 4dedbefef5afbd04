import type { SessionReport } from '../../contract/session-report.ts'
import type { SavedRings } from '../../metrics/history/history-rings.ts'
import type { SavedWorld } from '../../world/built-in-world.ts'
import { sqliteErrorText } from '../../store/sqlite-error.ts'
import type { WorldLog } from '../../store/world-log.ts'
import { saveState } from '../../store/world-state.ts'
import type { WorldIdentity } from '../../store/world-state.ts'
import { encodeSections } from './saved-session.ts'
import type { SessionStore } from './saved-session.ts'

/** The interval between saves. */
export const saveIntervalMs = 180_000
/** Bounds the time of a restart: a world whose unsaved steps would take longer to repeat is saved earlier. */
const unsavedStepsMaxMs = 10_000

/** The state of the session that is saved with the world, as of the same step. */
export interface SessionState {
  readonly rings: SavedRings
  readonly simTimeNs: bigint
}

interface WorldKeeperOptions {
  /** Null where the file cannot be written, of which the operator knows. */
  readonly store: SessionStore | null
  readonly log: WorldLog | null
  readonly identity: WorldIdentity
  readonly worldId: string
  readonly world: () => SavedWorld
  /** The publish number at the last save. */
  readonly publishSeq: number
  /** Whether the world has lived, but not in the file. */
  readonly hasUnsavedSteps: boolean
  readonly report: (report: SessionReport) => void
  readonly nowMs: () => number
}

/**
 * Saves a world every few minutes, and notes the last published time. Never throws: if saving fails, the world runs on
 * unsaved.
 */
export class WorldKeeper {
  readonly #options: WorldKeeperOptions
  #publishSeq: number
  #savedMs: number
  #unsavedStepsMs = 0
  #hasUnsavedSteps: boolean
  #saving: Promise<void> | null = null
  #isFailing = false

  constructor(options: WorldKeeperOptions) {
    this.#options = options
    this.#publishSeq = options.publishSeq
    this.#savedMs = options.nowMs()
    this.#hasUnsavedSteps = options.hasUnsavedSteps
  }

  /** Records the duration of a step. Returns whether the world is to be saved now. */
  stepped(tookMs: number): boolean {
    this.#hasUnsavedSteps = true
    this.#unsavedStepsMs += tookMs
    if (this.#saving !== null) return false
    return (
      this.#unsavedStepsMs >= unsavedStepsMaxMs || this.#options.nowMs() - this.#savedMs >= saveIntervalMs
    )
  }

  /** Notes a publish, before clients can see it. */
  published(simTimeNs: bigint): void {
    this.#publishSeq++
    try {
      this.#options.log?.published({ publishSeq: this.#publishSeq, simTimeNs })
    } catch (error) {
      // The next attempt to save fails, too, and is counted.
      if (!this.#isFailing) this.#fail(error)
    }
  }

  /**
   * Saves the world if it has advanced since the last time, and no save is in progress. The bytes are encoded at once
   * and written asynchronously.
   */
  async saveUnsaved(state: () => SessionState): Promise<void> {
    if (!this.#hasUnsavedSteps || this.#saving !== null) return
    this.#savedMs = this.#options.nowMs()
    this.#unsavedStepsMs = 0
    this.#hasUnsavedSteps = false
    this.#saving = this.#save(state)
    await this.#saving
    this.#saving = null
  }

  /** Saves the steps since the last save, and waits until they are written. */
  async close(state: () => SessionState): Promise<void> {
    await this.#saving
    await this.saveUnsaved(state)
    const { database } = this.#options.store ?? {}
    if (database?.isOpen) database.close()
  }

  async #save(state: () => SessionState): Promise<void> {
    const { store, identity, worldId, world } = this.#options
    try {
      if (store === null) throw new Error('it cannot be written')
      const { rings, simTimeNs } = state()
      const head = { ...identity, worldId, publishSeq: this.#publishSeq, simTimeNs }
      await saveState(store.database, head, encodeSections(world(), rings))
      this.#isFailing = false
      this.#options.report({ kind: 'saved' })
    } catch (error) {
      this.#hasUnsavedSteps = true
      this.#fail(error)
    }
  }

  /** A lasting failure is logged once. */
  #fail(error: unknown): void {
    const { store, report } = this.#options
    const message =
      store === null || this.#isFailing
        ? null
        : `The world cannot be saved to ${store.path}: ${sqliteErrorText(error)}. It runs on unsaved.`
    report({ kind: 'not-saved', message })
    this.#isFailing = true
  }
}
