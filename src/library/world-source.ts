import type { Clock } from '../contract/clock.ts'
import { collectionNames } from '../contract/collections.ts'
import type { Collections, DiagnosticsRecord, EventRecord, Snapshot } from '../contract/collections.ts'
import { zeroRecord } from '../contract/fields.ts'
import { DiagnosticsSchema } from '../contract/records/diagnostics.ts'
import type { WorldTotals } from '../contract/totals.ts'
import type { SnapshotContent } from '../encoding/frames/frame-builder.ts'
import type { Exposition } from '../metrics/exposition/exposition.ts'
import { HistoryRings } from '../metrics/history/history-rings.ts'
import { createTotalsFromEvents } from '../metrics/totals-from-events.ts'
import { createRecordHistory } from '../metrics/history/record-history.ts'
import { countsOf } from '../sources/missing-diagnostics.ts'
import { SourceError } from '../sources/source.ts'
import type { Source, WarmUp } from '../sources/source.ts'
import { checkCollections } from './make-records.ts'

/** Delay before another attempt to read a world after a failure. */
const retryMs = 1_000

/** A world at one instant. Only its time is required; a missing collection is empty. */
export interface WorldState {
  readonly simTimeNs: bigint
  /** Records in ascending order of their ids. A changed list in a record must be a new array. */
  readonly collections?: Partial<Collections>
  /** The most recent events, oldest first, each later than the one before. */
  readonly events?: readonly EventRecord[]
  /** `at_ns` of the newest event that has left the window; -1, the default, if none has. */
  readonly newestEvictedNs?: bigint
  /** By default counted from the records. */
  readonly diagnostics?: DiagnosticsRecord
  /** Totals since the world began; by default counted since the mirror started. */
  readonly totals?: WorldTotals
}

/** A world that the embedding program provides. */
export interface World {
  /** Returns the current state. Called once per publish while clients read. */
  read(): WorldState | Promise<WorldState>
}

function countedDiagnostics(simTimeNs: bigint, records: Collections): DiagnosticsRecord {
  const zero = zeroRecord(DiagnosticsSchema)
  return {
    ...zero,
    simulation: { ...zero.simulation, sim_time_ns: simTimeNs },
    counts: { ...zero.counts, ...countsOf(records) },
  }
}

/** The source of an embedding program's world. Derives the history and the totals from its records. */
export class WorldSource implements Source {
  readonly #world: World
  readonly #exposition: Exposition
  readonly #clock: Clock
  #totals = createTotalsFromEvents()
  readonly #recordHistory = createRecordHistory()
  readonly history = new HistoryRings(this.#recordHistory)
  #lastNs = -1n

  constructor(world: World, exposition: Exposition, clock: Clock) {
    this.#world = world
    this.#exposition = exposition
    this.#clock = clock
  }

  warmUp(): WarmUp {
    return { done: 1, simTimeNs: 0n }
  }

  advance(): number {
    return Infinity
  }

  async capture(): Promise<SnapshotContent> {
    const capturedAtMs = this.#clock.nowMs()
    const snapshot = this.#snapshotOf(await this.#read())
    this.#keepHistory(snapshot)
    const projectMs = this.#clock.nowMs() - capturedAtMs
    return { snapshot, exposition: this.#exposition.render(snapshot), capturedAtMs, projectMs }
  }

  retryMs(): number {
    return retryMs
  }

  async #read(): Promise<WorldState> {
    try {
      const state = await this.#world.read()
      checkCollections(state.collections ?? {})
      return state
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw new SourceError('crashed', `The world could not be read: ${message}`)
    }
  }

  #snapshotOf(state: WorldState): Snapshot {
    const { simTimeNs, events = [], newestEvictedNs = -1n } = state
    const empty = Object.fromEntries(collectionNames.map((name) => [name, []])) as unknown as Collections
    const records = { ...empty, ...state.collections }
    const diagnostics = state.diagnostics ?? countedDiagnostics(simTimeNs, records)
    const content = { simTimeNs, collections: records, events, newestEvictedNs, diagnostics }
    if (state.totals !== undefined) return { ...content, totals: state.totals }
    if (simTimeNs < this.#lastNs) this.#totals = createTotalsFromEvents()
    this.#totals.observe(content)
    return { ...content, totals: this.#totals.totals }
  }

  #keepHistory(snapshot: Snapshot): void {
    this.#lastNs = snapshot.simTimeNs
    this.#recordHistory.observe(snapshot)
    this.history.record(snapshot.simTimeNs)
  }
}
