import { describe, expect, test } from 'vitest'
import { PublishedFrame } from '../../src/http/responses/published-frame.ts'
import { eventsRepresentation } from '../../src/http/resources/events.ts'
import { sliceBytes } from '../../src/http/responses/representation.ts'

/** A window of events at the given times; each item is its own position. */
function windowOf(atNs: readonly bigint[], newestEvictedNs = -1n) {
  const items = atNs.map((_, index) => String(index % 10))
  const starts = Uint32Array.from({ length: items.length + 1 }, (_, index) => index * 2)
  return { bytes: Buffer.from(items.join(',')), starts, atNs: BigInt64Array.from(atNs), newestEvictedNs }
}

function read(events: ReturnType<typeof windowOf>, sinceNs: bigint | null, eventLimit = 100): string {
  const { head, slices, tail } = eventsRepresentation(events, { sinceNs, eventLimit })
  const meta = new PublishedFrame(null, 'boot').meta(0)
  return (
    head(new PublishedFrame(null, 'boot'), 0) +
    slices.map((s) => Buffer.from(sliceBytes(s)).toString()).join('') +
    tail
  ).slice(meta.length + 1)
}

const page = (items: string, next: bigint, oldest: bigint, gap: boolean, count: number): string =>
  `"items":[${items}],"next_since_ns":${next},"oldest_retained_ns":${oldest},"possible_gap":${gap},"count":${count}}`

const large = 9223372036854775806n
const four = windowOf([10n, 20n, 9007199254740993n, large], 5n)

describe('which events', () => {
  test('all of the window where no cursor is given', () => {
    expect(read(four, null)).toBe(page('0,1,2,3', large, 10n, false, 4))
  })
  test('those strictly after the cursor', () => {
    expect(read(four, 10n)).toBe(page('1,2,3', large, 10n, false, 3))
    expect(read(four, 9n)).toBe(page('0,1,2,3', large, 10n, false, 4))
  })
  test('cursors beyond 2^53 are distinguished', () => {
    expect(read(four, 9007199254740992n)).toBe(page('2,3', large, 10n, false, 2))
    expect(read(four, 9007199254740993n)).toBe(page('3', large, 10n, false, 1))
    expect(read(four, 9223372036854775805n)).toBe(page('3', large, 10n, false, 1))
    expect(read(four, 9223372036854775807n)).toBe(page('', 9223372036854775807n, 10n, false, 0))
  })
  test('at most as many as the limit, and none for 0', () => {
    expect(read(four, null, 2)).toBe(page('0,1', 20n, 10n, false, 2))
    expect(read(four, 10n, 0)).toBe(page('', 10n, 10n, false, 0))
    expect(read(four, null, 0)).toBe(page('', 0n, 10n, false, 0))
  })
  test('none of an empty window', () => {
    expect(read(windowOf([]), null)).toBe(page('', 0n, 0n, false, 0))
    expect(read(windowOf([]), 7n)).toBe(page('', 7n, 0n, false, 0))
  })
})

describe('possible_gap', () => {
  test.each([
    [null, 5n, false],
    [0n, -1n, false],
    [0n, 5n, true],
    [4n, 5n, true],
    [5n, 5n, false],
    [6n, 5n, false],
    [0n, 0n, false],
  ])('since %s, newest gone %s: %s', (sinceNs, newestEvictedNs, gap) => {
    expect(read(windowOf([10n], newestEvictedNs), sinceNs)).toContain(`"possible_gap":${gap}`)
  })
})

describe('events that tie', () => {
  const ties = windowOf([1n, 2n, 2n, 2n, 3n, 3n])
  test('are never parted', () => {
    expect(read(ties, null, 2)).toBe(page('0,1,2,3', 2n, 1n, false, 4))
    expect(read(ties, 1n, 1)).toBe(page('1,2,3', 2n, 1n, false, 3))
    expect(read(ties, 2n, 1)).toBe(page('4,5', 3n, 1n, false, 2))
  })

  test.each([1, 2, 3, 4, 7, 100])('walking with limit %i yields each once', (limit) => {
    const found: string[] = []
    let cursor: bigint | null = null
    for (let steps = 0; steps < 20; steps++) {
      const body = JSON.parse(`{${read(ties, cursor, limit)}`) as {
        items: number[]
        next_since_ns: number
        count: number
      }
      if (body.count === 0) break
      found.push(...body.items.map(String))
      cursor = BigInt(body.next_since_ns)
    }
    expect(found.join()).toBe('0,1,2,3,4,5')
  })
})
