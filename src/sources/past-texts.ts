import { openMetricsEnd, OpenMetricsText } from '../metrics/open-metrics.ts'
import type { TargetLabels } from '../metrics/open-metrics.ts'
import type { ExpositionChunk } from '../metrics/exposition.ts'

/** Prometheus keeps what is new in blocks of two hours, which begin at even hours. */
export const blockSeconds = 7_200

/** Where a text goes: opened for the first moment of each, then given bytes, then closed. */
export interface TextSink {
  open(fromSeconds: number): void
  write(bytes: Uint8Array): void
  close(): void
}

/**
 * Writes moments as OpenMetrics texts, one for each block of Prometheus: promtool reads a whole text again for every
 * block that it reaches into.
 */
export class PastTexts {
  readonly #sink: TextSink
  readonly #text: OpenMetricsText
  readonly #isParted: boolean
  #block: number | null = null

  /** One text in all, unless `isParted`. */
  constructor(sink: TextSink, target: TargetLabels, isParted: boolean) {
    this.#sink = sink
    this.#text = new OpenMetricsText(target)
    this.#isParted = isParted
  }

  /** How many samples were written so far. */
  get samples(): number {
    return this.#text.samples
  }

  /** `changesAlone` leaves out gauges that stand as they were last written. */
  add(chunks: readonly ExpositionChunk[], atSeconds: number, changesAlone = false): void {
    const block = this.#isParted ? Math.floor(atSeconds / blockSeconds) : 0
    if (block !== this.#block) {
      this.end()
      this.#sink.open(atSeconds)
      this.#block = block
    }
    this.#sink.write(this.#text.moment(chunks, atSeconds, changesAlone))
  }

  end(): void {
    if (this.#block === null) return
    this.#sink.write(openMetricsEnd)
    this.#sink.close()
    this.#block = null
  }
}
