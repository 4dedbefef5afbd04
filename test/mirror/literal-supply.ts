import type { Clock } from '../../src/contract/clock.ts'
import type { Snapshot } from '../../src/contract/collections.ts'
import { BufferPool } from '../../src/encoding/buffer-pool.ts'
import { FrameBuilder } from '../../src/encoding/frame-builder.ts'
import type { ExpositionChunk } from '../../src/encoding/frame.ts'
import type { FrameSupply, SupplyEvents } from '../../src/mirror/frame-supply.ts'

/**
 * A supply whose world is whatever snapshot it was last given, encoded for real but in this thread. It answers a
 * request when it is told to, or at once where `prompt` is true.
 */
export class LiteralSupply implements FrameSupply {
  snapshot: Snapshot
  exposition: readonly ExpositionChunk[] = []
  prompt = true
  /** What a prompt answer takes. */
  delayMs = 0
  requests = 0
  closed = false
  readonly pool = new BufferPool()
  readonly #clock: Clock
  readonly #builder: FrameBuilder
  #events: SupplyEvents | null = null

  constructor(snapshot: Snapshot, clock: Clock) {
    this.snapshot = snapshot
    this.#clock = clock
    this.#builder = new FrameBuilder(this.pool, clock.nowMs)
  }

  /** What the mirror is told. */
  get events(): SupplyEvents {
    if (this.#events === null) throw new Error('The mirror has not started.')
    return this.#events
  }

  start(events: SupplyEvents): void {
    this.#events = events
  }

  request(): void {
    this.requests++
    if (!this.prompt) return
    if (this.delayMs === 0) this.answer()
    else this.#clock.after(this.delayMs, () => this.answer())
  }

  answer(): void {
    const { snapshot, exposition } = this
    const capturedAtMs = this.#clock.nowMs()
    this.events.frame(this.#builder.build({ snapshot, exposition, capturedAtMs, projectMs: 0 }))
  }

  giveBack(buffers: ArrayBuffer[]): void {
    for (const buffer of buffers) this.pool.give(buffer)
  }

  async close(): Promise<void> {
    this.closed = true
  }
}
