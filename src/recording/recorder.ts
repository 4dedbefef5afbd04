import type { EncodedCollection, Frame } from '../encoding/frame.ts'
import { sealBlock, signature, type BlockKind } from './blocks.ts'
import { FrameWriter } from './frame-text.ts'
import type { TextList } from './record-text.ts'
import { listNames, writeSession, type Session } from './session.ts'

/** After so many frames one is written whole, from which reading can begin. */
const framesAKey = 300

export interface RecorderOptions {
  /** Writes bytes behind those that were written before. What it throws ends the recording. */
  readonly append: (bytes: Uint8Array) => void
  readonly session: Omit<Session, 'lists'>
  /** How many blocks the recording has already. */
  readonly blocks: number
}

/** What recording a frame came to. */
export interface RecordedBlock {
  readonly kind: BlockKind
  readonly bytes: number
  readonly hasEventGap: boolean
}

const soleText = (bytes: Uint8Array): TextList => ({
  bytes,
  starts: Uint32Array.of(0, bytes.length + 1),
  ids: BigInt64Array.of(0n),
})

/** Writes a session as it goes: each frame is a block of its own, complete once it is written. */
export class Recorder {
  readonly #append: (bytes: Uint8Array) => void
  readonly #writer = new FrameWriter(listNames.length)
  #block: number
  #frames = 0
  #last: { readonly frame: Frame; readonly lists: readonly TextList[] } | null = null
  #newestEventNs = -1n

  constructor({ append, session, blocks }: RecorderOptions) {
    this.#append = append
    this.#block = blocks
    const opening = this.#seal('session', writeSession({ lists: listNames, ...session }))
    append(blocks === 0 ? Buffer.concat([signature, opening]) : opening)
  }

  /** Records a frame, of which `wallMs` is when it was captured by the wall clock. */
  record(frame: Frame, wallMs: number): RecordedBlock {
    const { simTimeNs, publishSeq, events } = frame
    const last = this.#last
    const isOtherWorld = last !== null && simTimeNs < last.frame.simTimeNs
    const hasEventGap = last !== null && !isOtherWorld && events.newestEvictedNs > this.#newestEventNs
    const kind = isOtherWorld || this.#frames % framesAKey === 0 ? 'key' : 'delta'
    const lists = this.#listsOf(frame)
    const { newestEvictedNs } = events
    const facts = { simTimeNs, wallMs, publishSeq, newestEvictedNs, hasEventGap, isOtherWorld }
    const block = this.#seal(kind, this.#writer.write({ ...facts, lists }, kind))
    this.#append(block)
    this.#frames = kind === 'key' ? 1 : this.#frames + 1
    this.#last = { frame, lists }
    this.#newestEventNs = events.atNs.at(-1) ?? newestEvictedNs
    return { kind, bytes: block.length, hasEventGap }
  }

  #seal(kind: BlockKind, content: Uint8Array): Buffer {
    return sealBlock(kind, this.#block++, content)
  }

  /** The lists of a frame; those that are still the same bytes are the same objects. */
  #listsOf({ collections, events, diagnostics, totals }: Frame): TextList[] {
    const lists: TextList[] = [
      ...Object.values(collections).map(({ bytes, starts, ids }: EncodedCollection) => ({
        bytes,
        starts,
        ids,
      })),
      { bytes: events.bytes, starts: events.starts, ids: events.atNs },
      soleText(diagnostics),
      soleText(totals),
    ]
    const before = this.#last?.lists
    return lists.map((list, i) => (before?.[i].bytes === list.bytes ? before[i] : list))
  }
}
