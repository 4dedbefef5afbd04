import type { Clock } from '../contract/clock.ts'
import type { EncodedCollection, Frame } from '../encoding/frames/frame.ts'
import { encodeBlock, fileSignature } from './blocks.ts'
import type { BlockKind } from './blocks.ts'
import { FrameEncoder } from './codec/frame-codec.ts'
import type { FrameKind } from './codec/frame-codec.ts'
import type { TextList } from './codec/text-list.ts'
import { encodeSession, listNames } from './session.ts'
import type { Session } from './session.ts'

/** The distance of key frames, at any of which reading can begin. */
const framesPerKey = 300

interface RecorderOptions {
  /** Appends bytes. An exception ends the recording. */
  readonly append: (bytes: Uint8Array) => void
  readonly session: Omit<Session, 'lists'>
  /** The number of blocks that the recording already has. */
  readonly blocks: number
}

export interface RecordedBlock {
  readonly kind: FrameKind
  readonly bytes: number
  readonly hasEventGap: boolean
}

const listOfOne = (bytes: Uint8Array): TextList => ({
  bytes,
  starts: Uint32Array.of(0, bytes.length + 1),
  ids: BigInt64Array.of(0n),
})

/**
 * The wall time of a moment on the monotonic clock, by what the wall clock says now: should it jump, the time between
 * two frames of a session stays what it was.
 */
export function wallTimesOf({ nowMs, wallMs }: Clock): (atMs: number) => number {
  const offsetMs = wallMs() - nowMs()
  return (atMs) => atMs + offsetMs
}

/** Writes a session. Each frame is a block, complete once it is written. */
export class Recorder {
  readonly #append: (bytes: Uint8Array) => void
  readonly #encoder = new FrameEncoder(listNames.length)
  #block: number
  #framesSinceKey = 0
  #last: { readonly frame: Frame; readonly lists: readonly TextList[] } | null = null
  #newestEventNs = -1n
  #unknownText = ''
  #unknown = Buffer.alloc(0)

  constructor({ append, session, blocks }: RecorderOptions) {
    this.#append = append
    this.#block = blocks
    const block = this.#encodeBlock('session', encodeSession({ lists: listNames, ...session }))
    append(blocks === 0 ? Buffer.concat([fileSignature, block]) : block)
  }

  /** Records a frame that was captured at a wall time. */
  record(frame: Frame, wallMs: number): RecordedBlock {
    const { simTimeNs, publishSeq, events } = frame
    const { newestEvictedNs } = events
    const last = this.#last
    const isOtherWorld = last !== null && simTimeNs < last.frame.simTimeNs
    const hasEventGap = last !== null && !isOtherWorld && newestEvictedNs > this.#newestEventNs
    const kind = isOtherWorld || this.#framesSinceKey % framesPerKey === 0 ? 'key' : 'delta'
    const lists = this.#listsOf(frame)
    const header = { simTimeNs, wallMs, publishSeq, newestEvictedNs, hasEventGap, isOtherWorld }
    const block = this.#encodeBlock(kind, this.#encoder.encode({ ...header, lists }, kind))
    this.#append(block)
    this.#framesSinceKey = kind === 'key' ? 1 : this.#framesSinceKey + 1
    this.#last = { frame, lists }
    this.#newestEventNs = events.atNs.at(-1) ?? newestEvictedNs
    return { kind, bytes: block.length, hasEventGap }
  }

  #encodeBlock(kind: BlockKind, content: Uint8Array): Buffer {
    return encodeBlock(kind, this.#block++, content)
  }

  /** The lists of a frame. Those with unchanged bytes are the same objects as before. */
  #listsOf({ collections, events, diagnostics, totals, unknown }: Frame): TextList[] {
    const unknownText = JSON.stringify(unknown)
    if (unknownText !== this.#unknownText) {
      this.#unknownText = unknownText
      this.#unknown = Buffer.from(unknownText)
    }
    const lists: TextList[] = [
      ...Object.values(collections).map(({ bytes, starts, ids }: EncodedCollection) => ({
        bytes,
        starts,
        ids,
      })),
      { bytes: events.bytes, starts: events.starts, ids: events.atNs },
      listOfOne(diagnostics),
      listOfOne(totals),
      listOfOne(this.#unknown),
    ]
    const before = this.#last?.lists
    return lists.map((list, i) => (before?.[i].bytes === list.bytes ? before[i] : list))
  }
}
