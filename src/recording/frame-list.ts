import type { BlockLocation } from './blocks.ts'
import type { FrameHeader, FrameKind } from './codec/frame-codec.ts'

export interface IndexedFrame extends Omit<FrameHeader, 'newestEvictedNs'> {
  readonly kind: FrameKind
  readonly block: BlockLocation
  /** The index of the frame's session. */
  readonly session: number
  /** The position of the last key frame at or before this frame. */
  readonly key: number
  /** Whether time is discontinuous before this frame: it is the first of a session, or of another world. */
  readonly isJoin: boolean
  /** Simulated time since the beginning of the recording, summed over its sessions and worlds. */
  readonly elapsedNs: bigint
}

/** Consecutive frames of a recording. */
export interface Frames extends Iterable<IndexedFrame> {
  readonly length: number
  /** The frame at a position, which must lie inside; a negative one counts from the end. */
  at(position: number): IndexedFrame
  /** The frames at the positions of a half-open interval. */
  range(from: number, to: number): Frames
}

const rowBytes = 68
const rowsPerChunk = 1 << 14
const flags = { key: 1, join: 2, eventGap: 4, otherWorld: 8 } as const

/** Byte offsets of a frame's fields in its row. */
const at = {
  simTime: 0,
  wall: 8,
  elapsed: 16,
  publishSeq: 24,
  block: 32,
  content: 40,
  blockNumber: 48,
  contentBytes: 52,
  session: 56,
  flags: 60,
  key: 64,
} as const

class FrameRange implements Frames {
  readonly #frames: Frames
  readonly #from: number
  readonly length: number

  constructor(frames: Frames, from: number, to: number) {
    this.#frames = frames
    this.#from = from
    this.length = Math.max(0, to - from)
  }

  at(position: number): IndexedFrame {
    return this.#frames.at(this.#from + (position < 0 ? this.length + position : position))
  }

  range(from: number, to: number): Frames {
    return new FrameRange(this.#frames, this.#from + from, this.#from + to)
  }

  *[Symbol.iterator](): Generator<IndexedFrame> {
    for (let position = 0; position < this.length; position++) yield this.at(position)
  }
}

/** The frames of a recording in 68 bytes each: a week of one frame a second takes 41 MB. */
export class FrameList implements Frames {
  readonly #chunks: DataView[] = []
  length = 0

  push(frame: IndexedFrame): void {
    if (this.length === this.#chunks.length * rowsPerChunk)
      this.#chunks.push(new DataView(new ArrayBuffer(rowsPerChunk * rowBytes)))
    const [chunk, row] = this.#rowOf(this.length++)
    const { block } = frame
    chunk.setBigInt64(row + at.simTime, frame.simTimeNs)
    chunk.setFloat64(row + at.wall, frame.wallMs)
    chunk.setBigInt64(row + at.elapsed, frame.elapsedNs)
    chunk.setFloat64(row + at.publishSeq, frame.publishSeq)
    chunk.setFloat64(row + at.block, block.at)
    chunk.setFloat64(row + at.content, block.contentAt)
    chunk.setUint32(row + at.blockNumber, block.number)
    chunk.setUint32(row + at.contentBytes, block.end - block.contentAt)
    chunk.setUint32(row + at.session, frame.session)
    chunk.setUint32(row + at.key, frame.key)
    chunk.setUint32(
      row + at.flags,
      (frame.kind === 'key' ? flags.key : 0) |
        (frame.isJoin ? flags.join : 0) |
        (frame.hasEventGap ? flags.eventGap : 0) |
        (frame.isOtherWorld ? flags.otherWorld : 0),
    )
  }

  at(position: number): IndexedFrame {
    const [chunk, row] = this.#rowOf(position < 0 ? this.length + position : position)
    const set = chunk.getUint32(row + at.flags)
    const kind = (set & flags.key) === 0 ? 'delta' : 'key'
    const contentAt = chunk.getFloat64(row + at.content)
    return {
      simTimeNs: chunk.getBigInt64(row + at.simTime),
      wallMs: chunk.getFloat64(row + at.wall),
      elapsedNs: chunk.getBigInt64(row + at.elapsed),
      publishSeq: chunk.getFloat64(row + at.publishSeq),
      hasEventGap: (set & flags.eventGap) !== 0,
      isOtherWorld: (set & flags.otherWorld) !== 0,
      isJoin: (set & flags.join) !== 0,
      kind,
      session: chunk.getUint32(row + at.session),
      key: chunk.getUint32(row + at.key),
      block: {
        kind,
        number: chunk.getUint32(row + at.blockNumber),
        at: chunk.getFloat64(row + at.block),
        contentAt,
        end: contentAt + chunk.getUint32(row + at.contentBytes),
      },
    }
  }

  range(from: number, to: number): Frames {
    return new FrameRange(this, from, to)
  }

  *[Symbol.iterator](): Generator<IndexedFrame> {
    yield* this.range(0, this.length)
  }

  #rowOf(position: number): readonly [DataView, number] {
    return [this.#chunks[Math.floor(position / rowsPerChunk)], (position % rowsPerChunk) * rowBytes]
  }
}
