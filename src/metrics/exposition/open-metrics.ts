import type { ExpositionChunk } from '../../contract/exposition-chunk.ts'
import { escapeLabel } from './label-text.ts'

/** Texts have a character for each byte, also where several bytes are one: they are cut and joined fast. */
const bytesAsText = 'latin1'

/** The mandatory last line of an OpenMetrics text. */
export const openMetricsEnd = Buffer.from('# EOF\n')

/** The labels that Prometheus attaches to every sample of a target. */
export type TargetLabels = Readonly<Record<string, string>>

/** OpenMetrics names a counter family without the `_total` of its samples. */
const typeLine = (family: string, type: string): string =>
  `# TYPE ${type === 'counter' ? family.replace(/_total$/, '') : family} ${type}\n`

/** The text of a chunk, in pieces between which the time of each sample stands. */
interface FamilyText {
  readonly chunk: ExpositionChunk
  readonly type: string
  readonly pieces: readonly string[]
}

/**
 * Converts consecutive expositions to OpenMetrics text with timestamps, as `promtool tsdb create-blocks-from
 * openmetrics` reads it. Samples are grouped by time rather than by family, so that a history of any length streams
 * in constant memory. The text ends with `openMetricsEnd`.
 */
export class OpenMetricsText {
  /** The target's labels behind a sample's own, and of a sample without any. */
  readonly #labeled: string
  readonly #bare: string
  readonly #families = new Map<string, FamilyText>()
  #samples = 0

  constructor(target: TargetLabels) {
    const pairs = Object.entries(target).map(([label, value]) => `${label}="${escapeLabel(value)}"`)
    const labels = Buffer.from(pairs.join(',')).toString(bytesAsText)
    this.#labeled = labels === '' ? '}' : `,${labels}}`
    this.#bare = labels === '' ? '' : `{${labels}}`
  }

  /** The number of samples written so far. */
  get samples(): number {
    return this.#samples
  }

  /**
   * The text of one exposition at a Unix second. With `changesAlone`, gauge families and summaries without a change are
   * left out: a query finds the earlier sample. Counters are always written, because rates are computed over short
   * ranges.
   */
  textAt(chunks: readonly ExpositionChunk[], atSeconds: number, changesAlone = false): Uint8Array {
    let text = ''
    for (const chunk of chunks) {
      const known = this.#families.get(chunk.family)
      const isSame = known?.chunk === chunk
      if (changesAlone && isSame && (known.type === 'gauge' || known.type === 'summary')) continue
      const { pieces } = isSame ? known : this.#lay(chunk)
      this.#samples += pieces.length - 1
      text += pieces.join(` ${atSeconds}\n`)
    }
    return Buffer.from(text, bytesAsText)
  }

  /** Lines are `name{labels} value`, with any number of blanks before the value. */
  #lay(chunk: ExpositionChunk): FamilyText {
    const { buffer, byteOffset, length } = chunk.bytes
    const lines = Buffer.from(buffer, byteOffset, length).toString(bytesAsText).split('\n')
    const [, type] = /^# TYPE \S+ (\w+)$/.exec(lines.find((line) => line.startsWith('# TYPE'))!)!
    const samples = lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const value = line.lastIndexOf(' ') + 1
        const series = line.slice(0, value).trimEnd()
        const labeled = series.endsWith('}') ? series.slice(0, -1) + this.#labeled : series + this.#bare
        return `${labeled} ${line.slice(value)}`
      })
    const head = typeLine(chunk.family, type)
    const [first, ...others] = samples
    const text = { chunk, type, pieces: first === undefined ? [head] : [head + first, ...others, ''] }
    this.#families.set(chunk.family, text)
    return text
  }
}
