import type { ExpositionChunk } from '../../contract/exposition-chunk.ts'
import { escapeLabel } from './label-text.ts'

const newline = 10
const blank = 32
const hash = 35
const closingBrace = 125
const zero = 48

/** Unix seconds have ten digits until the year 2286. */
const secondsDigits = 10

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The mandatory last line of an OpenMetrics text. */
export const openMetricsEnd = encoder.encode('# EOF\n')

/** The labels that Prometheus attaches to every sample of a target. */
export type TargetLabels = Readonly<Record<string, string>>

const typeOf = (head: string): string => /^# TYPE \S+ (?<type>\w+)$/m.exec(head)!.groups!['type']

/** OpenMetrics names a counter family without the `_total` of its samples. */
const typeLine = (family: string, type: string): string =>
  `# TYPE ${type === 'counter' ? family.replace(/_total$/, '') : family} ${type}\n`

/** The lines of one family with the target's labels and a timestamp that is overwritten in place. */
class FamilyLines {
  readonly #labeled: Uint8Array
  readonly #bare: Uint8Array
  #type = ''
  #chunk: ExpositionChunk | null = null
  #bytes = Buffer.alloc(0)
  #length = 0
  /** Offsets of the timestamps. */
  #times = new Uint32Array(16)
  #count = 0

  /** `labeled` follows a sample's own labels, up to the brace; `bare` is the variant for samples without labels. */
  constructor(labeled: Uint8Array, bare: Uint8Array) {
    this.#labeled = labeled
    this.#bare = bare
  }

  /** The number of samples in the text. */
  get count(): number {
    return this.#count
  }

  /** Whether the chunk is a gauge, or a summary of quantiles alone, with the values of the last write. */
  isSettled(chunk: ExpositionChunk): boolean {
    return chunk === this.#chunk && (this.#type === 'gauge' || this.#type === 'summary')
  }

  text(chunk: ExpositionChunk, seconds: Uint8Array): Uint8Array {
    if (chunk !== this.#chunk) this.#lay(chunk)
    this.#chunk = chunk
    for (let row = 0; row < this.#count; row++) {
      const at = this.#times[row]
      for (let digit = 0; digit < secondsDigits; digit++) this.#bytes[at + digit] = seconds[digit]
    }
    return this.#bytes.subarray(0, this.#length)
  }

  #lay({ family, bytes }: ExpositionChunk): void {
    let from = 0
    while (bytes[from] === hash) from = bytes.indexOf(newline, from) + 1
    this.#type = typeOf(decoder.decode(bytes.subarray(0, from)))
    const head = encoder.encode(typeLine(family, this.#type))
    this.#reserve(head.length)
    this.#bytes.set(head)
    this.#length = head.length
    this.#count = 0
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    while (from < text.length) {
      const end = text.indexOf(newline, from)
      this.#layLine(text, from, end)
      from = end + 1
    }
  }

  /** Matches `name{labels} value`, with any number of blanks before the value. */
  #layLine(text: Buffer, from: number, end: number): void {
    let value = end
    while (text[value - 1] !== blank) value--
    let labels = value
    while (text[labels - 1] === blank) labels--
    const isLabeled = text[labels - 1] === closingBrace
    const added = isLabeled ? this.#labeled : this.#bare
    const upTo = isLabeled ? labels - 1 : labels
    this.#reserve(this.#length + (end - from) + added.length + secondsDigits + 2)
    const bytes = this.#bytes
    let at = this.#length
    text.copy(bytes, at, from, upTo)
    at += upTo - from
    bytes.set(added, at)
    at += added.length
    for (let index = value; index < end; index++) bytes[at++] = text[index]
    bytes[at++] = blank
    this.#noteTime(at)
    at += secondsDigits
    bytes[at++] = newline
    this.#length = at
  }

  #noteTime(at: number): void {
    if (this.#count === this.#times.length) {
      const grown = new Uint32Array(this.#times.length * 2)
      grown.set(this.#times)
      this.#times = grown
    }
    this.#times[this.#count++] = at
  }

  #reserve(needed: number): void {
    if (needed <= this.#bytes.length) return
    const grown = Buffer.alloc(needed * 2)
    grown.set(this.#bytes)
    this.#bytes = grown
  }
}

/**
 * Converts consecutive expositions to OpenMetrics text with timestamps, as `promtool tsdb create-blocks-from
 * openmetrics` reads it. Samples are grouped by time rather than by family, so that a history of any length streams
 * in constant memory. The text ends with `openMetricsEnd`.
 */
export class OpenMetricsText {
  readonly #labeled: Uint8Array
  readonly #bare: Uint8Array
  readonly #families = new Map<string, FamilyLines>()
  #bytes = Buffer.alloc(0)
  #samples = 0

  constructor(target: TargetLabels) {
    const pairs = Object.entries(target).map(([label, value]) => `${label}="${escapeLabel(value)}"`)
    this.#labeled = encoder.encode(pairs.length === 0 ? '} ' : `,${pairs.join(',')}} `)
    this.#bare = encoder.encode(pairs.length === 0 ? ' ' : `{${pairs.join(',')}} `)
  }

  /** The number of samples written so far. */
  get samples(): number {
    return this.#samples
  }

  /**
   * The text of one exposition at a Unix second. The bytes are valid until the next call. With `changesAlone`, gauge
   * families and summaries without a change are left out: a query finds the earlier sample. Counters are always written, because
   * rates are computed over short ranges.
   */
  moment(chunks: readonly ExpositionChunk[], atSeconds: number, changesAlone = false): Uint8Array {
    const seconds = secondsText(atSeconds)
    let length = 0
    for (const chunk of chunks) {
      const lines = this.#linesOf(chunk.family)
      if (changesAlone && lines.isSettled(chunk)) continue
      const text = lines.text(chunk, seconds)
      this.#samples += lines.count
      if (length + text.length > this.#bytes.length) this.#grow(length, text.length)
      this.#bytes.set(text, length)
      length += text.length
    }
    return this.#bytes.subarray(0, length)
  }

  #linesOf(family: string): FamilyLines {
    let lines = this.#families.get(family)
    if (lines === undefined) {
      lines = new FamilyLines(this.#labeled, this.#bare)
      this.#families.set(family, lines)
    }
    return lines
  }

  #grow(kept: number, needed: number): void {
    const grown = Buffer.alloc((kept + needed) * 2)
    grown.set(this.#bytes.subarray(0, kept))
    this.#bytes = grown
  }
}

function secondsText(atSeconds: number): Uint8Array {
  const digits = new Uint8Array(secondsDigits)
  let rest = atSeconds
  for (let index = secondsDigits - 1; index >= 0; index--) {
    digits[index] = zero + (rest % 10)
    rest = Math.floor(rest / 10)
  }
  return digits
}
