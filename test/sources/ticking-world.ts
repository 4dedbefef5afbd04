import type { HostRecord, Snapshot } from '../../src/contract/collections.ts'
import type { WorldHistory } from '../../src/contract/history.ts'
import { HostSchema } from '../../src/contract/records/hosts.ts'
import type { SteppedWorld } from '../../src/sources/built-in/simulation-source.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'

const stepNs = 10_000_000_000n

/** A world of one host, whose hours with power are the steps that the world took. */
export class TickingWorld implements SteppedWorld {
  nowNs = 0n
  readonly host: HostRecord = emptyRecord(HostSchema, { id: 1 })
  readonly history: WorldHistory = { version: 0, entities: [], sample: () => {} }
  readonly #onStep: (world: TickingWorld) => void
  readonly #snapshot: Snapshot

  constructor(onStep: (world: TickingWorld) => void = () => {}) {
    this.#onStep = onStep
    this.#snapshot = snapshotWith({ hosts: [this.host] })
  }

  step(): void {
    this.nowNs += stepNs
    this.host.power_on_hours++
    this.#onStep(this)
  }

  snapshot(): Snapshot {
    return { ...this.#snapshot, simTimeNs: this.nowNs }
  }
}
