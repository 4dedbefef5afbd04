import { readContent } from './blocks.ts'
import { FrameReader, type TextFrame } from './frame-text.ts'
import type { RecordingIndex } from './recording-index.ts'

/** A recording that cannot be read as asked. The message is for people, in a sentence. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
}

/** Reads the frames of a recording: cheaply one after the other, or any of them from the last whole one before it. */
export class FrameCursor {
  readonly #index: RecordingIndex
  #reader: FrameReader | null = null
  #session = -1
  #position = -1
  #frame: TextFrame | null = null

  constructor(index: RecordingIndex) {
    this.#index = index
  }

  /** How many bytes of the file each list has taken, in the order of the present session's lists. */
  get sizes(): Float64Array {
    return this.#reader?.sizes ?? new Float64Array(0)
  }

  /** Reads one more frame on the way to a position. Returns that position's frame once it is there. */
  step(position: number): TextFrame | null {
    if (position !== this.#position) this.#readOne(this.#startFor(position) + 1)
    return position === this.#position ? this.#frame : null
  }

  /** Its lists hold until the frame after the next is read. */
  read(position: number): TextFrame {
    for (;;) {
      const frame = this.step(position)
      if (frame !== null) return frame
    }
  }

  /** The frame behind which reading begins. */
  #startFor(position: number): number {
    const { frames } = this.#index
    let key = position
    while (frames[key].kind !== 'key') key--
    return this.#position >= key && this.#position <= position ? this.#position : key - 1
  }

  #readOne(position: number): void {
    const { frames, sessions, bytes } = this.#index
    const { block, kind, session } = frames[position]
    if (this.#reader === null || session !== this.#session) {
      this.#reader = new FrameReader(sessions[session].lists.length)
      this.#session = session
    }
    this.#position = -1
    try {
      this.#frame = this.#reader.read(readContent(bytes, block), kind)
    } catch (error) {
      throw new RecordingError(`The frame at byte ${block.at} cannot be read: ${(error as Error).message}.`)
    }
    this.#position = position
  }
}
