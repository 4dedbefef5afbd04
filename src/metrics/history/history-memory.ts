/**
 * The shared memory of the history, written by the world thread and read by the service thread. A header is followed by
 * blocks of entities of one subject. A block has a ring of rows for each step; a row holds a 16-bit code for each
 * metric of each entity. Rows are numbered by simulated time: row n of a step was sampled at n steps. Rows are
 * allocated in extents as the world grows old enough to need them.
 *
 * Readers read the history as of the snapshot that they serve, while the world runs ahead of that snapshot. A ring
 * therefore keeps rows beyond the visible ones, and a removed entity keeps its slot for as long. The number of these
 * rows depends on the speed of the world; the header contains it.
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
  customers: 8,
  switches: 16,
  hosts: 24,
}

/** Rows of the finest step per row of each step. */
export const finestRows = historyStepNames.map(
  (step) => historySteps[step].seconds / historySteps['10s'].seconds,
)

/** Offsets in the header, in 32-bit integers. */
export const headerAt = {
  /** Incremented whenever an entity is added or removed. */
  version: 0,
  blocks: 1,
  /** The newest row of each step. */
  newestRow: 2,
  /** The number of rows of each step by which the writer may be ahead. */
  leadRows: 2 + historyStepNames.length,
} as const

const blockTableAt = 64
const headerBytes = blockTableAt + blocksMax * 8
const freeId = -1n
export const notEnded = 2 ** 31 - 1
/** The id of the fleet, which has no record. */
export const fleetId = 0n

/** Extents of a ring: one for a short ring, several for those that take weeks to fill. */
const extentsOf = [1, 1, 12, 30] as const
const extentsBefore = extentsOf.map((_, step) =>
  extentsOf.slice(0, step).reduce((sum, count) => sum + count, 0),
)
const extentsABlock = extentsOf.reduce((sum, count) => sum + count, 0)

/** The rings of a history by step: rows of a ring (one of which may be in the middle of a write) and of an extent. */
export class RingLayout {
  /** Rows by which the writer may be ahead of a reader without shortening what it reads. */
  readonly leadRows: readonly number[]
  readonly ringRows: readonly number[]
  readonly extentRows: readonly number[]

  constructor(leadRows: readonly number[]) {
    this.leadRows = leadRows
    this.ringRows = historyStepNames.map((step, index) => historySteps[step].kept + leadRows[index] + 1)
    this.extentRows = this.ringRows.map((rows, step) => Math.ceil(rows / extentsOf[step]))
  }
}

/** The world may be ahead of a reader's snapshot by this much wall time, but at most by a simulated hour. */
const leadSeconds = 10
const leadSimSecondsMax = 3_600

/** The rings of a world that runs at a speed. */
export function ringLayoutAt(speed: number): RingLayout {
  const ahead = Math.min(speed * leadSeconds, leadSimSecondsMax)
  return new RingLayout(
    historyStepNames.map((step) => Math.max(1, Math.ceil(ahead / historySteps[step].seconds))),
  )
}

/** The rings of a world of any speed. */
export const longestRings = ringLayoutAt(Infinity)

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
  readonly #layout: RingLayout
  /** The start of each extent; 0 while it is not allocated. */
  readonly #extents: Uint32Array
  readonly #views: (Uint16Array | null)[] = Array.from({ length: extentsABlock }, () => null)

  constructor(memory: SharedArrayBuffer, layout: RingLayout, offset: number, subject: HistorySubject) {
    this.#layout = layout
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
    const rows = this.#layout.extentRows[step]
    const inRing = row % this.#layout.ringRows[step]
    const extent = extentsBefore[step] + Math.floor(inRing / rows)
    const codes = this.#views[extent] ?? this.#view(step, extent)
    return codes === null ? null : { codes, at: (inRing % rows) * this.columns }
  }

  /** The location to write a row to, allocating its extent if needed; null if there is no room. */
  rowToWrite(step: number, row: number): RowPlace | null {
    const known = this.row(step, row)
    if (known !== null) return known
    const offset = this.#memory.byteLength
    const rows = this.#layout.extentRows[step]
    const grown = offset + whole(rows * this.columns * 2)
    if (grown > this.#memory.maxByteLength) return null
    this.#memory.grow(grown)
    const extent = extentsBefore[step] + Math.floor((row % this.#layout.ringRows[step]) / rows)
    Atomics.store(this.#extents, extent, offset / grain)
    return this.row(step, row)
  }

  /** Takes over the entities of a block of the same subject, and its rows up to the newest ones. */
  copyFrom(other: HistoryBlock, newestRows: Int32Array): void {
    this.ids.set(other.ids)
    this.born.set(other.born)
    this.ended.set(other.ended)
    for (const [step, rows] of this.#layout.ringRows.entries()) {
      const newest = newestRows[step]
      for (let row = Math.max(0, newest + 2 - rows); row <= newest; row++) {
        const from = other.row(step, row)
        if (from === null) continue
        const to = this.rowToWrite(step, row)
        to?.codes.set(from.codes.subarray(from.at, from.at + this.columns), to.at)
      }
    }
  }

  #view(step: number, extent: number): Uint16Array | null {
    const offset = Atomics.load(this.#extents, extent) * grain
    if (offset === 0) return null
    const view = new Uint16Array(this.#memory, offset, this.#layout.extentRows[step] * this.columns)
    this.#views[extent] = view
    return view
  }
}

/** Allocates an empty history. */
export function createHistoryMemory(layout: RingLayout): SharedArrayBuffer {
  const memory = allocate(layout, headerBytes)
  const header = new Int32Array(memory, 0, blockTableAt / 4)
  header.fill(-1, headerAt.newestRow, headerAt.newestRow + historyStepNames.length)
  header.set(layout.leadRows, headerAt.leadRows)
  return memory
}

function allocate(layout: RingLayout, byteLength: number): SharedArrayBuffer {
  const rows = extentsOf.reduce((sum, count, step) => sum + count * layout.extentRows[step], 0)
  const ofBlocks = blocksMax * (whole(extentsABlock * 4) + extentsABlock * grain)
  const maxByteLength = headerBytes + ofBlocks + historySeriesMax * (rows * 2 + 16)
  return new SharedArrayBuffer(byteLength, { maxByteLength })
}

const layoutIn = (memory: SharedArrayBuffer): RingLayout =>
  new RingLayout([...new Int32Array(memory, headerAt.leadRows * 4, historyStepNames.length)])

/** Allocates a history with the content of another, whose rings may be shorter or longer. */
export function copyHistoryMemory(content: Uint8Array, layout: RingLayout): SharedArrayBuffer {
  const same = new SharedArrayBuffer(content.length)
  new Uint8Array(same).set(content)
  const savedLayout = layoutIn(same)
  if (layout.leadRows.every((rows, step) => rows === savedLayout.leadRows[step])) {
    const memory = allocate(layout, content.length)
    new Uint8Array(memory).set(content)
    return memory
  }
  const memory = createHistoryMemory(layout)
  const [saved, copy] = [new HistoryBlocks(same), new HistoryBlocks(memory)]
  saved.refresh()
  const newestRows = saved.header.slice(headerAt.newestRow, headerAt.newestRow + historyStepNames.length)
  for (const block of saved.list) copy.add(block.subject)!.copyFrom(block, newestRows)
  copy.header.set(newestRows, headerAt.newestRow)
  copy.header[headerAt.version] = saved.header[headerAt.version]
  return memory
}

/** The blocks of a history. The writer adds blocks; readers pick them up with `refresh`. */
export class HistoryBlocks {
  readonly header: Int32Array
  readonly layout: RingLayout
  readonly list: HistoryBlock[] = []
  readonly #memory: SharedArrayBuffer
  readonly #table: Uint32Array
  #series = 0

  constructor(memory: SharedArrayBuffer) {
    this.#memory = memory
    this.header = new Int32Array(memory, 0, blockTableAt / 4)
    this.layout = layoutIn(memory)
    this.#table = new Uint32Array(memory, blockTableAt, blocksMax * 2)
  }

  /** Picks up blocks that the writer has added. */
  refresh(): void {
    const count = Atomics.load(this.header, headerAt.blocks)
    for (let index = this.list.length; index < count; index++) {
      const subject = historySubjects[this.#table[index * 2]]
      const offset = this.#table[index * 2 + 1] * grain
      this.list.push(new HistoryBlock(this.#memory, this.layout, offset, subject))
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
    const block = new HistoryBlock(this.#memory, this.layout, offset, subject)
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
