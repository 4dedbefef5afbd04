/**
 * History as it lies in memory that the world's thread writes and the service's thread reads. Blocks of entities
 * of one subject follow a header. A block has, for each step, a ring of rows; a row holds one 16-bit code for each
 * metric of each entity. Rows are numbered by simulated time: row n of a step was taken at n steps. Memory for
 * rows is taken in extents, once the world is old enough to have them.
 */
import { historyMetrics, historyStepNames, historySteps, historySubjects } from '../contract/history.ts'
import type { HistoryMetric, HistorySubject } from '../contract/history.ts'

/** At most this many series have a history, whatever the size of the world. */
export const historySeriesMax = 65_536
const blocksMax = 4_096

/** Entities to a block: few where few exist, since a row takes up space for all of its entities. */
const entitiesPerBlock: Readonly<Record<HistorySubject, number>> = {
  fleet: 1,
  azs: 1,
  'host-pools': 2,
  gateways: 4,
  customers: 16,
  switches: 16,
  hosts: 24,
}

/** In the header, as 32-bit integers. */
export const headerAt = {
  /** Rises with each change of which entities there are. */
  version: 0,
  blocks: 1,
  /** The newest row of each step. */
  newestRow: 2,
} as const

const blockTableAt = 64
const headerBytes = blockTableAt + blocksMax * 8
const freeId = -1n
/** Stands for the fleet, which has no id. */
export const fleetId = 0n

/** Rows of a ring, of which one may be being written while the others are read, and rows to an extent. */
const ringRows = historyStepNames.map((step) => historySteps[step].kept + 1)
const extentRows = [ringRows[0], ringRows[1], 121, 61] as const
const extentsOf = ringRows.map((rows, step) => Math.ceil(rows / extentRows[step]))
const extentsBefore = extentsOf.map((_, step) =>
  extentsOf.slice(0, step).reduce((sum, count) => sum + count, 0),
)
const extentsABlock = extentsOf.reduce((sum, count) => sum + count, 0)

/** Lengths in the memory are whole multiples of this, and so are stored divided by it. */
const grain = 8
const whole = (bytes: number): number => Math.ceil(bytes / grain) * grain

export const metricsOf = (subject: HistorySubject): readonly HistoryMetric[] =>
  Object.values(historyMetrics[subject])

/** A place in a ring: a row of a block at one step. */
export interface RowPlace {
  readonly codes: Uint16Array
  readonly at: number
}

/** What is known of the entities of one block, and where their rows are. */
export class HistoryBlock {
  readonly subject: HistorySubject
  readonly metrics: readonly HistoryMetric[]
  readonly entities: number
  readonly columns: number
  /** Ids by place; -1 where nobody is. */
  readonly ids: BigInt64Array
  /** Even while the place has its entity, odd while it changes hands. */
  readonly generations: Int32Array
  /** The first row of the finest step that the entity has. */
  readonly born: Int32Array
  readonly #memory: SharedArrayBuffer
  /** Where each extent begins; 0 while there is none. */
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
    this.#extents = new Uint32Array(memory, offset + this.entities * 16, extentsABlock)
    this.#memory = memory
  }

  static bytes(subject: HistorySubject): number {
    return whole(entitiesPerBlock[subject] * 16 + extentsABlock * 4)
  }

  /** Where a row is; null if it was never written. */
  row(step: number, row: number): RowPlace | null {
    const inRing = row % ringRows[step]
    const extent = extentsBefore[step] + Math.floor(inRing / extentRows[step])
    const codes = this.#views[extent] ?? this.#view(step, extent)
    return codes === null ? null : { codes, at: (inRing % extentRows[step]) * this.columns }
  }

  /** Where to write a row, in an extent that is made where there is none; null when there is no room for it. */
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

/** An empty history. */
export function createHistoryMemory(): SharedArrayBuffer {
  const rows = extentsOf.reduce((sum, count, step) => sum + count * extentRows[step], 0)
  const ofBlocks = blocksMax * (whole(extentsABlock * 4) + extentsABlock * grain)
  const maxByteLength = headerBytes + ofBlocks + historySeriesMax * (rows * 2 + 16)
  const memory = new SharedArrayBuffer(headerBytes, { maxByteLength })
  new Int32Array(memory, 0, 16).fill(-1, headerAt.newestRow, headerAt.newestRow + historyStepNames.length)
  return memory
}

/** The blocks of a history. The writer adds to them; readers see what was added when they ask for it. */
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

  /** Takes up blocks that were added since. */
  refresh(): void {
    const count = Atomics.load(this.header, headerAt.blocks)
    for (let index = this.list.length; index < count; index++) {
      const subject = historySubjects[this.#table[index * 2]]
      this.list.push(new HistoryBlock(this.#memory, this.#table[index * 2 + 1] * grain, subject))
    }
  }

  /** A new block of a subject, or null when there are enough series. */
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

/** Gives a place to an entity, or to nobody; whoever reads it meanwhile can tell. */
export function settle(
  { generations, ids, born }: HistoryBlock,
  place: number,
  id: bigint | null,
  firstRow: number,
): void {
  Atomics.add(generations, place, 1)
  ids[place] = id ?? freeId
  born[place] = firstRow
  Atomics.add(generations, place, 1)
}
