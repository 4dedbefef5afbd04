import { nsPerSecond } from '../contract/clock.ts'
import { describeForeignFile, fileSignature, readBlockContent, scanBlockAt } from './blocks.ts'
import type { BlockLocation, Damage, RecordingBytes } from './blocks.ts'
import { decodeFrameHeader, frameHeaderBytes } from './codec/frame-codec.ts'
import type { FrameHeader, FrameKind } from './codec/frame-codec.ts'
import { FrameList } from './frame-list.ts'
import type { Frames } from './frame-list.ts'
import { decodeSession, sessionBytesMax } from './session.ts'
import type { Session } from './session.ts'

/** A month of frames, one a second, takes 176 MB. */
const framesMax = 30 * 86_400

/** One session a day for ten years. */
const sessionsMax = 3_660

/** The first frame after a join counts as the next whole second, so that a time in seconds can select it. */
const elapsedAfterJoin = (elapsedNs: bigint): bigint => (elapsedNs / nsPerSecond + 1n) * nsPerSecond

/** The end of a recording: after a whole block, within a block, or at damage. */
type RecordingEnd =
  | { readonly is: 'end' }
  | { readonly is: 'unfinished'; readonly at: number }
  | { readonly is: 'damage'; readonly damage: Damage }

/** The sessions and frames of a recording, found by scanning it block by block. Every block is verified. */
export class RecordingIndex {
  readonly bytes: RecordingBytes
  readonly #sessions: Session[] = []
  readonly #frames = new FrameList()
  #ending: RecordingEnd | null = null
  #at = fileSignature.length
  #blocks = 0
  #needsKey = true

  constructor(bytes: RecordingBytes) {
    this.bytes = bytes
    const reason = describeForeignFile(bytes)
    if (reason === null) return
    this.#at = 0
    const head = Buffer.alloc(Math.min(bytes.size, fileSignature.length))
    bytes.read(head, 0)
    const isBegun = bytes.size < fileSignature.length && head.equals(fileSignature.subarray(0, head.length))
    this.#ending = isBegun ? { is: 'unfinished', at: 0 } : { is: 'damage', damage: { at: 0, reason } }
  }

  get sessions(): readonly Session[] {
    return this.#sessions
  }

  get frames(): Frames {
    return this.#frames
  }

  /** Null until the scan has ended. */
  get ending(): RecordingEnd | null {
    return this.#ending
  }

  /** The scanned share of the bytes, 0 … 1. */
  get done(): number {
    return this.#ending === null ? this.#at / this.bytes.size : 1
  }

  /** The number of valid blocks, and the offset after them. */
  get soundBlocks(): number {
    return this.#blocks
  }

  get soundBytes(): number {
    return this.#at
  }

  /** Whether no session can be added. */
  get isFull(): boolean {
    return this.#sessions.length === sessionsMax || this.#frames.length === framesMax
  }

  /** Scans the next block. Returns whether there may be more. */
  scanBlock(): boolean {
    if (this.#ending !== null) return false
    const scan = scanBlockAt(this.bytes, this.#at, this.#blocks)
    if (scan.is !== 'block') {
      this.#ending = scan
      return false
    }
    const reason = this.#addBlock(scan.block)
    if (reason !== null) {
      this.#ending = { is: 'damage', damage: { at: this.#at, reason } }
      return false
    }
    this.#at = scan.block.end
    this.#blocks++
    return true
  }

  scan(): this {
    while (this.scanBlock()) {}
    return this
  }

  /** Returns an error message for the content of a block whose checksum is correct; null for a valid one. */
  #addBlock(block: BlockLocation): string | null {
    const { kind } = block
    try {
      if (kind === 'session') {
        this.#addSession(block)
        return null
      }
      if (this.#sessions.length === 0) return 'found a frame before the first session'
      if (this.#needsKey && kind !== 'key') return 'found a session that does not begin with a key frame'
      if (this.#frames.length === framesMax) return `found more than ${framesMax} frames`
      this.#addFrame(decodeFrameHeader(readBlockContent(this.bytes, block, frameHeaderBytes)), kind, block)
      return null
    } catch (error) {
      return (error as Error).message
    }
  }

  #addSession(block: BlockLocation): void {
    const length = block.end - block.contentAt
    if (length > sessionBytesMax) throw new RangeError(`found a session block of ${length} bytes`)
    if (this.#sessions.length === sessionsMax) throw new RangeError(`found more than ${sessionsMax} sessions`)
    this.#sessions.push(decodeSession(readBlockContent(this.bytes, block)))
    this.#needsKey = true
  }

  #addFrame(header: FrameHeader, kind: FrameKind, block: BlockLocation): void {
    const session = this.#sessions.length - 1
    const last = this.#frames.length === 0 ? undefined : this.#frames.at(-1)
    const isJoin = last === undefined || last.session !== session || header.isOtherWorld
    let elapsedNs = 0n
    if (last !== undefined) {
      elapsedNs = isJoin
        ? elapsedAfterJoin(last.elapsedNs)
        : last.elapsedNs + header.simTimeNs - last.simTimeNs
    }
    const key = kind === 'key' ? this.#frames.length : last!.key
    this.#frames.push({ ...header, kind, block, session, key, isJoin, elapsedNs })
    this.#needsKey = false
  }
}
