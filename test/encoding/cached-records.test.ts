import { expect, test } from 'vitest'
import { compileRecordEncoder } from '../../src/codegen/record-encoder.ts'
import { HostSchema } from '../../src/contract/records/hosts.ts'
import { CachedRecords } from '../../src/encoding/records/cached-records.ts'
import type { RecordSlot } from '../../src/encoding/records/cached-records.ts'
import { scalarEncoder } from '../../src/encoding/records/scalar-encoders.ts'
import { busyHost } from '../fixtures/busy-hosts.ts'

const count = 500

/** The room of the buffers after `count` records, as a multiple of what those take. */
function roomAfter(followingOf: (index: number) => number): number {
  const cache = new CachedRecords(compileRecordEncoder(HostSchema, scalarEncoder))
  const live: RecordSlot[] = []
  for (let index = 0; index < count; index++)
    live.push(cache.add(busyHost(index + 1), index + 1, live, followingOf(index)))
  return cache.bytes.length / live.reduce((sum, { capacity }) => sum + capacity, 0)
}

test('records that are known to follow have their room at once, and little more', () => {
  expect(roomAfter((index) => count - 1 - index)).toBeLessThan(1.15)
})

test('records that come one by one have room for half as many', () => {
  expect(roomAfter(() => 0)).toBeLessThanOrEqual(1.51)
})
