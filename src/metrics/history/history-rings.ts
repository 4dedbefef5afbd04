import { historyStepNames, historySteps, historySubjects } from '../../contract/history.ts'
import type { HistoryEntity, HistorySubject, WorldHistory } from '../../contract/history.ts'
import { RowCodec } from './row-codec.ts'
import {
  copyHistoryMemory,
  createHistoryMemory,
  finestRows,
  fleetId,
  headerAt,
  HistoryBlocks,
  isFree,
  longestRings,
  metricsOf,
  assignSlot,
  notEnded,
} from './history-memory.ts'
import type { HistoryBlock, RingLayout } from './history-memory.ts'

/** The longest gap that is filled with repeated values; after a longer one the history restarts. */
const filledRowsMax = 8_640

/** Rows of the next finer step per row of this step. */
const mergedRows = historyStepNames.map((step, index) =>
  index === 0 ? 1 : historySteps[step].seconds / historySteps[historyStepNames[index - 1]].seconds,
)
const finestStepNs = BigInt(historySteps['10s'].seconds) * 1_000_000_000n

/** Of a time of which only hours and days remain, one row in 30 is sampled, and stands for all. */
const sampledEvery = 30

/** A block with its writer's private state. */
interface OpenBlock {
  readonly block: HistoryBlock
  readonly codec: RowCodec
  /** The row under construction. */
  readonly row: Float64Array
  /** For each step but the last: sums of the rows that the next coarser row will average. */
  readonly sums: readonly Float64Array[]
}

interface Place {
  readonly open: OpenBlock
  readonly index: number
}

/** Writes a world's history. Owned by the world thread; other threads read its memory. */
export interface HistoryRings {
  /** The shared memory that series readers read, in any thread. */
  readonly memory: SharedArrayBuffer
  /**
   * Samples the current values at a simulated time. Steps skipped since the last sample get the same values. A second
   * call within the same 10-second step has no effect, nor have most calls in a warm-up of which only hours remain.
   */
  record(simTimeNs: bigint): void
  /** A copy of the state that `createHistoryRings` continues from, for a world that is saved at the same time. */
  saved(): SavedRings
}

export interface SavedRings {
  readonly memory: Uint8Array
  readonly newest: number
  readonly pending: Float64Array
  /** One entry per block. */
  readonly sums: readonly (readonly Float64Array[])[]
}

const slotKey = (entity: HistoryEntity): string => `${entity.subject}/${idOf(entity)}`
const idOf = ({ id }: HistoryEntity): bigint => (id === null ? fleetId : BigInt(id))

const openBlock = (block: HistoryBlock): OpenBlock => ({
  block,
  codec: new RowCodec(block.metrics, block.entities),
  row: new Float64Array(block.columns),
  sums: historyStepNames.slice(1).map(() => new Float64Array(block.columns)),
})

class RingWriter implements HistoryRings {
  readonly memory: SharedArrayBuffer
  readonly #history: WorldHistory
  readonly #readFromRow: number
  readonly #blocks: HistoryBlocks
  readonly #open: OpenBlock[] = []
  #version = -1
  #places = new Map<HistorySubject, Map<bigint, Place>>()
  /** Each entity's slot in the order of the values; null for entities beyond the bound. */
  #order: (Place | null)[] = []
  #widths: number[] = []
  #values = new Float64Array(0)
  /** Sums of the values, in their order, since they were last flushed to the blocks. */
  #pending = new Float64Array(0)
  #newest = -1

  constructor(history: WorldHistory, readFromNs: bigint, saved: SavedRings | null, layout: RingLayout) {
    this.#history = history
    this.#readFromRow = Number(readFromNs / finestStepNs)
    this.memory = saved === null ? createHistoryMemory(layout) : copyHistoryMemory(saved.memory, layout)
    this.#blocks = new HistoryBlocks(this.memory)
    if (saved !== null) this.#restore(saved)
  }

  saved(): SavedRings {
    return {
      memory: new Uint8Array(this.memory).slice(),
      newest: this.#newest,
      pending: this.#pending.slice(),
      sums: this.#open.map(({ sums }) => sums.map((sum) => sum.slice())),
    }
  }

  /** The entities of the history are those at the time of saving. */
  #restore({ newest, pending, sums }: SavedRings): void {
    this.#blocks.refresh()
    this.#places = new Map(historySubjects.map((subject) => [subject, new Map()]))
    for (const [nth, block] of this.#blocks.list.entries()) {
      const open = openBlock(block)
      for (const [index, sum] of open.sums.entries()) sum.set(sums[nth][index])
      this.#open.push(open)
      for (const [index, id] of block.ids.entries()) {
        if (isFree(id) || block.ended[index] !== notEnded) continue
        this.#places.get(block.subject)!.set(id, { open, index })
      }
    }
    this.#newest = newest
    this.#orderEntities()
    this.#pending.set(pending)
  }

  record(simTimeNs: bigint): void {
    const row = Number(simTimeNs / finestStepNs)
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
    this.#pending.fill(0)
    for (const { block, sums } of this.#open) {
      for (const sum of sums) sum.fill(0)
      for (const [place, id] of block.ids.entries()) {
        if (!isFree(id)) assignSlot(block, place, block.ended[place] === notEnded ? id : null, row)
      }
    }
    for (const [step, finest] of finestRows.entries()) {
      Atomics.store(this.#blocks.header, headerAt.newestRow + step, Math.floor((row - 1) / finest))
    }
  }

  #settleEntities(firstRow: number): void {
    const { entities } = this.#history
    this.#bringPending()
    const before = this.#places
    const now = new Map<HistorySubject, Map<bigint, Place>>(
      historySubjects.map((subject) => [subject, new Map()]),
    )
    for (const entity of entities) {
      const known = before.get(entity.subject)?.get(idOf(entity))
      if (known !== undefined) now.get(entity.subject)!.set(idOf(entity), known)
    }
    for (const [subject, places] of before) {
      for (const [id, { open, index }] of places) {
        if (!now.get(subject)!.has(id)) Atomics.store(open.block.ended, index, firstRow)
      }
    }
    const added = new Set(
      entities.filter((entity) => !now.get(entity.subject)!.has(idOf(entity))).map(slotKey),
    )
    const free = this.#freePlaces(added, firstRow)
    for (const entity of entities) {
      const places = now.get(entity.subject)!
      const id = idOf(entity)
      if (places.has(id)) continue
      const place = free.get(entity.subject)!.pop() ?? this.#placeInNewBlock(entity.subject, free)
      if (place === null) continue
      this.#occupy(place, id, firstRow)
      places.set(id, place)
    }
    this.#places = now
    this.#orderEntities()
    Atomics.add(this.#blocks.header, headerAt.version, 1)
  }

  /** Maps the list of entities to their slots; every entity has one. */
  #orderEntities(): void {
    const { entities, version } = this.#history
    this.#order = entities.map((entity) => this.#places.get(entity.subject)!.get(idOf(entity)) ?? null)
    this.#widths = entities.map(({ subject }) => metricsOf(subject).length)
    this.#values = new Float64Array(this.#widths.reduce((sum, width) => sum + width, 0))
    this.#pending = new Float64Array(this.#values.length)
    this.#version = version
  }

  /**
   * Slots for new entities: unassigned ones, those of removed entities that no reader can request, and those of
   * entities that return.
   */
  #freePlaces(added: ReadonlySet<string>, row: number): Map<HistorySubject, Place[]> {
    const free = new Map<HistorySubject, Place[]>(historySubjects.map((subject) => [subject, []]))
    for (const open of this.#open) {
      const { subject, ids, ended } = open.block
      const places = free.get(subject)!
      for (const [index, id] of ids.entries()) {
        const isExpired = ended[index] !== notEnded && row - ended[index] > this.#blocks.layout.leadRows[0]
        const isReturning = ended[index] !== notEnded && added.has(slotKey({ subject, id }))
        if (isExpired || isReturning) assignSlot(open.block, index, null, 0)
        if (isFree(ids[index])) places.push({ open, index })
      }
    }
    return free
  }

  #placeInNewBlock(subject: HistorySubject, free: Map<HistorySubject, Place[]>): Place | null {
    const block = this.#blocks.add(subject)
    if (block === null) return null
    const open = openBlock(block)
    this.#open.push(open)
    const places = Array.from({ length: block.entities }, (_, index) => ({ open, index })).toReversed()
    free.get(subject)!.push(...places)
    return free.get(subject)!.pop()!
  }

  #occupy({ open, index }: Place, id: bigint, firstRow: number): void {
    const width = open.block.metrics.length
    for (const sum of open.sums) sum.fill(0, index * width, (index + 1) * width)
    assignSlot(open.block, index, id, firstRow)
  }

  /** Calls back for each assigned slot with the offset of its values. */
  #forEachPlace(visit: (open: OpenBlock, column: number, width: number, at: number) => void): void {
    let at = 0
    for (let entity = 0; entity < this.#order.length; entity++) {
      const place = this.#order[entity]
      const width = this.#widths[entity]
      if (place !== null) visit(place.open, place.index * width, width, at)
      at += width
    }
  }

  #bringPending(): void {
    const pending = this.#pending
    this.#forEachPlace(({ sums: [sum] }, column, width, at) => {
      for (let metric = 0; metric < width; metric++) sum[column + metric] += pending[at + metric]
    })
    pending.fill(0)
  }

  /** Whether a row will still be in its ring when reading starts. */
  #isKept(step: number, row: number): boolean {
    return (row + historySteps[historyStepNames[step]].kept) * finestRows[step] > this.#readFromRow
  }

  #isSampled(row: number): boolean {
    return this.#newest < 0 || row % sampledEvery === 0 || this.#isKept(1, Math.ceil(row / finestRows[1]))
  }

  #encodeRow(row: number): void {
    const values = this.#values
    this.#forEachPlace((open, column, width, at) => {
      for (let metric = 0; metric < width; metric++) open.row[column + metric] = values[at + metric]
    })
    for (const { block, codec, row: blockRow } of this.#open) {
      const place = block.rowToWrite(0, row)
      if (place !== null) codec.encode(blockRow, place.codes, place.at)
    }
  }

  #writeRow(row: number): void {
    const values = this.#values
    const pending = this.#pending
    for (let index = 0; index < values.length; index++) pending[index] += values[index]
    if (this.#isKept(0, row)) this.#encodeRow(row)
    this.#newest = row
    Atomics.store(this.#blocks.header, headerAt.newestRow, row)
    if (row % finestRows[1] === 0) this.#bringPending()
    for (let step = 1; step < historyStepNames.length && row % finestRows[step] === 0; step++) {
      this.#mergeRow(step, row / finestRows[step])
    }
  }

  /** Writes a row of a coarser step: means of the finer rows since the entity exists. */
  #mergeRow(step: number, row: number): void {
    for (const open of this.#open) {
      const { block, codec, sums } = open
      const means = this.#means(open, step, row)
      const place = this.#isKept(step, row) ? block.rowToWrite(step, row) : null
      if (place !== null) codec.encode(means, place.codes, place.at)
      if (step < sums.length) {
        const next = sums[step]
        for (let column = 0; column < means.length; column++) next[column] += means[column]
      }
      means.fill(0)
    }
    Atomics.store(this.#blocks.header, headerAt.newestRow + step, row)
  }

  /** Replaces the sums of a block by means. */
  #means({ block, sums }: OpenBlock, step: number, row: number): Float64Array {
    const sum = sums[step - 1]
    const width = block.metrics.length
    for (let place = 0; place < block.entities; place++) {
      const firstRow = Math.ceil(block.born[place] / finestRows[step - 1])
      const rows = Math.min(mergedRows[step], row * mergedRows[step] - firstRow + 1)
      const share = rows > 0 ? 1 / rows : 0
      for (let column = place * width; column < (place + 1) * width; column++) sum[column] *= share
    }
    return sum
  }
}

/**
 * Reading starts at `readFromNs`, the end of the warm-up: rows that will have left their ring by then are only summed.
 * Continues from `saved` if given.
 */
export const createHistoryRings = (
  history: WorldHistory,
  readFromNs = 0n,
  saved: SavedRings | null = null,
  layout: RingLayout = longestRings,
): HistoryRings => new RingWriter(history, readFromNs, saved, layout)
