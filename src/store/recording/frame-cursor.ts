import { FrameDecoder } from './codec/frame-codec.ts'
import type { TextList } from './codec/text-list.ts'
import type { FrameRow, RecordedFrames } from './recorded-frames.ts'
import { RecordingError } from './recording-error.ts'

export interface RecordedFrame extends FrameRow {
  /** The names of the lists, in order. */
  readonly names: readonly string[]
  readonly lists: readonly TextList[]
}

/** Reads frames of a recording: consecutive ones cheaply, any other by decoding from its key frame. */
export class FrameCursor {
  readonly #frames: RecordedFrames
  #names: readonly string[] = []
  #decoder: FrameDecoder | null = null
  #last: RecordedFrame | null = null

  constructor(frames: RecordedFrames) {
    this.#frames = frames
  }

  /** Decodes one frame towards another, whose key frame is given. Returns that one once it is decoded. */
  step(number: number, key: number): RecordedFrame | null {
    const last = this.#last
    if (last?.number === number) return last
    const isBehind = last !== null && last.number >= key && last.number < number
    const frame = this.#decode(isBehind ? last.number + 1 : key)
    return frame.number === number ? frame : null
  }

  /** The frame's lists are valid until the frame after the next is read. */
  read(number: number, key: number): RecordedFrame {
    for (;;) {
      const frame = this.step(number, key)
      if (frame !== null) return frame
    }
  }

  #decode(number: number): RecordedFrame {
    const before = this.#last
    this.#last = null
    const { row, body } = this.#frames.read(number)
    if (this.#decoder === null || before?.recording !== row.recording) {
      this.#names = this.#frames.recordings().get(row.recording)!.lists
      this.#decoder = new FrameDecoder(this.#names.length)
    }
    try {
      const lists = this.#decoder.decode(body, row.number === row.key ? 'key' : 'delta')
      return (this.#last = { ...row, names: this.#names, lists })
    } catch (error) {
      throw new RecordingError(`Frame ${number} cannot be read: ${(error as Error).message}.`)
    }
  }
}
