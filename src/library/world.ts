import type { Clock } from '../contract/clock.ts'
import { collectionNames } from '../contract/collections.ts'
import type { Collections, DiagnosticsRecord, EventRecord, Snapshot } from '../contract/collections.ts'
import { Diagnostics } from '../contract/records/diagnostics.ts'
import type { WorldTotals } from '../contract/totals.ts'
import type { SnapshotContent } from '../encoding/frame-builder.ts'
import type { Exposition } from '../metrics/exposition.ts'
import { createHistoryRings } from '../metrics/history-rings.ts'
import { createObservedTotals } from '../metrics/observed-totals.ts'
import { createRecordHistory } from '../metrics/record-history.ts'
import { countsOf } from '../sources/attached/completed-diagnostics.ts'
import { SourceTrouble } from '../sources/source.ts'
import type { Source, WarmUp } from '../sources/source.ts'
import { zeroRecord } from './records.ts'

/** A world at one instant. Only its time has to be told; a collection that is left out is empty. */
export interface WorldState {
  readonly simTimeNs: bigint
  /** Records in ascending order of their ids. A list in a record is replaced when it changes, not written into. */
  readonly collections?: Partial<Collections>
  /** The most recent events, oldest first, each later than the one before. */
  readonly events?: readonly EventRecord[]
  /** `at_ns` of the newest event that has left that window; -1 while none has, which is the default. */
  readonly newestEvictedNs?: bigint
  /** Counted from the records where it is left out. */
  readonly diagnostics?: DiagnosticsRecord
  /** What was counted since the world began; what is seen to happen where it is left out. */
  readonly totals?: WorldTotals
}

/** A world of your own. */
export interface World {
  /** The world as it is now. Called once a publish, as long as somebody reads the mirror. */
  read(): WorldState | Promise<WorldState>
}

function diagnosed(simTimeNs: bigint, records: Collections): DiagnosticsRecord {
  const zero = zeroRecord(Diagnostics)
  return {
    ...zero,
    simulation: { ...zero.simulation, sim_time_ns: simTimeNs },
    counts: { ...zero.counts, ...countsOf(records) },
  }
}

/** Makes a source of a world that tells nothing but its records: history and totals are kept for it. */
export class WorldSource implements Source {
  readonly title = 'A world of its own'
  readonly #world: World
  readonly #exposition: Exposition
  readonly #clock: Clock
  #observed = createObservedTotals()
  readonly #recordHistory = createRecordHistory()
  readonly #rings = createHistoryRings(this.#recordHistory, 0n)
  readonly history = this.#rings.memory
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
      return await this.#world.read()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new SourceTrouble('crashed', `The world could not be read: ${why}`)
    }
  }

  #snapshotOf(state: WorldState): Snapshot {
    const { simTimeNs, events = [], newestEvictedNs = -1n } = state
    const none = Object.fromEntries(collectionNames.map((name) => [name, []])) as unknown as Collections
    const records = { ...none, ...state.collections }
    const diagnostics = state.diagnostics ?? diagnosed(simTimeNs, records)
    const known = { simTimeNs, collections: records, events, newestEvictedNs, diagnostics }
    if (state.totals !== undefined) return { ...known, totals: state.totals }
    if (simTimeNs < this.#lastNs) this.#observed = createObservedTotals()
    this.#observed.observe(known)
    return { ...known, totals: this.#observed.totals }
  }

  #keepHistory(snapshot: Snapshot): void {
    this.#lastNs = snapshot.simTimeNs
    this.#recordHistory.observe(snapshot)
    this.#rings.record(snapshot.simTimeNs)
  }
}

/** How long to wait before a world that could not be read is read again. */
const retryMs = 1_000
