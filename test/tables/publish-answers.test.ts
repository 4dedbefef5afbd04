import { describe, expect, test } from 'vitest'
import type { Frame } from '../../src/encoding/frames/frame.ts'
import { PublishAnswers, requestKey } from '../../src/tables/thread/publish-answers.ts'
import type { TableRequest } from '../../src/tables/thread/table-maker.ts'

const request = (given: Partial<TableRequest> = {}): TableRequest => ({
  table: 'hosts',
  format: 'json',
  filters: new Map(),
  sort: null,
  offset: 0,
  limit: 100,
  ...given,
})
const at = (publishSeq: number) => ({ publishSeq }) as Frame

/** Answers of a length, and how often they were made. */
function answersOf(length = 1) {
  const answers = new PublishAnswers()
  const counts = { made: 0 }
  const ask = (frame: Frame, given: Partial<TableRequest> = {}, bytes = length): Promise<Buffer> =>
    answers.of(frame, request(given), async () => {
      counts.made++
      return Buffer.alloc(bytes)
    })
  return { answers, ask, counts }
}

describe('the answer to an equal request', () => {
  test('is the same one while the frame is', async () => {
    const { ask } = answersOf()
    const frame = at(1)
    const first = ask(frame)
    expect(ask(frame)).toBe(first)
    expect(ask(at(2))).not.toBe(first)
  })

  test('is kept for the newest frame only', () => {
    const { ask } = answersOf()
    const [old, current, other] = [at(5), at(6), at(6)]
    const first = ask(current)
    for (const late of [old, other]) expect(ask(late)).not.toBe(ask(late))
    expect(ask(current)).toBe(first)
    void ask(at(7))
    expect(ask(current)).not.toBe(first)
  })

  test.each([
    [199, 1],
    [200, 2],
  ])('beside %d others is made %d times', async (others, times) => {
    const { ask, counts } = answersOf()
    const frame = at(1)
    await ask(frame)
    for (let offset = 1; offset <= others; offset++) await ask(frame, { offset })
    await ask(frame)
    expect(counts.made - others).toBe(times)
  })

  test.each([
    [2 ** 26 - 1, 1],
    [2 ** 26, 2],
  ])('after %d bytes of others is made %d times', async (bytes, times) => {
    const { ask, counts } = answersOf()
    const frame = at(1)
    await ask(frame)
    await ask(frame, { offset: 1 }, bytes)
    await ask(frame, { offset: 2 }, 0)
    await ask(frame)
    expect(counts.made - 2).toBe(times)
    // The bound is that of what was made since.
    await ask(frame, { offset: 3 }, 0)
    await ask(frame)
    expect(counts.made - 3).toBe(times)
  })

  test('is not kept beyond the bound where many are asked for before the first is ready', async () => {
    const { answers, counts, ask } = answersOf()
    const frame = at(1)
    const pending = [0, 1, 2].map((offset) => {
      const { promise, resolve } = Promise.withResolvers<Buffer>()
      return { offset, resolve, answer: answers.of(frame, request({ offset }), () => promise) }
    })
    for (const { resolve } of pending) resolve(Buffer.alloc(2 ** 25 + 1))
    await Promise.all(pending.map(({ answer }) => answer))
    for (const { offset, answer } of pending) expect(ask(frame, { offset })).not.toBe(answer)
    expect(counts.made).toBe(3)
  })

  test('that is ready only after the frame was superseded does not count for the next', async () => {
    const { answers, ask, counts } = answersOf()
    const late = Promise.withResolvers<Buffer>()
    const former = answers.of(at(1), request({ offset: 9 }), () => late.promise)
    const frame = at(2)
    const first = ask(frame)
    late.resolve(Buffer.alloc(2 ** 26 + 1))
    await former
    await first
    await ask(frame, { offset: 1 })
    expect(ask(frame)).toBe(first)
    expect(counts.made).toBe(2)
  })

  test('is made again after a failure', async () => {
    const { answers } = answersOf()
    const frame = at(1)
    const failing = answers.of(frame, request(), async () => {
      throw new Error('once')
    })
    await expect(failing).rejects.toThrow('once')
    const again = await answers.of(frame, request(), async () => Buffer.from('again'))
    expect(again.toString()).toBe('again')
  })
})

describe('the key of a request', () => {
  const key = (given: Partial<TableRequest>): string => requestKey(request(given))
  test('is the same in whichever order filters are given', () => {
    const filters: [string, string[]][] = [
      ['b', ['1']],
      ['a', ['2']],
    ]
    expect(key({ filters: new Map(filters) })).toBe(key({ filters: new Map(filters.toReversed()) }))
    expect(key({ range: null })).toBe(key({}))
  })
})
