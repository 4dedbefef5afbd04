import { readBlockContent } from './blocks.ts'
import { FrameDecoder } from './codec/frame-codec.ts'
import type { RecordedFrame } from './codec/frame-codec.ts'
import { RecordingError } from './recording-error.ts'
import type { RecordingIndex } from './recording-index.ts'

/** Reads frames of a recording: consecutive ones cheaply, any other by decoding from its key frame. */
export class FrameCursor {
  readonly #index: RecordingIndex
  #decoder: FrameDecoder | null = null
  #session = -1
  #position = -1
  #frame: RecordedFrame | null = null

  constructor(index: RecordingIndex) {
    this.#index = index
  }

  /** Bytes of the file per list in the current session so far. */
  get sizes(): Float64Array {
    return this.#decoder?.sizes ?? new Float64Array(0)
  }

  /** Decodes one frame towards a position. Returns the frame at that position once it is decoded. */
  step(position: number): RecordedFrame | null {
    if (position !== this.#position) this.#decode(this.#startFor(position) + 1)
    return position === this.#position ? this.#frame : null
  }

  /** The frame's lists are valid until the frame after the next is read. */
  read(position: number): RecordedFrame {
    for (;;) {
      const frame = this.step(position)
      if (frame !== null) return frame
    }
  }

  /** The last position that need not be decoded again. */
  #startFor(position: number): number {
    const { key } = this.#index.frames.at(position)
    return this.#position >= key && this.#position <= position ? this.#position : key - 1
  }

  #decode(position: number): void {
    const { frames, sessions, bytes } = this.#index
    const { block, kind, session } = frames.at(position)
    if (this.#decoder === null || session !== this.#session) {
      this.#decoder = new FrameDecoder(sessions[session].lists.length)
      this.#session = session
    }
    this.#position = -1
    try {
      this.#frame = this.#decoder.decode(readBlockContent(bytes, block), kind)
    } catch (error) {
      throw new RecordingError(`The frame at byte ${block.at} cannot be read: ${(error as Error).message}.`)
    }
    this.#position = position
  }
}
