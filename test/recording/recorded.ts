import type { DatabaseSync } from 'node:sqlite'
import type { Snapshot } from '../../src/contract/collections.ts'
import { BufferPool } from '../../src/encoding/frames/buffer-pool.ts'
import { FrameAssembler } from '../../src/encoding/frames/frame-assembly.ts'
import { FrameBuilder } from '../../src/encoding/frames/frame-builder.ts'
import type { Frame } from '../../src/encoding/frames/frame.ts'
import { RecordedFrames } from '../../src/store/recording/recorded-frames.ts'
import type { FrameRow, RecordedRun } from '../../src/store/recording/recorded-frames.ts'
import { Recorder } from '../../src/store/recording/recorder.ts'
import { openSession } from '../../src/store/session-file.ts'

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

export const recordingOf = (source: string): Omit<RecordedRun, 'number' | 'lists'> => ({
  source,
  software: '0.0.0',
  beganMs: Date.parse('2026-11-21T00:00:00.000Z'),
  everyMs: 1000,
})

/** A recording with a frame every second, in a file or in memory. */
export class RecordedSession {
  readonly database: DatabaseSync
  readonly frames: RecordedFrames
  readonly written: ReturnType<Recorder['record']>[] = []
  readonly #recorder: Recorder
  readonly #frameOf = framesOf()
  #wallMs: number

  constructor(
    database: DatabaseSync | null = null,
    { description = recordingOf('a test'), startMs = 1_800_000_000_000 } = {},
  ) {
    this.database = database ?? openSession(null)
    this.frames = new RecordedFrames(() => this.database)
    this.#wallMs = startMs
    this.#recorder = new Recorder(this.database, description)
  }

  record(snapshot: Snapshot): this {
    return this.recordFrame(this.#frameOf(snapshot))
  }

  recordFrame(frame: Frame): this {
    this.written.push(this.#recorder.record(frame, this.#wallMs))
    this.#wallMs += 1000
    return this
  }

  /** Adds another recording to the same file. */
  again(): RecordedSession {
    return new RecordedSession(this.database)
  }

  get rows(): FrameRow[] {
    return [
      ...this.frames.rows((error) => {
        throw error
      }),
    ]
  }
}
