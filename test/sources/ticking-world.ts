import type { HostRecord, Snapshot } from '../../src/contract/collections.ts'
import type { WorldHistory } from '../../src/contract/history.ts'
import { HostSchema } from '../../src/contract/records/hosts.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { SimulationSource } from '../../src/sources/built-in/simulation-source.ts'
import type { SteppedWorld } from '../../src/sources/built-in/simulation-source.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'

const stepNs = 10_000_000_000n

/** A world of one host, whose hours with power count the steps of the world. */
class TickingWorld implements SteppedWorld {
  nowNs = 0n
  readonly host: HostRecord = emptyRecord(HostSchema, { id: 1 })
  readonly history: WorldHistory = { version: 0, entities: [], sample: () => {} }
  readonly #onStep: () => void
  readonly #snapshot: Snapshot

  constructor(onStep: () => void) {
    this.#onStep = onStep
    this.#snapshot = snapshotWith({ hosts: [this.host] })
  }

  step(): void {
    this.nowNs += stepNs
    this.host.power_on_hours++
    this.#onStep()
  }

  snapshot(): Snapshot {
    return { ...this.#snapshot, simTimeNs: this.nowNs }
  }
}

export interface TickingOptions {
  readonly speed?: number
  readonly warmUpNs?: bigint
  readonly stepTakesMs?: number
}

/** A ticking world as a source, with the clock that its steps advance. */
export function tickingSource({ speed = 60, warmUpNs = 0n, stepTakesMs = 0 }: TickingOptions) {
  const clock = new FakeClock()
  const world = new TickingWorld(() => clock.advanceTo(clock.nowMs() + stepTakesMs))
  const exposition = createExposition({ collectors: [] })
  const options = { world, exposition, clock, speed, warmUpNs, cadenceMs: 1000 }
  return { clock, world, source: new SimulationSource(options) }
}
