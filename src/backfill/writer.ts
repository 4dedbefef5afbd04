import { closeSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ExpositionChunk } from '../contract/exposition-chunk.ts'
import { openRegularFile, writeAll } from '../files/regular-file.ts'
import { openMetricsEnd, OpenMetricsText } from '../metrics/exposition/open-metrics.ts'
import type { TargetLabels } from '../metrics/exposition/open-metrics.ts'

/** Prometheus keeps recent samples in blocks of two hours that begin at even hours. */
const blockSeconds = 7_200

/** While it is written, a file has a name of its own: under its name it is complete. */
const unfinished = (path: string): string => `${path}.unfinished`

/**
 * Writes scrapes as OpenMetrics texts: to one file, or to one for each block of Prometheus in a directory, named by the
 * second of its first sample. promtool reads a text once for every block that it overlaps.
 */
export class BackfillWriter {
  readonly #out: string
  readonly #isDirectory: boolean
  readonly #text: OpenMetricsText
  #file: { readonly path: string; readonly descriptor: number } | null = null
  #block = 0

  /** `out` is a directory (a new one ends with a slash), or a file. */
  constructor(out: string, target: TargetLabels) {
    const stat = statSync(out, { throwIfNoEntry: false })
    // If `out` is a symbolic link, its target is replaced.
    this.#out = stat === undefined ? out : realpathSync(out)
    this.#isDirectory = out.endsWith('/') || stat?.isDirectory() === true
    this.#text = new OpenMetricsText(target)
    if (this.#isDirectory) prepareDirectory(out)
    // Opened at once, so that an unwritable path is noticed before the world is simulated.
    else this.#open(this.#out)
  }

  /** Samples written so far. */
  get samples(): number {
    return this.#text.samples
  }

  /** `changesOnly` leaves out gauges that have not changed since their last write. */
  add(chunks: readonly ExpositionChunk[], atSeconds: number, changesOnly = false): void {
    const block = this.#isDirectory ? Math.floor(atSeconds / blockSeconds) : 0
    if (block !== this.#block) this.end()
    this.#block = block
    const { descriptor } = this.#file ?? this.#open(join(this.#out, `${atSeconds}.om`))
    writeAll(descriptor, this.#text.textAt(chunks, atSeconds, changesOnly))
  }

  /** Completes the text. */
  end(): void {
    if (this.#file === null) return
    const { path, descriptor } = this.#file
    writeAll(descriptor, openMetricsEnd)
    closeSync(descriptor)
    renameSync(unfinished(path), path)
    this.#file = null
  }

  /** Removes an unfinished text. */
  discard(): void {
    if (this.#file === null) return
    closeSync(this.#file.descriptor)
    rmSync(unfinished(this.#file.path), { force: true })
    this.#file = null
  }

  #open(path: string) {
    return (this.#file = { path, descriptor: openRegularFile(unfinished(path), 'replace') })
  }
}

function prepareDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true })
  const existing = readdirSync(directory).find((name) => name.endsWith('.om'))
  if (existing === undefined) return
  throw new Error(
    `it already contains a backfill (${existing}), and two would overlap. ` +
      `To replace it, remove it first: rm ${join(directory, '*.om')}`,
  )
}
