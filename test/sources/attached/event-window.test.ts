import { expect, test } from 'vitest'
import type { ReadItems } from '../../../src/encoding/record-list-reader.ts'
import { EventWindow } from '../../../src/sources/attached/event-window.ts'
import type { UpstreamClient } from '../../../src/sources/attached/http/http-client.ts'
import { SourceError, StatusError } from '../../../src/sources/source.ts'
import { FakeClock } from '../../fixtures/fake-clock.ts'

const windowOf = (...keys: readonly bigint[]): ReadItems =>
  ({ count: keys.length, keys, item: (index: number) => Buffer.from(`event ${keys[index]}`) }) as never

const hasGapBefore =
  (newestEvictedNs: bigint) =>
  (sinceNs: bigint): string =>
    `{"possible_gap":${newestEvictedNs > sinceNs}}`

/** The newest event that left the window of an upstream, which answers questions for gaps. */
async function evictedFrom(windows: readonly ReadItems[], answer: (sinceNs: bigint) => string | Error) {
  const get = async (path: string) => {
    const answered = answer(BigInt(/since_ns=(\d+)/.exec(path)![1]))
    if (answered instanceof Error) throw answered
    return { url: path, headers: {}, receivedMs: 0, body: Buffer.from(answered) }
  }
  const window = new EventWindow({ get } as unknown as UpstreamClient, new FakeClock())
  let evicted = -1n
  for (const next of windows) evicted = await window.advance(next, 1_000n)
  return evicted
}

const apart = [windowOf(10n, 20n), windowOf(500n, 510n)]

test.each<[string, readonly ReadItems[], (sinceNs: bigint) => string | Error, bigint]>([
  [
    'is known from the window before',
    [windowOf(), windowOf(10n, 20n, 30n), windowOf(30n, 40n)],
    hasGapBefore(-1n),
    20n,
  ],
  ['is none where both begin alike', [windowOf(), windowOf(10n), windowOf(10n, 40n)], hasGapBefore(-1n), -1n],
  ['is searched for in a first window', [windowOf(500n, 510n)], hasGapBefore(321n), 321n],
  ['is searched for where two windows share nothing', apart, hasGapBefore(321n), 321n],
  ['is the last that was seen where no newer one is missing', apart, hasGapBefore(5n), 20n],
  ['may be any after a failure', apart, () => new StatusError(503, 'It is busy.'), 500n],
  ['may be any where it is asked too often', apart, () => new StatusError(429, 'Too often.'), 500n],
  ['may be any after a lost answer', apart, () => new SourceError('cut_off', 'It was cut off.'), 500n],
  ['is taken for known where the question is refused', apart, () => new StatusError(400, 'What?'), 20n],
])('the newest event that left the window %s', async (_, windows, answer, expected) => {
  expect(await evictedFrom(windows, answer)).toBe(expected)
})
