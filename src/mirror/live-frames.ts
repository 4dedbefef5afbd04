import type { AssembledFrame } from '../encoding/frame-assembly.ts'
import type { Frame } from '../encoding/frame.ts'

/** Superseded frames that readers still hold may keep this much memory; beyond it the slow ones are ended. */
export const supersededBytesMax = 256 * 2 ** 20

/** However much they hold, readers have this long before they count as slow: load alone ends nobody. */
export const readerPatienceMs = 10_000

interface Reader {
  readonly end: () => void
  readonly sinceMs: number
  told: boolean
}

interface LiveFrame {
  readonly frame: Frame
  readonly buffers: ReadonlySet<ArrayBuffer>
  readonly readers: Set<Reader>
}

/** The frames that somebody still reads, and the buffers that each of them needs. */
export class LiveFrames {
  /** Oldest first; the last is the current one. */
  readonly #live: LiveFrame[] = []
  readonly #byFrame = new Map<Frame, LiveFrame>()
  readonly #uses = new Map<ArrayBuffer, number>()
  readonly #giveBack: (buffers: ArrayBuffer[]) => void
  readonly #bytesMax: number
  #readersEnded = 0

  constructor(giveBack: (buffers: ArrayBuffer[]) => void, bytesMax: number = supersededBytesMax) {
    this.#giveBack = giveBack
    this.#bytesMax = bytesMax
  }

  /** Frames superseded but still being read. */
  get supersededFrames(): number {
    return Math.max(0, this.#live.length - 1)
  }

  /** Memory that superseded frames keep from being written again. */
  get supersededBytes(): number {
    return this.#bytesHeldBy(this.#live.slice(0, -1))
  }

  /** Readers that were told to end so far. */
  get readersEnded(): number {
    return this.#readersEnded
  }

  /** Makes a frame the current one. */
  supersede({ frame, buffers }: AssembledFrame, nowMs: number): void {
    for (const buffer of buffers) this.#uses.set(buffer, (this.#uses.get(buffer) ?? 0) + 1)
    const previous = this.#live.at(-1)
    const next = { frame, buffers, readers: new Set<Reader>() }
    this.#live.push(next)
    this.#byFrame.set(frame, next)
    if (previous !== undefined) this.#retireUnread(previous)
    this.#endSlowReaders(nowMs)
  }

  /** Keeps a frame's buffers as they are until the function returned is called; `end` asks the reader to be quick. */
  hold(frame: Frame, end: () => void, nowMs: number): () => void {
    const live = this.#byFrame.get(frame)
    if (live === undefined)
      throw new Error(`The frame of publish ${frame.publishSeq} was already given back.`)
    const reader = { end, sinceMs: nowMs, told: false }
    live.readers.add(reader)
    return () => {
      if (live.readers.delete(reader)) this.#retireUnread(live)
    }
  }

  #retireUnread(live: LiveFrame): void {
    if (live.readers.size > 0 || live === this.#live.at(-1)) return
    this.#live.splice(this.#live.indexOf(live), 1)
    this.#byFrame.delete(live.frame)
    const free: ArrayBuffer[] = []
    for (const buffer of live.buffers) {
      const uses = this.#uses.get(buffer)! - 1
      if (uses > 0) this.#uses.set(buffer, uses)
      else {
        this.#uses.delete(buffer)
        free.push(buffer)
      }
    }
    if (free.length > 0) this.#giveBack(free)
  }

  #endSlowReaders(nowMs: number): void {
    const superseded = this.#live
      .slice(0, -1)
      .filter(({ readers }) => [...readers].some((reader) => !reader.told))
    while (superseded.length > 0 && this.#bytesHeldBy(superseded) > this.#bytesMax) {
      for (const reader of superseded.shift()!.readers) {
        if (reader.told || nowMs - reader.sinceMs < readerPatienceMs) continue
        reader.told = true
        this.#readersEnded++
        reader.end()
      }
    }
  }

  #bytesHeldBy(frames: readonly LiveFrame[]): number {
    const current = this.#live.at(-1)
    const buffers = new Set(frames.flatMap((live) => [...live.buffers]))
    let bytes = 0
    for (const buffer of buffers) if (current?.buffers.has(buffer) !== true) bytes += buffer.byteLength
    return bytes
  }
}
