import type { Clock } from '../contract/clock.ts'
import type { FramePart } from '../encoding/frames/frame-parts.ts'
import type { FromWorld } from '../encoding/frames/worker-protocol.ts'
import type { FrameSupply, SupplyEvents } from '../mirror/frame-supply.ts'
import type { Source } from '../sources/source.ts'
import { SourceRunner } from '../sources/source-runner.ts'

/** Supplies frames of a source that runs in this thread. */
export class LocalFrameSupply implements FrameSupply {
  readonly #source: Source
  readonly #runner: SourceRunner
  #events: SupplyEvents | null = null
  #isClosed = false

  constructor(source: Source, clock: Clock) {
    this.#source = source
    this.#runner = new SourceRunner({
      source,
      clock,
      post: (message) => this.#receive(message),
      soon: (call) => {
        if (!this.#isClosed) setImmediate(call)
      },
    })
  }

  start(events: SupplyEvents): void {
    this.#events = events
    this.#runner.start()
  }

  request(parts: readonly FramePart[]): void {
    if (!this.#isClosed) this.#runner.receive({ kind: 'publish', parts })
  }

  recycle(buffers: ArrayBufferLike[]): void {
    this.#runner.receive({ kind: 'recycle', buffers })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#source.close?.()
  }

  #receive(message: FromWorld): void {
    if (this.#isClosed) return
    if (message.kind === 'warming-up') this.#events?.warmingUp(message)
    else if (message.kind === 'frame') this.#events?.frame(message.message)
    else if (message.kind === 'unchanged') this.#events?.unchanged()
    else if (message.kind === 'missed') this.#events?.missed(message.miss)
  }
}
