import { expect, test } from 'vitest'
import { createSimulation } from '../../src/simulation/world.ts'
import { framesOf, MemorySession } from './recorded.ts'

const stepsAnHour = 360
/** At 60 simulated seconds a second. */
const stepsAFrame = 6
const framesAnHour = 3_600
const frames = Number(process.env['DCSIM_TEST_RECORDED_FRAMES'] ?? 150)

test(`a medium session takes under 20 MB an hour and 2 % of a core (${frames} frames)`, () => {
  const world = createSimulation({ seed: 1n, scale: 'medium', scenario: null, warmUp: 0, speed: 60 })
  for (let step = 0; step < 6 * stepsAnHour; step++) world.step()
  const session = new MemorySession()
  const frameOf = framesOf()
  const recordedMs: number[] = []
  for (let frame = 0; frame < frames; frame++) {
    for (let step = 0; step < stepsAFrame; step++) world.step()
    const made = frameOf(world.snapshot())
    const before = process.threadCpuUsage()
    session.recordFrame(made)
    const { user, system } = process.threadCpuUsage(before)
    recordedMs.push((user + system) / 1_000)
  }
  const bytes = session.blocks.reduce((sum, block) => sum + block.bytes, 0)
  const median = recordedMs.toSorted((one, other) => one - other)[Math.floor(frames / 2)]
  // The whole frame at the beginning weighs twice as much here as it does in an hour.
  expect((bytes / frames) * framesAnHour).toBeLessThan(20e6)
  // A frame a second.
  expect(median).toBeLessThan(20)
}, 600_000)
