import type { Clock } from '../../src/contract/clock.ts'
import type { Snapshot } from '../../src/contract/collections.ts'
import { BufferPool } from '../../src/encoding/frames/buffer-pool.ts'
import { FrameBuilder } from '../../src/encoding/frames/frame-builder.ts'
import { allParts } from '../../src/encoding/frames/frame-parts.ts'
import type { FramePart } from '../../src/encoding/frames/frame-parts.ts'
import type { ExpositionChunk } from '../../src/contract/exposition-chunk.ts'
import type { FrameSupply, SupplyEvents } from '../../src/mirror/frame-supply.ts'

/**
 * Supplies the current `snapshot`, encoded as in the service but in this thread. It answers a request at once if
 * `prompt` is true, otherwise when `answer` is called.
 */
export class FakeSupply implements FrameSupply {
  snapshot: Snapshot
  exposition: readonly ExpositionChunk[] = []
  prompt = true
  /** Whether it makes the requested parts alone. */
  isSparing = false
  /** Delay of a prompt answer. */
  delayMs = 0
  requests = 0
  closed = false
  readonly pool = new BufferPool()
  readonly #clock: Clock
  readonly #builder: FrameBuilder
  #events: SupplyEvents | null = null
  #requested: readonly FramePart[] = []

  constructor(snapshot: Snapshot, clock: Clock) {
    this.snapshot = snapshot
    this.#clock = clock
    this.#builder = new FrameBuilder(this.pool, clock.nowMs)
  }

  /** The mirror's event handlers. */
  get events(): SupplyEvents {
    if (this.#events === null) throw new Error('The mirror has not started.')
    return this.#events
  }

  start(events: SupplyEvents): void {
    this.#events = events
  }

  request(parts: readonly FramePart[]): void {
    this.requests++
    this.#requested = parts
    if (!this.prompt) return
    if (this.delayMs === 0) this.answer()
    else this.#clock.after(this.delayMs, () => this.answer())
  }

  answer(): void {
    const { snapshot, exposition } = this
    const parts = this.isSparing ? this.#requested : allParts
    const capturedAtMs = this.#clock.nowMs()
    this.events.frame(this.#builder.build({ snapshot, parts, exposition, capturedAtMs, projectMs: 0 }))
  }

  recycle(buffers: ArrayBuffer[]): void {
    for (const buffer of buffers) this.pool.give(buffer)
  }

  async close(): Promise<void> {
    this.closed = true
  }
}
