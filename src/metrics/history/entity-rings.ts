import { historyMetrics, historyStepNames, historySteps, historySubjects } from '../../contract/history.ts'
import type { HistoryEntity, HistoryMetric, HistorySubject } from '../../contract/history.ts'
import { codecOf } from './value-codec.ts'
import type { ValueCodec } from './value-codec.ts'

export const metricsOf = (subject: HistorySubject): readonly HistoryMetric[] =>
  Object.values(historyMetrics[subject])

const codecs = Object.fromEntries(
  historySubjects.map((subject) => [subject, metricsOf(subject).map(codecOf)]),
) as unknown as Record<HistorySubject, readonly ValueCodec[]>

/** Rows of the finest step per row of each step. */
export const finestRows = historyStepNames.map(
  (step) => historySteps[step].seconds / historySteps['10s'].seconds,
)

/** Rows of the next finer step per row of this step. */
const mergedRows = finestRows.map((rows, step) => (step === 0 ? 1 : rows / finestRows[step - 1]))

const firstRows = 64

/**
 * The latest rows of an entity at one step: a 16-bit code for each metric. Row n of a step was sampled at n steps of
 * simulated time. A ring grows as the world becomes old enough to fill it.
 */
class Ring {
  codes: Uint16Array
  /** The oldest row, and the one after the newest. */
  first = 0
  end = 0
  readonly #codecs: readonly ValueCodec[]
  readonly #rowsMax: number

  constructor(subject: HistorySubject, rowsMax: number) {
    this.#codecs = codecs[subject]
    this.#rowsMax = rowsMax
    this.codes = new Uint16Array(this.#codecs.length * Math.min(firstRows, rowsMax))
  }

  get #capacity(): number {
    return this.codes.length / this.#codecs.length
  }

  /** Writes the row after the newest one, or the first. */
  write(row: number, values: Float64Array, from: number): void {
    if (this.end === this.first) this.first = row
    if (row - this.first >= this.#capacity && this.#capacity < this.#rowsMax)
      this.#resize(Math.min(this.#rowsMax, 2 * this.#capacity))
    this.first = Math.max(this.first, row - this.#capacity + 1)
    this.end = row + 1
    const at = (row % this.#capacity) * this.#codecs.length
    for (let metric = 0; metric < this.#codecs.length; metric++)
      this.codes[at + metric] = this.#codecs[metric].encode(values[from + metric])
  }

  values(metric: number, from: number, newest: number): number[] {
    const { decode } = this.#codecs[metric]
    const width = this.#codecs.length
    const capacity = this.#capacity
    const values: number[] = []
    const last = Math.min(newest, this.end - 1)
    for (let row = Math.max(from, this.first); row <= last; row++)
      values.push(decode(this.codes[(row % capacity) * width + metric]))
    return values
  }

  /** Continues saved rows, of a ring that may be longer or shorter. */
  restore(codes: Uint16Array, first: number, end: number): void {
    this.codes = codes
    this.first = first
    this.end = end
    if (this.#capacity > this.#rowsMax) this.#resize(this.#rowsMax)
  }

  #resize(capacity: number): void {
    const width = this.#codecs.length
    const [codes, before] = [new Uint16Array(width * capacity), this.#capacity]
    this.first = Math.max(this.first, this.end - capacity)
    for (let row = this.first; row < this.end; row++) {
      const at = (row % before) * width
      codes.set(this.codes.subarray(at, at + width), (row % capacity) * width)
    }
    this.codes = codes
  }
}

/** The rings of an entity but their codes, as they are saved. */
export interface SavedEntity extends Pick<HistoryEntity, 'subject'> {
  readonly id: bigint
  readonly born: number
  readonly ended: number
  readonly sums: readonly Float64Array[]
  /** The codes of each ring, and its oldest row and the one after the newest. */
  readonly rings: readonly (readonly [codes: number, first: number, end: number])[]
}

/** The history of one entity. */
export class EntityRings {
  readonly subject: HistorySubject
  readonly id: bigint
  /** The number of its metrics. */
  readonly width: number
  readonly rings: readonly Ring[]
  /** Its first row of the finest step. */
  readonly born: number
  /** The first row of the finest step without the entity; Infinity while it exists. */
  ended = Infinity
  /** For each step but the last: sums of the rows of which the next coarser row is the mean. */
  readonly #sums: readonly Float64Array[]

  constructor(
    { subject, id }: { subject: HistorySubject; id: bigint },
    born: number,
    rows: readonly number[],
  ) {
    this.subject = subject
    this.id = id
    this.born = born
    this.width = codecs[subject].length
    this.rings = rows.map((rowsMax) => new Ring(subject, rowsMax))
    this.#sums = rows.slice(1).map(() => new Float64Array(this.width))
  }

  /** Adds the values of a row of the finest step; one that is not kept is summed only. */
  add(row: number, values: Float64Array, from: number, isKept: boolean): void {
    const [sums] = this.#sums
    for (let metric = 0; metric < this.width; metric++) sums[metric] += values[from + metric]
    if (isKept) this.rings[0].write(row, values, from)
  }

  /** Adds a row of a coarser step: means of the finer rows since the entity exists. */
  merge(step: number, row: number, isKept: boolean): void {
    const means = this.#sums[step - 1]
    const next = this.#sums.at(step)
    const firstRow = Math.ceil(this.born / finestRows[step - 1])
    const rows = Math.min(mergedRows[step], row * mergedRows[step] - firstRow + 1)
    for (let metric = 0; metric < this.width; metric++) {
      means[metric] *= rows > 0 ? 1 / rows : 0
      if (next !== undefined) next[metric] += means[metric]
    }
    if (isKept) this.rings[step].write(row, means, 0)
    means.fill(0)
  }

  existsAt(row: number): boolean {
    return this.born <= row && row < this.ended
  }

  saved(): SavedEntity {
    const { subject, id, born, ended } = this
    return {
      subject,
      id,
      born,
      ended,
      sums: this.#sums.map((sums) => sums.slice()),
      rings: this.rings.map(({ codes, first, end }) => [codes.length, first, end]),
    }
  }

  /** `take` returns the next saved codes. */
  static restored(
    saved: SavedEntity,
    rows: readonly number[],
    take: (count: number) => Uint16Array,
  ): EntityRings {
    const entity = new EntityRings(saved, saved.born, rows)
    entity.ended = saved.ended
    for (const [index, sums] of entity.#sums.entries()) sums.set(saved.sums[index])
    for (const [index, ring] of entity.rings.entries()) {
      const [count, first, end] = saved.rings[index]
      ring.restore(take(count), first, end)
    }
    return entity
  }
}
