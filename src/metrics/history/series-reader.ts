import type { Int64 } from '../../contract/fields.ts'
import { historyMetrics, historyStepNames, historySteps, historySubjects } from '../../contract/history.ts'
import type { HistoryMetric, HistorySubject } from '../../contract/history.ts'
import { metricPathsMax } from '../../contract/routes.ts'
import type { SeriesScale, SeriesUnit } from '../../contract/vocabularies.ts'
import { RowCodec } from './row-codec.ts'
import { finestRows, headerAt, HistoryBlocks, isFree, metricsOf, notEnded } from './history-memory.ts'
import type { HistoryBlock } from './history-memory.ts'

export interface PathList {
  /** In a stable order, at most `metricPathsMax` paths. */
  readonly paths: string[]
  /** The number of paths with the prefix, including those beyond the bound. */
  readonly total: number
}

export interface Series {
  /** Oldest to newest, without gaps: numbers or, from an upstream, its JSON list. */
  readonly values: readonly number[] | Uint8Array
  readonly scale: SeriesScale
  readonly unit: SeriesUnit
  readonly stepNs: Int64
  /** Simulated time of the newest value; 0 if there is none. */
  readonly lastNs: bigint
}

/** Reads metric history as of a simulated time, from any storage: later values are invisible. */
export interface HistoryReader {
  paths(prefix: string, atNs: bigint): PathList | Promise<PathList>
  /** Null if there is no such path. */
  series(path: string, atNs: bigint): Series | null | Promise<Series | null>
}

/** The history of a world without one, or before its start. */
export const noHistory: HistoryReader = { paths: () => ({ paths: [], total: 0 }), series: () => null }

/** The storage of the history (the upstream) does not answer. */
export class HistoryUnavailable extends Error {
  override readonly name = 'HistoryUnavailable'
}

/** Reads history from shared memory on the service thread, without involving the world thread. */
export interface SeriesReader extends HistoryReader {
  paths(prefix: string, atNs?: bigint): PathList
  /** Null if there is no such path. */
  series(path: string, atNs?: bigint): RingSeries | null
}

interface RingSeries extends Series {
  readonly values: readonly number[]
}

interface Entity {
  readonly subject: HistorySubject
  readonly id: bigint
  /** The path prefix of the entity's series. */
  readonly base: string
  readonly block: HistoryBlock
  readonly place: number
}

const stepNs = historyStepNames.map((step) => historySteps[step].seconds * 1e9)

/** The path suffixes of a subject's entities, in order, with the location of their values. */
const endings = Object.fromEntries(
  historySubjects.map((subject) => [
    subject,
    Object.keys(historyMetrics[subject]).flatMap((name, metric) =>
      historyStepNames.map((stepName, step) => ({ text: `${name}/${stepName}`, metric, step })),
    ),
  ]),
) as Record<HistorySubject, { text: string; metric: number; step: number }[]>

const codecs = Object.fromEntries(
  historySubjects.map((subject) => [subject, new RowCodec(metricsOf(subject), 1)]),
) as Record<HistorySubject, RowCodec>

/** Selects the newest row. */
const latestNs = 2n ** 63n - 1n
/** The newest row of a step that is not later than a simulated time. */
const rowAt = (atNs: bigint, step: number): number => Number(atNs / BigInt(stepNs[step]))
const existsAt = ({ block, place }: Entity, row: number): boolean =>
  block.born[place] <= row && (row < block.ended[place] || block.ended[place] === notEnded)

const byId = (one: Entity, other: Entity): number => (one.id < other.id ? -1 : 1)

class RingReader implements SeriesReader {
  readonly #blocks: HistoryBlocks
  #version = -1
  #entities: Entity[] = []
  #byBase = new Map<string, Entity>()

  constructor(memory: SharedArrayBuffer) {
    this.#blocks = new HistoryBlocks(memory)
  }

  paths(prefix: string, atNs = latestNs): PathList {
    this.#refresh()
    const paths: string[] = []
    let total = 0
    const row = rowAt(atNs, 0)
    for (const entity of this.#entities) {
      const { subject, base } = entity
      if (!base.startsWith(prefix) && !prefix.startsWith(base)) continue
      if (!existsAt(entity, row)) continue
      const rest = prefix.slice(base.length)
      const all = endings[subject]
      const matching = rest === '' ? all : all.filter(({ text }) => text.startsWith(rest))
      total += matching.length
      if (paths.length === metricPathsMax) continue
      for (const { text } of matching.slice(0, metricPathsMax - paths.length)) paths.push(base + text)
    }
    return { paths, total }
  }

  series(path: string, atNs = latestNs): RingSeries | null {
    this.#refresh()
    const [, base, end] = /^(?<base>.*\/)(?<end>[^/]+\/[^/]+)$/.exec(path) ?? []
    const entity = this.#byBase.get(base ?? '')
    if (entity === undefined || !existsAt(entity, rowAt(atNs, 0))) return null
    const ending = endings[entity.subject].find(({ text }) => text === end)
    if (ending === undefined) return null
    const { metric, step } = ending
    const { unit, scale }: HistoryMetric = metricsOf(entity.subject)[metric]
    const read = this.#read(entity, metric, step, rowAt(atNs, step))
    if (read === null) return null
    const lastNs = read.values.length === 0 ? 0n : BigInt(read.newest) * BigInt(stepNs[step])
    return { values: read.values, scale, unit, stepNs: stepNs[step], lastNs }
  }

  /**
   * The values of one ring up to a row. The writer never waits: rows that it may have started to overwrite are left
   * out, and an entity whose slot was reassigned during the read has no values.
   */
  #read(
    entity: Entity,
    metric: number,
    step: number,
    lastRow: number,
  ): { values: number[]; newest: number } | null {
    const { block, place } = entity
    const generation = Atomics.load(block.generations, place)
    const changesHands = generation % 2 === 1
    if (changesHands || block.ids[place] !== entity.id) return null
    const newestRow = (): number => Atomics.load(this.#blocks.header, headerAt.newestRow + step)
    const newest = Math.min(lastRow, newestRow())
    const { kept } = historySteps[historyStepNames[step]]
    const first = Math.max(Math.ceil(block.born[place] / finestRows[step]), newest - kept + 1)
    const column = place * block.metrics.length + metric
    const codec = codecs[entity.subject]
    const values: number[] = []
    for (let row = first; row <= newest; row++) {
      const at = block.row(step, row)
      if (at !== null) values.push(codec.decode(metric, at.codes[at.at + column]))
    }
    const overtaken = newestRow() - kept - this.#blocks.layout.leadRows[step] + 1 - first
    if (Atomics.load(block.generations, place) !== generation) return null
    return { values: overtaken > 0 ? values.slice(overtaken) : values, newest }
  }

  #refresh(): void {
    const version = Atomics.load(this.#blocks.header, headerAt.version)
    if (version === this.#version) return
    this.#blocks.refresh()
    this.#entities = historySubjects.flatMap((subject) =>
      this.#blocks.list
        .filter((block) => block.subject === subject)
        .flatMap((block) => entitiesOf(block))
        .toSorted(byId),
    )
    this.#byBase = new Map(this.#entities.map((entity) => [entity.base, entity]))
    this.#version = version
  }
}

function entitiesOf(block: HistoryBlock): Entity[] {
  const { subject } = block
  const entities: Entity[] = []
  for (const [place, id] of block.ids.entries()) {
    const base = subject === 'fleet' ? 'fleet/' : `${subject}/${id}/`
    if (!isFree(id)) entities.push({ subject, id, base, block, place })
  }
  return entities
}

export const createSeriesReader = (memory: SharedArrayBuffer): SeriesReader => new RingReader(memory)
