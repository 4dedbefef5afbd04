import { expect, test } from 'vitest'
import { lagMaxMs } from '../../../src/sources/built-in/simulation-source.ts'
import { tickingSource } from '../ticking-world.ts'

const second = 1_000_000_000n

test('warms up in slices and posts its progress', () => {
  const { clock, source } = tickingSource({ warmUpNs: 100n * second, stepTakesMs: 2 })
  expect(source.warmUp(8)).toEqual({ done: 0.4, simTimeNs: 40n * second })
  expect(source.warmUp(clock.nowMs() + 8)).toEqual({ done: 0.8, simTimeNs: 80n * second })
  expect(source.warmUp(clock.nowMs() + 8)).toEqual({ done: 1, simTimeNs: 100n * second })
})

test('without a warm-up there is something to capture at once', () => {
  const { source } = tickingSource({})
  expect(source.warmUp(8)).toEqual({ done: 1, simTimeNs: 0n })
})

test('takes a step of 10 simulated seconds when wall time, at its speed, has come that far', () => {
  const { clock, world, source } = tickingSource({ speed: 20 })
  expect(source.advance(8)).toBe(500)
  clock.advanceTo(499)
  expect(source.advance(507)).toBe(1)
  clock.advanceTo(1500)
  expect(source.advance(1508)).toBe(500)
  expect(world.nowNs).toBe(30n * second)
})

test('is paused at speed 0', () => {
  const { clock, world, source } = tickingSource({ speed: 0 })
  clock.advanceTo(60_000)
  expect(source.advance(60_008)).toBe(Infinity)
  expect(world.nowNs).toBe(0n)
})

test('a world that cannot keep up lags, yields after its slice, and says by how much it is behind', () => {
  const { clock, source } = tickingSource({ speed: 10_000, stepTakesMs: 5 })
  source.advance(8)
  clock.advanceTo(101)
  expect(source.advance(109)).toBe(0)
  expect(clock.nowMs()).toBe(111)
  const { snapshot } = source.capture(null)
  expect(snapshot.diagnostics.publish).toMatchObject({ lag_ms: 108, cadence_ms: 1000 })
})

test('does not make good more than a minute of lag', () => {
  const { clock, source } = tickingSource({ speed: 10, stepTakesMs: 10 })
  source.advance(8)
  clock.advanceTo(3_600_000)
  source.advance(3_600_001)
  const { snapshot } = source.capture(null)
  expect(snapshot.diagnostics.publish.lag_ms).toBe(lagMaxMs - 1000 + 10)
})

test('posts the cost of the previous publish', () => {
  const { source } = tickingSource({})
  const previous = { projectMs: 1.23, encodeMs: 4.56, recordsEncoded: 7, recordsTotal: 8, bytesTotal: 9_000 }
  const { snapshot } = source.capture(previous)
  expect(snapshot.diagnostics.publish).toEqual({
    cadence_ms: 1000,
    step_ms: 0,
    project_ms: 1.2,
    encode_ms: 4.6,
    records_encoded: 7,
    records_total: 8,
    bytes_total: 9_000,
    lag_ms: 0,
  })
})
