import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { computingSeconds, orderInLanes, waitingSeconds } from './lanes.ts'

test('every file that is given a time exists', () => {
  const paths = [...Object.keys(waitingSeconds), ...Object.keys(computingSeconds)]
  expect(paths.filter((path) => !existsSync(path))).toStrictEqual([])
  expect(new Set(paths).size).toBe(paths.length)
})

test('waiting files run beside computing ones, the longest first, and short files fill the gaps', () => {
  const usual = Array.from({ length: 200 }, (_, at) => `test/a/${at}.test.ts`)
  const ordered = orderInLanes(
    [...usual, ...Object.keys(computingSeconds), ...Object.keys(waitingSeconds)],
    (path) => path,
    2,
  )
  expect(ordered.slice(0, 4)).toStrictEqual([
    'test/containers/stack.test.ts',
    'test/documents/blocks.test.ts',
    'test/world/simulation/operator/whole-world.test.ts',
    'test/world/statistics/first-look.test.ts',
  ])
  expect(ordered).toHaveLength(
    usual.length + Object.keys(computingSeconds).length + Object.keys(waitingSeconds).length,
  )
  // Files that share a process run one after the other.
  expect(ordered.filter((path) => path.startsWith('test/a/'))).toStrictEqual(usual)
})

test('no lane is left with a long file at the end', () => {
  const all = [...Object.keys(computingSeconds), ...Object.keys(waitingSeconds)]
  const seconds: Record<string, number> = { ...computingSeconds, ...waitingSeconds }
  const freeAt = [0, 0, 0, 0]
  for (const path of orderInLanes(all, (same) => same, 2)) {
    const start = Math.min(...freeAt)
    freeAt[freeAt.indexOf(start)] += seconds[path]
  }
  const total = all.reduce((sum, path) => sum + seconds[path], 0)
  expect(Math.max(...freeAt)).toBeLessThan((1.15 * total) / freeAt.length)
})
