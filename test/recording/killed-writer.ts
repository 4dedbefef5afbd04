/** Records as fast as possible until it is killed, and prints the number of each written frame. */
import { writeSync } from 'node:fs'
import { fillWords } from '../../src/store/archive/word-index.ts'
import { Recorder } from '../../src/store/recording/recorder.ts'
import { openSession, ownSessionFile } from '../../src/store/session-file.ts'
import { worldOfFrame } from './killed-world.ts'
import { framesOf, recordingOf } from './recorded.ts'

const framesMax = 100_000

const { path, problem } = ownSessionFile(process.argv[2], fillWords)
if (problem !== null) throw new Error(problem)
const recorder = new Recorder(openSession(path), recordingOf('a test'))
const frameOf = framesOf()
for (let frame = 0; frame < framesMax; frame++) {
  recorder.record(frameOf(worldOfFrame(frame)), frame)
  writeSync(1, `${frame}\n`)
}
