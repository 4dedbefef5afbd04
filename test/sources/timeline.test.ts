import { expect, test } from 'vitest'
import type { Frames, IndexedFrame } from '../../src/recording/frame-list.ts'
import { FrameList } from '../../src/recording/frame-list.ts'
import type { RecordingIndex } from '../../src/recording/recording-index.ts'
import { Timeline } from '../../src/sources/replay/timeline.ts'

const second = 1_000_000_000n

interface Given {
  readonly sim: number
  readonly wall: number
  readonly isJoin?: boolean
}

function indexOf(given: readonly Given[], everyMs: number): RecordingIndex {
  const frames = new FrameList()
  let elapsedNs = 0n
  for (const [nth, { sim, wall, isJoin = nth === 0 }] of given.entries()) {
    if (nth > 0 && !isJoin) elapsedNs += BigInt(sim - given[nth - 1].sim) * second
    frames.push({
      simTimeNs: BigInt(sim) * second,
      wallMs: wall,
      publishSeq: nth,
      hasEventGap: false,
      isOtherWorld: false,
      kind: 'key',
      block: { kind: 'key', number: nth, at: nth, end: nth, contentAt: nth },
      session: 0,
      key: nth,
      isJoin,
      elapsedNs,
    } satisfies IndexedFrame)
  }
  return { frames: frames as Frames, sessions: [{ every_ms: everyMs }] } as unknown as RecordingIndex
}

/** Five frames, one a wall second, a simulated minute apart. */
const minutes = [0, 1, 2, 3, 4].map((nth) => ({ sim: 60 * nth, wall: 1_000 * nth }))
const whole = { fromNs: 0n, untilNs: null }

test.each([
  [0, null, 0, 4],
  [60, null, 1, 4],
  [61, null, 2, 4],
  [59, 240, 1, 4],
  [0, 239, 0, 3],
  [0, 240, 0, 4],
  [120, 120, 2, 2],
  [240, null, 4, 4],
] as const)('from %i s until %s s are frames %i to %i', (from, until, first, last) => {
  const range = { fromNs: BigInt(from) * second, untilNs: until === null ? null : BigInt(until) * second }
  const timeline = new Timeline(indexOf(minutes, 1_000), range, null)
  expect([timeline.isEmpty, timeline.first, timeline.last]).toEqual([false, first, last])
})

test.each([
  [241, null],
  [61, 119],
  [120, 119],
])('from %i s until %s s is no frame', (from, until) => {
  const range = { fromNs: BigInt(from) * second, untilNs: until === null ? null : BigInt(until) * second }
  expect(new Timeline(indexOf(minutes, 1_000), range, null).isEmpty).toBe(true)
})

test.each([
  [null, [0, 1_000, 2_000, 3_000, 4_000], 5_000],
  [60, [0, 1_000, 2_000, 3_000, 4_000], 5_000],
  [120, [0, 500, 1_000, 1_500, 2_000], 2_500],
  [0.5, [0, 120_000, 240_000, 360_000, 480_000], 600_000],
])('at speed %s frames are due at %j ms, and a turn takes %i ms', (speed, due, turnMs) => {
  const timeline = new Timeline(indexOf(minutes, 1_000), whole, speed)
  expect(due.map((_, position) => timeline.offsetMs(position))).toEqual(due)
  expect(timeline.turnMs).toBe(turnMs)
})

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
  expect(new Timeline(indexOf(frames, everyMs), whole, null).offsetMs(1)).toBe(expected)
})

test('between two worlds is a second', () => {
  const frames = [
    { sim: 600, wall: 0 },
    { sim: 0, wall: 5_000, isJoin: true },
  ]
  for (const speed of [null, 60]) {
    const timeline = new Timeline(indexOf(frames, 1_000), whole, speed)
    expect([timeline.offsetMs(1), timeline.turnMs]).toEqual([1_000, 2_000])
  }
})

test('a single frame is shown for a second', () => {
  expect(new Timeline(indexOf(minutes.slice(0, 1), 1_000), whole, null).turnMs).toBe(1_000)
})

test.each([
  [0, 0],
  [60, 1],
  [61, 2],
  [240, 4],
  [241, 0],
])('the first frame at or after %i s is %i', (at, position) => {
  const timeline = new Timeline(indexOf(minutes, 1_000), whole, null)
  expect(timeline.positionAt(BigInt(at) * second)).toBe(position)
})
