import type { Frame } from '../../encoding/frames/frame.ts'
import type { TableRequest } from './table-maker.ts'

/** Bounds of the answers that are kept of one publish. */
const cachedAnswersMax = 200
const cachedBytesMax = 64 * 2 ** 20

/** A key: requests with different answers have different ones. */
export const requestKey = ({
  table,
  filters,
  range = null,
  linkQuery = '',
  ...rest
}: TableRequest): string => {
  const chosen = [...filters].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([table, range, chosen, rest.format, rest.sort, rest.offset, rest.limit, linkQuery])
}

/** The answers of the newest publish, each made once for all who ask. */
export class PublishAnswers {
  #frame: Frame | null = null
  readonly #byKey = new Map<string, Promise<Buffer>>()
  #bytes = 0

  of(frame: Frame, request: TableRequest, make: () => Promise<Buffer>): Promise<Buffer> {
    // Answers from an earlier frame, which late requests may still use, are not kept.
    if (this.#frame !== null && frame.publishSeq <= this.#frame.publishSeq && frame !== this.#frame)
      return make()
    if (frame !== this.#frame) this.#clear(frame)
    const key = requestKey(request)
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    if (this.#byKey.size >= cachedAnswersMax) this.#clear(frame)
    const answer = make()
    this.#byKey.set(key, answer)
    void this.#count(key, answer)
    return answer
  }

  #clear(frame: Frame | null): void {
    this.#frame = frame
    this.#byKey.clear()
    this.#bytes = 0
  }

  /** Counts an answer that is still kept when it is ready: many may be asked for before the first is. */
  async #count(key: string, answer: Promise<Buffer>): Promise<void> {
    try {
      const { length } = await answer
      if (this.#byKey.get(key) !== answer) return
      this.#bytes += length
      if (this.#bytes > cachedBytesMax) this.#clear(this.#frame)
    } catch {
      if (this.#byKey.get(key) === answer) this.#byKey.delete(key)
    }
  }
}
