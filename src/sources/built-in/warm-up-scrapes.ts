import { deserialize, serialize } from 'node:v8'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { ExpositionChunk } from '../../contract/exposition-chunk.ts'
import type { Exposition } from '../../metrics/exposition/exposition.ts'
import { stepNs } from '../../world/built-in-world.ts'
import type { BuiltInWorld } from '../../world/built-in-world.ts'
import {
  defaultIntervalSeconds,
  intervalsUntil,
  scrapeEveryNs,
  withoutMirrorMetrics,
} from '../../backfill/scrapes.ts'

/** A scrape with the text of those families alone that differ from the scrape before. */
interface SavedScrape {
  /** All, in their order. */
  readonly families: readonly string[]
  readonly changed: readonly ExpositionChunk[]
}

/** Scrapes depend on these besides the world. */
export interface ScrapeTerms {
  readonly everyNs: bigint
  readonly collectors: readonly string[]
}

interface SavedTerms extends ScrapeTerms {
  readonly count: number
}

/** Compressed together: families change little from scrape to scrape. */
const batchBytes = 16 << 20
const batchBytesMax = 4 * batchBytes
/** The scrapes of a world that is so large that fewer make all samples of a backfill are not kept. */
const intervalsMin = 60

interface WarmUpScrapesOptions {
  readonly world: Pick<BuiltInWorld, 'nowNs' | 'snapshot'>
  readonly exposition: Exposition
  readonly warmUpNs: bigint
  readonly speed: number
}

/** The scrapes of a warm-up, kept so that a backfill need not simulate it again. */
export class WarmUpScrapes {
  readonly #options: WarmUpScrapesOptions
  readonly #everyNs: bigint
  #dueNs: bigint
  #count = 0
  #latest: readonly ExpositionChunk[] = []
  #batch: SavedScrape[] = []
  #batchBytes = 0
  readonly #batches: Uint8Array[] = []

  /** The world is at its beginning. */
  constructor(options: WarmUpScrapesOptions) {
    const { world, exposition, warmUpNs, speed } = options
    this.#options = options
    this.#everyNs = scrapeEveryNs(defaultIntervalSeconds, speed)
    const intervals =
      speed === 0 ? 0 : intervalsUntil(warmUpNs, this.#everyNs, exposition.render(world.snapshot()))
    this.#dueNs = intervals < intervalsMin ? warmUpNs + 1n : warmUpNs - BigInt(intervals) * this.#everyNs
    this.stepped()
  }

  /** Takes the scrapes that are due at this step. */
  stepped(): void {
    const { world, exposition, warmUpNs } = this.#options
    for (; this.#dueNs < world.nowNs + stepNs && this.#dueNs <= warmUpNs; this.#dueNs += this.#everyNs)
      this.#add(withoutMirrorMetrics(exposition.render(world.snapshot())))
  }

  #add(chunks: readonly ExpositionChunk[]): void {
    const before = new Set(this.#latest)
    const changed = chunks
      .filter((chunk) => !before.has(chunk))
      .map(({ family, bytes }) => ({ family, bytes: bytes.slice() }))
    this.#latest = chunks
    this.#count++
    this.#batch.push({ families: chunks.map(({ family }) => family), changed })
    for (const { bytes } of changed) this.#batchBytes += bytes.length
    if (this.#batchBytes >= batchBytes) this.#compress()
  }

  #compress(): void {
    this.#batches.push(zstdCompressSync(serialize(this.#batch)))
    this.#batch = []
    this.#batchBytes = 0
  }

  /** The bytes of all; none where there is no scrape. */
  encode(): Uint8Array {
    if (this.#batch.length > 0) this.#compress()
    if (this.#batches.length === 0) return new Uint8Array()
    const { collectors } = this.#options.exposition
    const terms: SavedTerms = { everyNs: this.#everyNs, collectors, count: this.#count }
    return serialize({ terms, batches: this.#batches })
  }
}

/** Scrapes of a world, oldest first. */
export interface Scrapes {
  readonly count: number
  /** Each is valid until the next one. An unchanged family remains the same object. */
  readonly each: Iterable<readonly ExpositionChunk[]>
}

/** Scrapes from their bytes; null if they were made on other terms. */
export function scrapesIn(bytes: Buffer, terms: ScrapeTerms): Scrapes | null {
  const { terms: saved, batches } = deserialize(bytes) as { terms: SavedTerms; batches: Uint8Array[] }
  const { everyNs, collectors, count } = saved
  const isSame = everyNs === terms.everyNs && String(collectors) === String(terms.collectors)
  return isSame ? { count, each: eachOf(batches) } : null
}

function* eachOf(batches: readonly Uint8Array[]): Scrapes['each'] {
  const latest = new Map<string, ExpositionChunk>()
  for (const batch of batches) {
    const scrapes = deserialize(
      zstdDecompressSync(batch, { maxOutputLength: batchBytesMax }),
    ) as SavedScrape[]
    for (const { families, changed } of scrapes) {
      for (const chunk of changed) latest.set(chunk.family, chunk)
      yield families.map((family) => latest.get(family)!)
    }
  }
}
