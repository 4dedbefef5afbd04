/**
 * The shared memory of the history, written by the world thread and read by the service thread. A header is followed
 * by blocks of entities of one subject. A block has a ring of rows for each step; a row holds a 16-bit code for each
 * metric of each entity. Rows are numbered by simulated time: row n of a step was sampled at n steps. Rows are
 * allocated in extents as the world grows old enough to need them.
 *
 * Readers read the history as of the snapshot that they serve, and the world is ahead of it. A ring therefore keeps
 * some rows beyond those that it shows, and an entity that was removed keeps its slot for as long.
 */
import { historyMetrics, historyStepNames, historySteps, historySubjects } from '../../contract/history.ts'
import type { HistoryMetric, HistorySubject } from '../../contract/history.ts'

/** Upper bound of the series with a history, for worlds of any size. */
const historySeriesMax = 65_536
const blocksMax = 4_096

/** Entities per block: small for small collections, because a row takes space for all entities of its block. */
const entitiesPerBlock: Readonly<Record<HistorySubject, number>> = {
  fleet: 1,
  azs: 1,
  'host-pools': 2,
  gateways: 4,
  customers: 16,
  switches: 16,
  hosts: 24,
}

/** Offsets in the header, in 32-bit integers. */
export const headerAt = {
  /** Incremented whenever an entity is added or removed. */
  version: 0,
  blocks: 1,
  /** The newest row of each step. */
  newestRow: 2,
} as const

const blockTableAt = 64
const headerBytes = blockTableAt + blocksMax * 8
const freeId = -1n
export const notEnded = 2 ** 31 - 1
/** The id of the fleet, which has none of its own. */
export const fleetId = 0n

/** Rows by which the writer may be ahead of a reader without shortening what it reads: a second at speed 3600. */
export const leadRows = [360, 60, 1, 1] as const
/** Rows of a ring (one of which may be in the middle of a write) and rows per extent. */
const ringRows = historyStepNames.map((step, index) => historySteps[step].kept + leadRows[index] + 1)
const extentRows = [ringRows[0], ringRows[1], 121, 61] as const
const extentsOf = ringRows.map((rows, step) => Math.ceil(rows / extentRows[step]))
const extentsBefore = extentsOf.map((_, step) =>
  extentsOf.slice(0, step).reduce((sum, count) => sum + count, 0),
)
const extentsABlock = extentsOf.reduce((sum, count) => sum + count, 0)

/** Lengths in the memory are multiples of this and are stored divided by it. */
const grain = 8
const whole = (bytes: number): number => Math.ceil(bytes / grain) * grain

export const metricsOf = (subject: HistorySubject): readonly HistoryMetric[] =>
  Object.values(historyMetrics[subject])

/** The position of a row in a ring. */
interface RowPlace {
  readonly codes: Uint16Array
  readonly at: number
}

/** The entities of one block and the location of their rows. */
export class HistoryBlock {
  readonly subject: HistorySubject
  readonly metrics: readonly HistoryMetric[]
  readonly entities: number
  readonly columns: number
  /** Entity ids by slot; -1 for a free slot. */
  readonly ids: BigInt64Array
  /** A seqlock per slot: odd while the slot is being reassigned. */
  readonly generations: Int32Array
  /** The entity's first row of the finest step. */
  readonly born: Int32Array
  /** The first row of the finest step without the entity, which then no longer exists; `notEnded` while it does. */
  readonly ended: Int32Array
  readonly #memory: SharedArrayBuffer
  /** The start of each extent; 0 while it is not allocated. */
  readonly #extents: Uint32Array
  readonly #views: (Uint16Array | null)[] = Array.from({ length: extentsABlock }, () => null)

  constructor(memory: SharedArrayBuffer, offset: number, subject: HistorySubject) {
    this.subject = subject
    this.metrics = metricsOf(subject)
    this.entities = entitiesPerBlock[subject]
    this.columns = this.entities * this.metrics.length
    this.ids = new BigInt64Array(memory, offset, this.entities)
    this.generations = new Int32Array(memory, offset + this.entities * 8, this.entities)
    this.born = new Int32Array(memory, offset + this.entities * 12, this.entities)
    this.ended = new Int32Array(memory, offset + this.entities * 16, this.entities)
    this.#extents = new Uint32Array(memory, offset + this.entities * 20, extentsABlock)
    this.#memory = memory
  }

  static bytes(subject: HistorySubject): number {
    return whole(entitiesPerBlock[subject] * 20 + extentsABlock * 4)
  }

  /** The location of a row; null if it was never written. */
  row(step: number, row: number): RowPlace | null {
    const inRing = row % ringRows[step]
    const extent = extentsBefore[step] + Math.floor(inRing / extentRows[step])
    const codes = this.#views[extent] ?? this.#view(step, extent)
    return codes === null ? null : { codes, at: (inRing % extentRows[step]) * this.columns }
  }

  /** The location to write a row to, allocating its extent if needed; null if there is no room. */
  rowToWrite(step: number, row: number): RowPlace | null {
    const known = this.row(step, row)
    if (known !== null) return known
    const offset = this.#memory.byteLength
    const grown = offset + whole(extentRows[step] * this.columns * 2)
    if (grown > this.#memory.maxByteLength) return null
    this.#memory.grow(grown)
    const inRing = row % ringRows[step]
    const extent = extentsBefore[step] + Math.floor(inRing / extentRows[step])
    Atomics.store(this.#extents, extent, offset / grain)
    return this.row(step, row)
  }

  #view(step: number, extent: number): Uint16Array | null {
    const offset = Atomics.load(this.#extents, extent) * grain
    if (offset === 0) return null
    const view = new Uint16Array(this.#memory, offset, extentRows[step] * this.columns)
    this.#views[extent] = view
    return view
  }
}

/** Allocates a history: an empty one, or one with the content of another. */
export function createHistoryMemory(content: Uint8Array | null = null): SharedArrayBuffer {
  const rows = extentsOf.reduce((sum, count, step) => sum + count * extentRows[step], 0)
  const ofBlocks = blocksMax * (whole(extentsABlock * 4) + extentsABlock * grain)
  const maxByteLength = headerBytes + ofBlocks + historySeriesMax * (rows * 2 + 16)
  const memory = new SharedArrayBuffer(content?.length ?? headerBytes, { maxByteLength })
  if (content !== null) new Uint8Array(memory).set(content)
  else
    new Int32Array(memory, 0, 16).fill(-1, headerAt.newestRow, headerAt.newestRow + historyStepNames.length)
  return memory
}

/** The blocks of a history. The writer adds blocks; readers pick them up with `refresh`. */
export class HistoryBlocks {
  readonly header: Int32Array
  readonly list: HistoryBlock[] = []
  readonly #memory: SharedArrayBuffer
  readonly #table: Uint32Array
  #series = 0

  constructor(memory: SharedArrayBuffer) {
    this.#memory = memory
    this.header = new Int32Array(memory, 0, blockTableAt / 4)
    this.#table = new Uint32Array(memory, blockTableAt, blocksMax * 2)
  }

  /** Picks up blocks that the writer has added. */
  refresh(): void {
    const count = Atomics.load(this.header, headerAt.blocks)
    for (let index = this.list.length; index < count; index++) {
      const subject = historySubjects[this.#table[index * 2]]
      this.list.push(new HistoryBlock(this.#memory, this.#table[index * 2 + 1] * grain, subject))
      this.#series += entitiesPerBlock[subject] * metricsOf(subject).length
    }
  }

  /** Adds a block for a subject; null if the bound of series is reached. */
  add(subject: HistorySubject): HistoryBlock | null {
    const index = this.list.length
    const offset = this.#memory.byteLength
    const series = this.#series + entitiesPerBlock[subject] * metricsOf(subject).length
    if (index === blocksMax || series > historySeriesMax) return null
    this.#series = series
    this.#memory.grow(offset + HistoryBlock.bytes(subject))
    const block = new HistoryBlock(this.#memory, offset, subject)
    block.ids.fill(freeId)
    this.#table[index * 2] = historySubjects.indexOf(subject)
    this.#table[index * 2 + 1] = offset / grain
    this.list.push(block)
    Atomics.store(this.header, headerAt.blocks, index + 1)
    return block
  }
}

export const isFree = (id: bigint): boolean => id === freeId

/** Assigns a slot to an entity, or frees it, under the slot's seqlock. */
export function assignSlot(
  { generations, ids, born, ended }: HistoryBlock,
  place: number,
  id: bigint | null,
  firstRow: number,
): void {
  Atomics.add(generations, place, 1)
  ids[place] = id ?? freeId
  born[place] = firstRow
  ended[place] = notEnded
  Atomics.add(generations, place, 1)
}
