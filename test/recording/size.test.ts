import { expect, test } from 'vitest'
import { createSimulation } from '../../src/world/records/simulation.ts'
import { RecordedSession } from './recorded.ts'

const stepsPerHour = 360
/** At 60 simulated seconds a second, and a frame a second. */
const stepsPerFrame = 6
const framesPerHour = 3_600
const framesPerKey = 300
const frames = Number(process.env['DCSIM_TEST_RECORDED_FRAMES'] ?? 60)

test(`an hour of a medium session takes less than 22 MB (by ${frames} frames)`, () => {
  const world = createSimulation({ seed: 1n, scale: 'medium', scenario: null, warmUp: 0, speed: 60 })
  for (let step = 0; step < 6 * stepsPerHour; step++) world.step()
  const session = new RecordedSession()
  for (let frame = 0; frame < frames; frame++) {
    for (let step = 0; step < stepsPerFrame; step++) world.step()
    session.record(world.snapshot())
  }
  const [key, ...deltas] = session.written.map(({ bytes }) => bytes)
  const delta = deltas.reduce((sum, bytes) => sum + bytes, 0) / deltas.length
  const bytesPerHour = ((key + (framesPerKey - 1) * delta) / framesPerKey) * framesPerHour
  expect(bytesPerHour).toBeLessThan(22e6)
}, 600_000)
