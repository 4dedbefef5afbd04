import type { ExpositionChunk } from '../contract/exposition-chunk.ts'

/** Prometheus shows a series without an end mark for this long after its last sample, by default. */
export const defaultLookbackSeconds = 300

const newline = 10
const blank = 32
const hash = 35

interface HeldScrape {
  readonly chunks: readonly ExpositionChunk[]
  readonly atSeconds: number
  readonly changesOnly: boolean
}

/**
 * The last scrapes of a history, without the series that have ended before the last one. A text cannot mark the end of
 * a series: a Prometheus that scrapes the mirror from then on would show it beside what replaced it, and alert on it.
 */
export class LastScrapes {
  readonly #held: HeldScrape[] = []
  /** Chunks are valid until the next scrape only. An unchanged one remains the same object. */
  readonly #copies = new Map<string, { readonly chunk: ExpositionChunk; readonly copy: ExpositionChunk }>()

  hold(chunks: readonly ExpositionChunk[], atSeconds: number, changesOnly: boolean): void {
    this.#held.push({ chunks: chunks.map((chunk) => this.#copyOf(chunk)), atSeconds, changesOnly })
  }

  #copyOf(chunk: ExpositionChunk): ExpositionChunk {
    const known = this.#copies.get(chunk.family)
    if (known?.chunk === chunk) return known.copy
    const copy = { family: chunk.family, bytes: chunk.bytes.slice() }
    this.#copies.set(chunk.family, { chunk, copy })
    return copy
  }

  *lasting(): Generator<HeldScrape> {
    const last = this.#held.at(-1)?.chunks ?? []
    const lasting = new Set(
      last.flatMap(({ bytes }) => linesOf(bytes).flatMap((line) => seriesOf(line) ?? [])),
    )
    const filtered = new Map<ExpositionChunk, ExpositionChunk>()
    const only = (chunk: ExpositionChunk): ExpositionChunk => {
      const lines = linesOf(chunk.bytes)
      const kept = lines.filter((line) => lasting.has(seriesOf(line) ?? '') || line[0] === hash)
      const result =
        kept.length === lines.length ? chunk : { family: chunk.family, bytes: Buffer.concat(kept) }
      filtered.set(chunk, result)
      return result
    }
    for (const { chunks, ...scrape } of this.#held)
      yield { ...scrape, chunks: chunks.map((chunk) => filtered.get(chunk) ?? only(chunk)) }
  }
}

/** With their line breaks. */
function linesOf(bytes: Uint8Array): Buffer[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const lines: Buffer[] = []
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(newline, from) + 1
    lines.push(text.subarray(from, end))
    from = end
  }
  return lines
}

/** Name and labels of a sample; null for a comment. */
const seriesOf = (line: Buffer): string | null =>
  line[0] === hash ? null : line.toString('latin1', 0, line.lastIndexOf(blank)).trimEnd()
