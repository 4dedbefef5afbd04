import type { Snapshot } from '../../src/contract/collections.ts'
import { BufferPool } from '../../src/encoding/frames/buffer-pool.ts'
import { FrameAssembler } from '../../src/encoding/frames/frame-assembly.ts'
import { FrameBuilder } from '../../src/encoding/frames/frame-builder.ts'
import type { Frame } from '../../src/encoding/frames/frame.ts'
import type { RecordingBytes } from '../../src/recording/blocks.ts'
import { Recorder } from '../../src/recording/recorder.ts'
import type { RecordedBlock } from '../../src/recording/recorder.ts'
import { RecordingIndex } from '../../src/recording/recording-index.ts'
import type { Session } from '../../src/recording/session.ts'

/** A recording in memory. */
export class MemoryBytes implements RecordingBytes {
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get size(): number {
    return this.#bytes.length
  }

  read(into: Uint8Array, at: number): void {
    if (at < 0 || at + into.length > this.size) throw new RangeError(`read behind the end, at ${at}`)
    into.set(this.#bytes.subarray(at, at + into.length))
  }
}

/** Encodes worlds one after the other, as a mirror would. */
export function framesOf(): (snapshot: Snapshot) => Frame {
  const builder = new FrameBuilder(new BufferPool(), () => 0)
  const assembler = new FrameAssembler()
  let publishSeq = 0
  return (snapshot) => {
    const message = builder.build({ snapshot, exposition: [], capturedAtMs: 0, projectMs: 0 })
    return assembler.assemble(message, ++publishSeq).frame
  }
}

export const sessionOf = (source: string): Omit<Session, 'lists'> => ({
  source,
  software: '0.0.0',
  began: '2026-11-21T00:00:00.000Z',
  every_ms: 1000,
})

/** A session with a frame every second. */
export class MemorySession {
  readonly blocks: RecordedBlock[] = []
  readonly #pieces: Uint8Array[]
  readonly #recorder: Recorder
  readonly #frameOf = framesOf()
  #wallMs: number

  /** Appends to the blocks of `previous`. */
  constructor(
    previous: { readonly bytes: Buffer; readonly blocks: number } | null = null,
    { description = sessionOf('a test'), startMs = 1_800_000_000_000 } = {},
  ) {
    this.#pieces = previous === null ? [] : [previous.bytes]
    this.#wallMs = startMs
    this.#recorder = new Recorder({
      append: (bytes) => this.#pieces.push(Uint8Array.from(bytes)),
      session: description,
      blocks: previous?.blocks ?? 0,
    })
  }

  record(snapshot: Snapshot): this {
    return this.recordFrame(this.#frameOf(snapshot))
  }

  recordFrame(frame: Frame): this {
    this.blocks.push(this.#recorder.record(frame, this.#wallMs))
    this.#wallMs += 1000
    return this
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces)
  }
}

export const indexOf = (bytes: Uint8Array): RecordingIndex =>
  new RecordingIndex(new MemoryBytes(bytes)).scan()
