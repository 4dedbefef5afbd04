import { openMetricsEnd, OpenMetricsText } from '../metrics/exposition/open-metrics.ts'
import type { TargetLabels } from '../metrics/exposition/open-metrics.ts'
import type { ExpositionChunk } from '../contract/exposition-chunk.ts'

/** Prometheus keeps recent samples in blocks of two hours that begin at even hours. */
const blockSeconds = 7_200

/** Receives OpenMetrics texts one after the other: each is opened, written and closed. */
export interface BackfillSink {
  /** Whether each block of Prometheus is to be a text of its own. */
  readonly isSplitByBlock: boolean
  /** Opens a text; `firstSeconds` is the time of its first sample. */
  open(firstSeconds: number): void
  write(bytes: Uint8Array): void
  close(): void
  /** Removes an unclosed text. */
  discard(): void
}

/** Writes scrapes as OpenMetrics texts. promtool reads a text once for every block that it overlaps. */
export class BackfillWriter {
  readonly #sink: BackfillSink
  readonly #text: OpenMetricsText
  #block: number | null = null

  constructor(sink: BackfillSink, target: TargetLabels) {
    this.#sink = sink
    this.#text = new OpenMetricsText(target)
  }

  /** Samples written so far. */
  get samples(): number {
    return this.#text.samples
  }

  /** `changesOnly` leaves out gauges that have not changed since their last write. */
  add(chunks: readonly ExpositionChunk[], atSeconds: number, changesOnly = false): void {
    const block = this.#sink.isSplitByBlock ? Math.floor(atSeconds / blockSeconds) : 0
    if (block !== this.#block) {
      this.end()
      this.#sink.open(atSeconds)
      this.#block = block
    }
    this.#sink.write(this.#text.textAt(chunks, atSeconds, changesOnly))
  }

  end(): void {
    if (this.#block === null) return
    this.#sink.write(openMetricsEnd)
    this.#sink.close()
    this.#block = null
  }

  /** Removes an unfinished text. */
  discard(): void {
    this.#sink.discard()
  }
}
