/** Work in steps, and the turns in which it is done. */
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  MadeInSteps,
  NotReady,
  sortedInSteps,
  TooMuchWork,
  Turns,
  whenReady,
} from '../../src/tables/turns.ts'
import type { Steps } from '../../src/tables/turns.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { result } from './framed-worlds.ts'

test('work that waits for more than 30 seconds is refused, and the work behind it is done', async () => {
  const clock = { ms: 0 }
  const turns = new Turns(() => clock.ms++)
  const atOnce = function* (): Steps<undefined> {}
  const works: Promise<unknown>[] = []
  function* busy(): Steps<undefined> {
    while (clock.ms < 20_000) yield
    if (works.length === 5) works.push(turns.run(atOnce()))
    while (clock.ms < 30_100) yield
  }
  for (const steps of [busy(), busy(), busy(), busy(), atOnce()]) works.push(turns.run(steps))
  const refused = { status: 'rejected', reason: new TooMuchWork('This one waited for 30 s.') }
  const done = { status: 'fulfilled', value: undefined }
  await Promise.allSettled(works)
  expect(await Promise.allSettled(works)).toEqual([done, done, done, done, refused, done])
})

test('tables are made while connections arrive without end, however long each round of the event loop takes', async () => {
  const clock = { ms: 0 }
  const turns = new Turns(() => clock.ms)
  const work = { stepsLeft: 10 }
  const done = turns.run(
    (function* (): Steps<undefined> {
      for (; work.stepsLeft > 0; work.stepsLeft--) {
        clock.ms += 5
        yield
      }
    })(),
  )
  let rounds = 0
  while (work.stepsLeft > 0) {
    clock.ms += 8
    turns.putOff()
    rounds++
    await setImmediate()
  }
  await done
  expect(rounds).toBeLessThan(40)
})

describe('computation in steps', () => {
  function* counted(made: string[], name: string) {
    for (let step = 0; step < 3; step++) yield
    made.push(name)
    return name
  }

  test('is made once, however many works need it', async () => {
    const made: string[] = []
    const inner = new MadeInSteps(counted(made, 'inner'))
    const outer = new MadeInSteps(
      (function* () {
        const below = yield* whenReady(() => inner.value)
        return `${below} and ${yield* counted(made, 'outer')}`
      })(),
    )
    const turns = new Turns(() => 0)
    const works = [1, 2, 3].map(() => turns.run(whenReady(() => outer.value)))
    expect(await Promise.all(works)).toEqual(Array.from({ length: 3 }, () => 'inner and outer'))
    expect(made).toEqual(['inner', 'outer'])
  })

  test('is no value of any work if it fails', async () => {
    const failing = new MadeInSteps<string>(
      (function* () {
        yield
        throw new Error('no such thing')
      })(),
    )
    const turns = new Turns(() => 0)
    const works = [1, 2].map(() => turns.run(whenReady(() => failing.value)))
    expect(await Promise.allSettled(works)).toMatchObject([
      { reason: { message: 'no such thing' } },
      { reason: { message: 'no such thing' } },
    ])
  })

  test('is sorted as a whole is, equal items in their order', () => {
    const random = new SeededRandom(11)
    for (const length of [0, 1, 255, 256, 257, 511, 513, 769, 1_500]) {
      const items = Array.from({ length }, (_, index) => ({ key: random.below(40), index }))
      const byKey = (one: { key: number }, other: { key: number }) => one.key - other.key
      expect(result(sortedInSteps(items, byKey))).toEqual(items.toSorted(byKey))
    }
  })

  test('read too early is not ready, and names what is needed', () => {
    const made = new MadeInSteps(counted([], 'late'))
    const tooEarly = (): unknown => {
      try {
        return made.value
      } catch (error) {
        return error
      }
    }
    expect(tooEarly()).toEqual(new NotReady(made))
    expect(tooEarly()).toMatchObject({
      needed: made,
      message: 'This is made in steps: read it within whenReady().',
    })
    expect(result(whenReady(() => made.value))).toBe('late')
    expect(tooEarly()).toBe('late')
  })

  test('passes on an error of what reads it', () => {
    const reading = whenReady(() => {
      throw new RangeError('no such row')
    })
    expect(() => result(reading)).toThrow(new RangeError('no such row'))
  })

  test('pauses as often as its steps do, for one job or for several', () => {
    const made = new MadeInSteps(counted([], 'inner'))
    const works = [1, 2].map(() => whenReady(() => made.value))
    let steps = 0
    for (let left = works; left.length > 0; steps += left.length)
      left = left.filter((one) => one.next().done !== true)
    expect(steps).toBe(4)
  })
})

describe('a turn', () => {
  /** Steps that each take a time; those done are counted. */
  function worksOf(stepMs: number, turns: Turns, clock: { ms: number }, count = 1) {
    const done = Array.from({ length: count }, () => 0)
    function* endless(index: number): Steps<undefined> {
      while (done[index] < 1_000) {
        clock.ms += stepMs
        done[index]++
        yield
      }
    }
    for (const index of done.keys()) void turns.run(endless(index))
    return done
  }

  test.each([
    [1, 4],
    [3, 2],
    [4, 1],
    [5, 1],
  ])('with steps of %d ms has %d of them', async (stepMs, steps) => {
    const clock = { ms: 0 }
    const done = worksOf(stepMs, new Turns(() => clock.ms), clock)
    expect(done).toEqual([0])
    await setImmediate()
    expect(done).toEqual([steps])
    await setImmediate()
    expect(done).toEqual([2 * steps])
  })

  test('is that of one job, and the next that of another: four at a time', async () => {
    const clock = { ms: 0 }
    const done = worksOf(4, new Turns(() => clock.ms), clock, 6)
    const rounds: string[] = []
    for (let round = 0; round < 8; round++) {
      await setImmediate()
      rounds.push(done.join(''))
    }
    expect(rounds).toEqual(['100000', '200000', '210000', '310000', '311000', '321000', '321100', '421100'])
  })

  test.each([
    [0, [0, 1, 1, 2]],
    [15, [0, 1, 1, 2]],
    [16, [1, 2, 3, 4]],
  ])(
    'is put off by a round when a connection arrived, unless that took %d ms',
    async (lateMs, doneByRound) => {
      const clock = { ms: 0 }
      const turns = new Turns(() => clock.ms)
      const done = worksOf(4, turns, clock)
      const rounds: number[] = []
      for (let round = 0; round < 4; round++) {
        if (round % 2 === 0 || lateMs === 16) {
          turns.putOff()
          clock.ms += lateMs
        }
        await setImmediate()
        rounds.push(done[0])
      }
      expect(rounds).toEqual(doneByRound)
    },
  )

  test('after the last job there is none, until there is another one', async () => {
    let reads = 0
    const turns = new Turns(() => reads++ && 0)
    function* atOnce(): Steps<string> {
      yield
      return 'done'
    }
    for (let job = 0; job < 2; job++) {
      expect(await turns.run(atOnce())).toBe('done')
      for (let round = 0; round < 3; round++) await setImmediate()
      const before = reads
      for (let round = 0; round < 3; round++) await setImmediate()
      expect(reads).toBe(before)
    }
  })

  test('continues after a job that fails', async () => {
    const turns = new Turns(() => 0)
    const failing = function* (): Steps<undefined> {
      yield
      throw new Error('broken')
    }
    const sound = function* (): Steps<string> {
      yield
      return 'sound'
    }
    expect(await Promise.allSettled([turns.run(failing()), turns.run(sound())])).toEqual([
      { status: 'rejected', reason: new Error('broken') },
      { status: 'fulfilled', value: 'sound' },
    ])
  })
})

test.each([
  [255, null],
  [256, new TooMuchWork('256 others wait.')],
])('behind %d jobs that wait', (waiting, refusal) => {
  const turns = new Turns(() => 0)
  const job = function* (): Steps<undefined> {}
  for (let index = 0; index < waiting; index++) void turns.run(job())
  let refused: unknown = null
  try {
    void turns.run(job())
  } catch (error) {
    refused = error
  }
  expect(refused).toEqual(refusal)
})

test.each([
  [30_000, 'fulfilled'],
  [30_001, 'rejected'],
])('a job that has waited for %d ms is %s', async (waitedMs, status) => {
  const clock = { ms: 0 }
  const turns = new Turns(() => clock.ms)
  const answers = [turns.run((function* (): Steps<undefined> {})())]
  clock.ms = waitedMs
  expect(await Promise.allSettled(answers)).toMatchObject([{ status }])
})
