/** Records as fast as possible until it is killed, and prints the number of each written frame. */
import { writeSync } from 'node:fs'
import { Recorder } from '../../src/recording/recorder.ts'
import { AppendOnlyFile } from '../../src/recording/recording-file.ts'
import { worldOfFrame } from './killed-world.ts'
import { framesOf } from './recorded.ts'

const framesMax = 100_000

const file = AppendOnlyFile.create(process.argv[2])
const recorder = new Recorder({
  append: (bytes) => file.append(bytes),
  session: { source: 'a test', software: '0.0.0', began: '2026-11-21T00:00:00.000Z', every_ms: 1000 },
  blocks: 0,
})
const frameOf = framesOf()
for (let frame = 0; frame < framesMax; frame++) {
  recorder.record(frameOf(worldOfFrame(frame)), frame)
  writeSync(1, `${frame}\n`)
}
