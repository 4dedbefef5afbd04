import { historyMetrics, historyStepNames, historySteps, historySubjects } from '../../contract/history.ts'
import type { HistoryEntity, HistorySubject, WorldHistory } from '../../contract/history.ts'
import { metricPathsMax } from '../../contract/routes.ts'
import { EntityRings, finestRows, metricsOf } from './entity-rings.ts'
import type { SavedEntity } from './entity-rings.ts'
import type { HistoryReader, PathList, Series } from './history-reader.ts'

/** Upper bound of the series with a history, for worlds of any size. */
const historySeriesMax = 65_536

/** The longest gap that is filled with repeated values; after a longer one the history restarts. */
const filledRowsMax = 8_640

const stepNs = historyStepNames.map((step) => historySteps[step].seconds * 1e9)

/** Of a time of which only hours and days remain, one row in 30 is sampled, and stands for all. */
const sampledEvery = 30

/**
 * The world may be ahead of the snapshot that clients see by this much wall time, but at most by a simulated hour. Rings
 * are longer by that, and an entity that went stays for as long.
 */
const leadSeconds = 10
const leadSimSecondsMax = 3_600

/** Rows by which a world that runs at a speed may be ahead of its readers, for each step. */
const leadRowsAt = (speed: number): number[] =>
  historyStepNames.map((step) => {
    const ahead = Math.min(speed * leadSeconds, leadSimSecondsMax)
    return Math.max(1, Math.ceil(ahead / historySteps[step].seconds))
  })

export interface SavedRings {
  /** The codes of all rings, one after the other. */
  readonly memory: Uint8Array
  readonly newest: number
  readonly entities: readonly SavedEntity[]
}

/** The id of the fleet, which has no record. */
const idOf = ({ id }: HistoryEntity): bigint => (id === null ? 0n : BigInt(id))

/** The path prefix of an entity's series. */
const baseOf = (subject: HistorySubject, id: bigint): string =>
  subject === 'fleet' ? 'fleet/' : `${subject}/${id}/`

/** The path suffixes of a subject's entities, in order, with the location of their values. */
const endings = Object.fromEntries(
  historySubjects.map((subject) => [
    subject,
    Object.keys(historyMetrics[subject]).flatMap((name, metric) =>
      historyStepNames.map((stepName, step) => ({ text: `${name}/${stepName}`, metric, step })),
    ),
  ]),
) as Record<HistorySubject, { text: string; metric: number; step: number }[]>

/** Selects the newest row. */
const latestNs = 2n ** 63n - 1n
/** The newest row of a step that is not later than a simulated time. */
const rowAt = (atNs: bigint, step: number): number => Number(atNs / BigInt(stepNs[step]))

interface RingsOptions {
  /** Reading starts here, at the end of the warm-up: rows that will have left their ring by then are only summed. */
  readonly readFromNs?: bigint
  /** Continues from it. */
  readonly saved?: SavedRings | null
  /** Of the world, which decides how far it may be ahead of its readers. */
  readonly speed?: number
}

/** A world's history: the latest values of each entity at several steps. Owned and read by the world thread. */
export class HistoryRings implements HistoryReader {
  readonly #history: WorldHistory
  readonly #readFromRow: number
  readonly #leadRows: readonly number[]
  readonly #ringRows: readonly number[]
  #version = -1
  /** By the prefix of their paths, with those that went a short while ago. */
  #entities = new Map<string, EntityRings>()
  /** In the order of the values; null for entities beyond the bound. */
  #present: (EntityRings | null)[] = []
  #values = new Float64Array(0)
  #newest = -1

  constructor(history: WorldHistory, { readFromNs = 0n, saved = null, speed = Infinity }: RingsOptions = {}) {
    this.#history = history
    this.#readFromRow = rowAt(readFromNs, 0)
    this.#leadRows = leadRowsAt(speed)
    this.#ringRows = historyStepNames.map((step, index) => historySteps[step].kept + this.#leadRows[index])
    if (saved !== null) this.#restore(saved)
  }

  /** A copy of the state that another history continues from, for a world that is saved at the same time. */
  saved(): SavedRings {
    const rings = [...this.#entities.values()].flatMap((entity) => entity.rings)
    const memory = new Uint16Array(rings.reduce((sum, { codes }) => sum + codes.length, 0))
    let at = 0
    for (const { codes } of rings) {
      memory.set(codes, at)
      at += codes.length
    }
    return {
      memory: new Uint8Array(memory.buffer),
      newest: this.#newest,
      entities: Array.from(this.#entities.values(), (entity) => entity.saved()),
    }
  }

  /** The entities of the history are those at the time of saving. */
  #restore({ memory, newest, entities }: SavedRings): void {
    const codes = new Uint16Array(new Uint8Array(memory).buffer)
    let at = 0
    const take = (count: number): Uint16Array => {
      if (at + count > codes.length) throw new RangeError(`${codes.length} codes of a history, expected more`)
      return codes.slice(at, (at += count))
    }
    for (const saved of entities)
      this.#entities.set(baseOf(saved.subject, saved.id), EntityRings.restored(saved, this.#ringRows, take))
    this.#newest = newest
    this.#settleEntities(newest + 1)
  }

  /**
   * Samples the current values at a simulated time. Steps skipped since the last sample get the same values. A second
   * call within the same 10-second step has no effect, nor have most calls in a warm-up of which only hours remain.
   */
  record(simTimeNs: bigint): void {
    const row = rowAt(simTimeNs, 0)
    if (row === this.#newest || !this.#isSampled(row)) return
    const continues = this.#newest >= 0 && row > this.#newest && row - this.#newest <= filledRowsMax
    if (!continues) this.#restart(row)
    if (this.#version !== this.#history.version) this.#settleEntities(this.#newest + 1)
    this.#history.sample(this.#values)
    while (this.#newest < row) this.#writeRow(this.#newest + 1)
  }

  /** Drops all values: the next sample starts a new history. */
  #restart(row: number): void {
    this.#newest = row - 1
    this.#entities.clear()
    this.#version = -1
  }

  /** Gives every entity of the history its rings, up to the bound. */
  #settleEntities(firstRow: number): void {
    const { entities, version } = this.#history
    const keys = entities.map((entity) => baseOf(entity.subject, idOf(entity)))
    const wanted = new Set(keys)
    let series = 0
    for (const [key, entity] of this.#entities) {
      if (!wanted.has(key)) entity.ended = Math.min(entity.ended, firstRow)
      // No reader asks for it any more, or it returns.
      if (firstRow - entity.ended > this.#leadRows[0] || (wanted.has(key) && entity.ended < Infinity))
        this.#entities.delete(key)
      else series += entity.width
    }
    this.#present = entities.map((entity, index) => {
      const known = this.#entities.get(keys[index])
      if (known !== undefined) return known
      const added = new EntityRings({ subject: entity.subject, id: idOf(entity) }, firstRow, this.#ringRows)
      series += added.width
      if (series > historySeriesMax) return null
      this.#entities.set(keys[index], added)
      return added
    })
    this.#values = new Float64Array(entities.reduce((sum, { subject }) => sum + metricsOf(subject).length, 0))
    this.#sort()
    this.#version = version
  }

  /** By subject and id, in which order paths are listed. */
  #sort(): void {
    const order = (one: EntityRings, other: EntityRings): number =>
      historySubjects.indexOf(one.subject) - historySubjects.indexOf(other.subject) ||
      (one.id < other.id ? -1 : 1)
    const sorted = [...this.#entities].toSorted(([, one], [, other]) => order(one, other))
    this.#entities = new Map(sorted)
  }

  /** Whether a row will still be in its ring when reading starts. */
  #isKept(step: number, row: number): boolean {
    return (row + historySteps[historyStepNames[step]].kept) * finestRows[step] > this.#readFromRow
  }

  #isSampled(row: number): boolean {
    return this.#newest < 0 || row % sampledEvery === 0 || this.#isKept(1, Math.ceil(row / finestRows[1]))
  }

  #writeRow(row: number): void {
    const isKept = this.#isKept(0, row)
    let at = 0
    for (let index = 0; index < this.#present.length; index++) {
      const entity = this.#present[index]
      entity?.add(row, this.#values, at, isKept)
      at += entity?.width ?? metricsOf(this.#history.entities[index].subject).length
    }
    this.#newest = row
    for (let step = 1; step < historyStepNames.length && row % finestRows[step] === 0; step++) {
      const coarse = row / finestRows[step]
      for (const entity of this.#present) entity?.merge(step, coarse, this.#isKept(step, coarse))
    }
  }

  paths(prefix: string, atNs = latestNs): PathList {
    const paths: string[] = []
    let total = 0
    const row = rowAt(atNs, 0)
    for (const [base, entity] of this.#entities) {
      if (!base.startsWith(prefix) && !prefix.startsWith(base)) continue
      if (!entity.existsAt(row)) continue
      const rest = prefix.slice(base.length)
      const all = endings[entity.subject]
      const matching = rest === '' ? all : all.filter(({ text }) => text.startsWith(rest))
      total += matching.length
      for (const { text } of matching.slice(0, metricPathsMax - paths.length)) paths.push(base + text)
    }
    return { paths, total }
  }

  series(path: string, atNs = latestNs): Series | null {
    const [, base = '', end] = /^(?<base>.*\/)(?<end>[^/]+\/[^/]+)$/.exec(path) ?? []
    const entity = this.#entities.get(base)
    if (entity === undefined || !entity.existsAt(rowAt(atNs, 0))) return null
    const ending = endings[entity.subject].find(({ text }) => text === end)
    if (ending === undefined) return null
    const { metric, step } = ending
    const { unit, scale } = metricsOf(entity.subject)[metric]
    const newest = Math.min(rowAt(atNs, step), Math.floor(this.#newest / finestRows[step]))
    const { kept } = historySteps[historyStepNames[step]]
    const values = entity.rings[step].values(metric, newest - kept + 1, newest)
    const lastNs = values.length === 0 ? 0n : BigInt(newest) * BigInt(stepNs[step])
    return { values, scale, unit, stepNs: stepNs[step], lastNs }
  }
}
