import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Frame } from '../../../src/encoding/frames/frame.ts'
import { FrameCursor } from '../../../src/store/recording/frame-cursor.ts'
import { framesOf, RecordedSession } from '../../recording/recorded.ts'
import { fileBytes, openSession, ownSessionFile } from '../../../src/store/session-file.ts'
import { atLeast, atMost, finding } from '../harness/finding.ts'
import type { Row } from '../harness/finding.ts'
import { estimateOf, takeTurns } from '../harness/turns.ts'
import { builtInWorld } from '../support/built-in-world.ts'

/** At 60 simulated seconds a second, and a frame a second. */
const stepsPerFrame = 6
const framesPerHour = 3_600
const stepsBefore = 720
const rounds = 31
const warmUps = 15

/** The frame's records as one text, compressed: the content of a recording of whole frames. */
const gzipOf = ({ collections, events }: Frame): Buffer =>
  gzipSync(Buffer.concat([...Object.values(collections).map(({ bytes }) => bytes), events.bytes]), {
    level: 1,
  })

export const recording: Row = {
  name: 'recording',
  async measure() {
    const { world } = builtInWorld('medium', 0)
    for (let step = 0; step < stepsBefore; step++) world.step()
    const frameOf = framesOf()
    const nextFrame = (): Frame => {
      for (let step = 0; step < stepsPerFrame; step++) world.step()
      return frameOf(world.snapshot())
    }
    const folder = mkdtempSync(join(tmpdir(), 'dcsim-bench-recording-'))
    const { path, release } = ownSessionFile(join(folder, 'bench.dcsim'), () => {})
    const session = new RecordedSession(openSession(path))
    const bytesBefore = fileBytes(session.database)
    const packed: Buffer[] = []
    let frame = nextFrame()
    const recorded = await takeTurns(
      {
        record: { prepare: () => void (frame = nextFrame()), run: () => void session.recordFrame(frame) },
        gzip: { run: () => void packed.push(gzipOf(frame)) },
      },
      { rounds, warmUps },
    )
    const cursor = new FrameCursor(session.frames)
    const read = await takeTurns(
      {
        decode: { run: (round) => void cursor.read(round, 0) },
        gunzip: { run: (round) => void gunzipSync(packed[round]) },
      },
      { rounds, warmUps },
    )
    const written = session.written.map(({ bytes }) => bytes)
    // Pages are not full: each frame has its share of what the file has grown by.
    const fill = (fileBytes(session.database) - bytesBefore) / written.reduce((sum, size) => sum + size, 0)
    const bytes = written.slice(1).map((size) => size * fill)
    session.database.close()
    release()
    rmSync(folder, { recursive: true })
    const shares = estimateOf(bytes.map((size, index) => size / packed[index + 1].length))
    const hourMb = ((bytes.reduce((sum, size) => sum + size, 0) / bytes.length) * framesPerHour) / 1e6
    const whole = 'a recorded frame of 120 hosts, against gzip of the whole frame at level 1'
    return [
      finding(
        'recording-time',
        `recording ${whole}`,
        atLeast(0.85),
        recorded.ratio('gzip', 'record'),
        recorded.sides('record', 'gzip'),
      ),
      finding(
        'recording-size',
        `bytes of ${whole}`,
        atMost(0.045),
        shares,
        `${hourMb.toFixed(1)} MB an hour at 60×, in pages that are ${(100 / fill).toFixed(0)} % full`,
      ),
      finding(
        'replay',
        'reading a recorded frame of 120 hosts, against gunzip of the whole frame',
        atLeast(0.15),
        read.ratio('gunzip', 'decode'),
        read.sides('decode', 'gunzip'),
      ),
    ]
  },
}
