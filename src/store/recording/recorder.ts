import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { nsPerSecond } from '../../contract/time-units.ts'
import type { Clock } from '../../contract/clock.ts'
import { collectionNames } from '../../contract/collections.ts'
import type { EncodedCollection, Frame } from '../../encoding/frames/frame.ts'
import { FrameEncoder } from './codec/frame-codec.ts'
import type { FrameKind } from './codec/frame-codec.ts'
import type { TextList } from './codec/text-list.ts'
import { framesMax, RecordedFrames } from './recorded-frames.ts'
import type { RecordedRun } from './recorded-frames.ts'
import { RecordingError } from './recording-error.ts'

/** The distance of key frames, at any of which reading can begin. */
const framesPerKey = 300

/** The lists of a frame: the collections, then the rest of its content. */
const listNames: readonly string[] = [...collectionNames, 'events', 'diagnostics', 'totals', 'unknown']

interface WrittenFrame {
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

/** The first frame after a join counts as the next whole second, so that a time in seconds can select it. */
const elapsedAfterJoin = (elapsedNs: bigint): bigint => (elapsedNs / nsPerSecond + 1n) * nsPerSecond

/** Adds a recording to the file of a session. Each frame is a transaction. */
export class Recorder {
  readonly #recording: number
  readonly #insert: StatementSync
  readonly #encoder = new FrameEncoder(listNames.length)
  #number: number
  #key = 0
  #elapsedNs: bigint
  #last: { readonly frame: Frame; readonly lists: readonly TextList[] } | null = null
  #newestEventNs = -1n
  #unknownText = ''
  #unknown = Buffer.alloc(0)

  constructor(database: DatabaseSync, about: Omit<RecordedRun, 'number' | 'lists'>) {
    const last = new RecordedFrames(() => database).last()
    this.#number = last === null ? 0 : last.number + 1
    this.#elapsedNs = last === null ? 0n : elapsedAfterJoin(last.elapsedNs)
    this.#insert = database.prepare('INSERT INTO frame VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    const { source, software, beganMs, everyMs } = about
    const { lastInsertRowid } = database
      .prepare('INSERT INTO recording (source, software, began_ms, every_ms, lists) VALUES (?, ?, ?, ?, ?)')
      .run(source, software, beganMs, everyMs, JSON.stringify(listNames))
    this.#recording = Number(lastInsertRowid)
  }

  /** Records a frame that was captured at a wall time. */
  record(frame: Frame, wallMs: number): WrittenFrame {
    if (this.#number >= framesMax)
      throw new RecordingError(`It has ${framesMax} frames, the most that a file holds; record to another.`)
    const { simTimeNs, publishSeq, events } = frame
    const { newestEvictedNs } = events
    const last = this.#last
    const isOtherWorld = last !== null && simTimeNs < last.frame.simTimeNs
    const isJoin = last === null || isOtherWorld
    const hasEventGap = last !== null && !isOtherWorld && newestEvictedNs > this.#newestEventNs
    const isKey = isJoin || this.#number - this.#key === framesPerKey
    if (isOtherWorld) this.#elapsedNs = elapsedAfterJoin(this.#elapsedNs)
    else if (last !== null) this.#elapsedNs += simTimeNs - last.frame.simTimeNs
    if (isKey) this.#key = this.#number
    const lists = this.#listsOf(frame)
    const kind = isKey ? 'key' : 'delta'
    const body = this.#encoder.encode(lists, kind)
    this.#insert.run(
      this.#number,
      this.#recording,
      this.#key,
      simTimeNs,
      this.#elapsedNs,
      Math.round(wallMs),
      publishSeq,
      newestEvictedNs,
      Number(isJoin),
      Number(hasEventGap),
      body,
      crc32(body),
    )
    this.#number++
    this.#last = { frame, lists }
    this.#newestEventNs = events.atNs.at(-1) ?? newestEvictedNs
    return { kind, bytes: body.length, hasEventGap }
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
