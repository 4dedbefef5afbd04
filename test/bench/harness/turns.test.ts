import { expect, test } from 'vitest'
import { estimateOf, quantile, takeTurns, Turns } from './turns.ts'

test('a ratio is taken round by round, so that a slow machine slows both', () => {
  const turns = new Turns({ ours: [1, 10, 2], theirs: [4, 40, 8] })
  expect(turns.ratio('theirs', 'ours')).toEqual({ value: 4, low: 4, high: 4 })
  expect(turns.median('ours')).toBe(2)
  expect(turns.sides('ours', 'theirs')).toBe('2.00 : 8.00 ms')
  expect(turns.sides('ours', 'theirs', 'µs', 1_000)).toBe('2.00 : 8.00 µs')
})

test('contenders take turns, each prepared first, and warm-up rounds do not count', async () => {
  const calls: string[] = []
  const turns = await takeTurns(
    {
      one: {
        prepare: (round) => void calls.push(`prepare ${round}`),
        run: (round) => {
          calls.push(`one ${round}`)
          return round
        },
      },
      other: {
        run: (round) => {
          calls.push(`other ${round}`)
          return 2 * round
        },
      },
    },
    { rounds: 11, warmUps: 1 },
  )
  expect(calls.slice(0, 6)).toEqual(['prepare 0', 'one 0', 'other 0', 'prepare 1', 'one 1', 'other 1'])
  expect(turns.median('one')).toBeCloseTo(6, 1)
  expect(calls).toHaveLength(12 * 3)
})

test('few rounds are refused', async () => {
  await expect(takeTurns({ one: { run: () => {} } }, { rounds: 10 })).rejects.toThrow(
    '10 rounds are too few: expected at least 11.',
  )
})

test('the processor time of a thread leaves out the time that it waits', async () => {
  const waiting = new Int32Array(new SharedArrayBuffer(4))
  const turns = await takeTurns(
    { waiting: { run: () => void Atomics.wait(waiting, 0, 0, 20) } },
    { rounds: 11, warmUps: 0 },
  )
  expect(turns.median('waiting')).toBeLessThan(5)
})

test('a quantile lies between its neighbors in proportion', () => {
  const shares = [0, 0.5, 1].map((share) => quantile([4, 1, 3, 2], share))
  expect(shares).toEqual([1, 2.5, 4])
  expect(quantile([10, 20], 0.25)).toBe(12.5)
  expect(() => quantile([], 0.5)).toThrow('There is no quantile of no values.')
})

test('an estimate is the median with its quartiles, which a single disturbed round does not move', () => {
  expect(estimateOf([9, 1, 5, 3, 7])).toEqual({ value: 5, low: 3, high: 7 })
  expect(estimateOf([5, 5, 5, 5, 5, 5, 5, 900])).toEqual({ value: 5, low: 5, high: 5 })
})
