import { expect, test } from 'vitest'
import { takeTurns, Turns } from './turns.ts'

test('a ratio is taken round by round, so that a slow machine slows both', () => {
  const turns = new Turns({ ours: [1, 10, 2], theirs: [4, 40, 8] })
  expect(turns.ratio('theirs', 'ours')).toEqual({ value: 4, low: 4, high: 4, rounds: 3 })
  expect(turns.median('ours')).toBe(2)
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
    { rounds: 11, warmUps: 1, clock: 'wall' },
  )
  expect(calls.slice(0, 6)).toEqual(['prepare 0', 'one 0', 'other 0', 'prepare 1', 'one 1', 'other 1'])
  expect(turns.median('one')).toBeCloseTo(6, 1)
  expect(turns.ratio('other', 'one').rounds).toBe(11)
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
