import {
  foreignSignature,
  nextBlock,
  readContent,
  signature,
  type BlockKind,
  type Damage,
  type FoundBlock,
  type RecordedBytes,
} from './blocks.ts'
import { readFacts, type FrameFacts } from './frame-text.ts'
import { readSession, type Session } from './session.ts'

/** No recording has more frames: more than a year at one a second. */
export const framesMax = 1 << 25

export interface IndexedFrame extends FrameFacts {
  readonly kind: Exclude<BlockKind, 'session'>
  readonly block: FoundBlock
  /** The position of its session. */
  readonly session: number
  /** Whether time does not go on from the frame before: the first of a session, or of another world. */
  readonly isJoin: boolean
  /** Simulated time since the beginning of the recording, that of all its sessions and worlds added up. */
  readonly elapsedNs: bigint
}

const nsASecond = 1_000_000_000n

/**
 * Where one world follows another, its first frame counts as the next whole second, so that each can be told by a
 * time in seconds.
 */
const afterJoin = (elapsedNs: bigint): bigint => (elapsedNs / nsASecond + 1n) * nsASecond

/** How a recording ends: well, in the middle of a block, or where it is damaged. */
export type Ending =
  | { readonly is: 'end' }
  | { readonly is: 'unfinished'; readonly at: number }
  | { readonly is: 'damage'; readonly damage: Damage }

/** What is in a recording, found block by block. Every block is checked on the way. */
export class RecordingIndex {
  readonly bytes: RecordedBytes
  readonly sessions: Session[] = []
  readonly frames: IndexedFrame[] = []
  /** Null until all was looked at. */
  ending: Ending | null = null
  #at = signature.length
  #blocks = 0
  #needsKey = true

  constructor(bytes: RecordedBytes) {
    this.bytes = bytes
    const foreign = foreignSignature(bytes)
    if (foreign === null) return
    // The very first bytes may have been cut short as well.
    const head = Buffer.alloc(Math.min(bytes.size, signature.length))
    bytes.read(head, 0)
    const isBegun = bytes.size < signature.length && head.equals(signature.subarray(0, head.length))
    this.#at = 0
    this.ending = isBegun ? { is: 'unfinished', at: 0 } : { is: 'damage', damage: { at: 0, found: foreign } }
  }

  /** How much of the bytes was looked at, 0 … 1. */
  get done(): number {
    return this.ending === null ? this.#at / this.bytes.size : 1
  }

  /** How many blocks are sound, and where the one after them begins. */
  get soundBlocks(): number {
    return this.#blocks
  }

  get soundBytes(): number {
    return this.#at
  }

  /** Looks at the next block. Says whether there are more. */
  scanBlock(): boolean {
    if (this.ending !== null) return false
    const next = nextBlock(this.bytes, this.#at, this.#blocks)
    if (next.is !== 'block') {
      this.ending = next
      return false
    }
    const found = this.#take(next.block)
    if (found !== null) {
      this.ending = { is: 'damage', damage: { at: this.#at, found } }
      return false
    }
    this.#at = next.block.end
    this.#blocks++
    return true
  }

  scan(): this {
    while (this.scanBlock()) {}
    return this
  }

  /** What is wrong with a block whose bytes are as they were written, or null. */
  #take(block: FoundBlock): string | null {
    const { kind } = block
    try {
      if (kind === 'session') {
        this.sessions.push(readSession(readContent(this.bytes, block)))
        this.#needsKey = true
        return null
      }
      if (this.sessions.length === 0) return 'a frame before the beginning of a session'
      if (this.#needsKey && kind !== 'key') return 'a session that does not begin with a whole frame'
      if (this.frames.length === framesMax) return `more than ${framesMax} frames`
      const facts = readFacts(
        readContent(this.bytes, { ...block, end: Math.min(block.end, block.contentAt + 64) }),
      )
      this.#place(facts, kind, block)
      this.#needsKey = false
      return null
    } catch (error) {
      return (error as Error).message
    }
  }

  #place(facts: FrameFacts, kind: IndexedFrame['kind'], block: FoundBlock): void {
    const session = this.sessions.length - 1
    const last = this.frames.at(-1)
    const isJoin = last === undefined || last.session !== session || facts.isOtherWorld
    let elapsedNs = 0n
    if (last !== undefined) {
      elapsedNs = isJoin ? afterJoin(last.elapsedNs) : last.elapsedNs + facts.simTimeNs - last.simTimeNs
    }
    this.frames.push({ ...facts, kind, block, session, isJoin, elapsedNs })
  }
}
