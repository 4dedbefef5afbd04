import type { Frame } from '../encoding/frames/frame.ts'
import { encodeRows } from './formats.ts'
import type { TableFormat } from './formats.ts'
import { FrameRecords } from './frame-records.ts'
import type { ReadHistory } from './history.ts'
import { tableRows } from './query.ts'
import type { TableQuery } from './query.ts'
import type { AnyTable } from './table.ts'
import { TableWorld } from './table-world.ts'

/** Bounds of the answers that are kept for one frame. */
const cachedAnswersMax = 200
const cachedBytesMax = 64 * 2 ** 20

export interface TableRequest extends TableQuery {
  readonly table: AnyTable
  readonly format: TableFormat
}

/** A text that differs between any two requests with different answers. */
export const requestKey = ({ table, format, filters, sort, offset, limit }: TableRequest): string =>
  JSON.stringify([
    table.name,
    format,
    [...filters].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    sort,
    offset,
    limit,
  ])

interface FrameAnswers {
  readonly frame: Frame
  readonly world: TableWorld
  readonly byKey: Map<string, Promise<Buffer>>
  bytes: number
}

/**
 * Tables of the current frame. Nothing is decoded before a table is asked for; equal requests of one frame share an
 * answer. A frame must be leased until the promise that is made from it settles.
 */
export class FrameTables {
  readonly #history: ReadHistory
  #answers: FrameAnswers | null = null

  constructor(history: ReadHistory) {
    this.#history = history
  }

  /** The encoded rows that a request asks for. */
  encoded(frame: Frame, request: TableRequest): Promise<Buffer> {
    const answers = this.#answersOf(frame)
    const key = requestKey(request)
    const cached = answers.byKey.get(key)
    if (cached !== undefined) return cached
    if (answers.byKey.size >= cachedAnswersMax || answers.bytes > cachedBytesMax) {
      answers.byKey.clear()
      answers.bytes = 0
    }
    const answer = this.#answer(answers, request, key)
    answers.byKey.set(key, answer)
    return answer
  }

  #answersOf(frame: Frame): FrameAnswers {
    if (this.#answers?.frame === frame) return this.#answers
    const world = new TableWorld(new FrameRecords(frame), this.#history)
    const answers = { frame, world, byKey: new Map<string, Promise<Buffer>>(), bytes: 0 }
    // A request may still be answered from an earlier frame: its answers are not worth keeping.
    if (this.#answers === null || frame.publishSeq > this.#answers.frame.publishSeq) this.#answers = answers
    return answers
  }

  async #answer(answers: FrameAnswers, request: TableRequest, key: string): Promise<Buffer> {
    try {
      const rows = await tableRows(request.table, request, answers.world)
      const bytes = await encodeRows(request.format, request.table, rows)
      answers.bytes += bytes.length
      return bytes
    } catch (error) {
      answers.byKey.delete(key)
      throw error
    }
  }
}
