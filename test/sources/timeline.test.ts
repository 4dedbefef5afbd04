import { expect, test } from 'vitest'
import type { FrameRow } from '../../src/store/recording/recorded-frames.ts'
import { Timeline } from '../../src/sources/replay/timeline.ts'
import type { ReplayRange } from '../../src/sources/replay/timeline.ts'

const second = 1_000_000_000n

interface Given {
  readonly sim: number
  readonly wall: number
  readonly isJoin?: boolean
}

function framesOf(given: readonly Given[]): FrameRow[] {
  let elapsedNs = 0n
  return given.map(({ sim, wall, isJoin = false }, number) => {
    if (number > 0 && !isJoin) elapsedNs += BigInt(sim - given[number - 1].sim) * second
    return {
      number,
      recording: 1,
      key: number,
      simTimeNs: BigInt(sim) * second,
      elapsedNs,
      wallMs: wall,
      publishSeq: number,
      newestEvictedNs: -1n,
      isJoin: isJoin || number === 0,
      hasEventGap: false,
    }
  })
}

const timelineOf = (given: readonly Given[], everyMs: number, range: ReplayRange, speed: number | null) =>
  new Timeline(framesOf(given), new Map([[1, { everyMs }]]), range, speed)

/** Five frames, one a wall second, a simulated minute apart. */
const minutes = [0, 1, 2, 3, 4].map((nth) => ({ sim: 60 * nth, wall: 1_000 * nth }))
const whole = { fromNs: 0n, untilNs: null }

test.each([
  ['a gap of the recorder counts for ten seconds', 1_000, 9_999, 9_999],
  ['a gap of the recorder counts for ten seconds', 1_000, 10_001, 10_000],
  ['or for three intervals', 5_000, 14_999, 14_999],
  ['or for three intervals', 5_000, 15_001, 15_000],
  ['a clock that was set back counts for nothing', 1_000, -5, 0],
])('%s: with a frame every %i ms, %i ms are %i', (_, everyMs, gap, expected) => {
  const frames = [
    { sim: 0, wall: 0 },
    { sim: 60, wall: gap },
  ]
  expect(timelineOf(frames, everyMs, whole, null).offsetMs(1)).toBe(expected)
})

test.each([
  [null, 10_000],
  [60, 10_000],
  [120, 5_000],
  [0.5, 1_200_000],
])('at speed %s a gap of ten minutes takes %i ms', (speed, expected) => {
  const frames = [
    { sim: 0, wall: 0 },
    { sim: 36_000, wall: 600_000 },
  ]
  expect(timelineOf(frames, 1_000, whole, speed).offsetMs(1)).toBe(expected)
})

test('between two worlds is a second', () => {
  const frames = [
    { sim: 600, wall: 0 },
    { sim: 0, wall: 5_000, isJoin: true },
  ]
  for (const speed of [null, 60]) {
    const timeline = timelineOf(frames, 1_000, whole, speed)
    expect([timeline.offsetMs(1), timeline.turnMs]).toEqual([1_000, 2_000])
  }
})

test('a single frame is shown for a second', () => {
  expect(timelineOf(minutes.slice(0, 1), 1_000, whole, null).turnMs).toBe(1_000)
})
