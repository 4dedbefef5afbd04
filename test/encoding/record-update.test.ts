import { describe, expect, test } from 'vitest'
import { collectionNames, collections } from '../../src/contract/collections.ts'
import type { RecordType } from '../../src/contract/fields.ts'
import { Host } from '../../src/contract/records/plant.ts'
import { ListReader } from '../../src/encoding/read-list.ts'
import type { ReadItems } from '../../src/encoding/read-list.ts'
import { busyHost } from '../host-records.ts'
import { Seeded } from '../seeded.ts'
import { jsonReference } from './json-reference.ts'
import { randomRecord } from './random-records.ts'

type Plain = Record<string, unknown>

const bytesOf = (text: string): Buffer => Buffer.from(text)

/** What a reader that has seen nothing before makes of a list. */
function afresh(name: string, type: RecordType, text: string): string {
  return outcomeOf(() => new ListReader(name, type).read([bytesOf(text)]))
}

function outcomeOf(read: () => ReadItems): string {
  try {
    return read().records.map(jsonReference).join('\n')
  } catch (error) {
    return (error as Error).message
  }
}

/** Other records with the same ids. */
const someOf = (type: RecordType, chance: Seeded): Plain[] =>
  Array.from({ length: 12 }, (_, id) => ({ ...randomRecord(type, chance), id }))

describe.each(collectionNames)('%s', (name) => {
  const type: RecordType = collections[name]

  test('hold what a reader that begins with them finds, time after time', () => {
    const chance = new Seeded(name.length)
    const reader = new ListReader(name, type)
    for (let turn = 0; turn < 40; turn++) {
      const text = someOf(type, chance).map(jsonReference).join(',')
      expect(outcomeOf(() => reader.read([bytesOf(text)]))).toBe(afresh(name, type, text))
    }
  })

  test('are refused where they would be, and read where they would be, whatever byte is off', () => {
    const chance = new Seeded(name.length + 100)
    const reader = new ListReader(name, type)
    const oddities = '{}[],:"\\ \n09.-eEntf\u0001é'
    let refused = 0
    const turns = 400
    for (let turn = 0; turn < turns; turn++) {
      const sound = someOf(type, chance).slice(0, 2).map(jsonReference).join(',')
      reader.read([bytesOf(sound)])
      const at = chance.below(sound.length)
      const cut = chance.below(3)
      const odd = chance.oneIn(4) ? '' : oddities[chance.below(oddities.length)]
      const text = sound.slice(0, at) + odd + sound.slice(at + cut)
      const expected = afresh(name, type, text)
      expect([text, outcomeOf(() => reader.read([bytesOf(text)]))]).toEqual([text, expected])
      if (expected.startsWith(name)) refused++
    }
    expect(refused).toBeGreaterThan(turns / 4)
  })
})

/** Whether the second text is read into the object that the first one was read into. */
function isReadInto(first: string, second: string): boolean {
  const reader = new ListReader('hosts', Host)
  const [before] = reader.read([bytesOf(first)]).records
  const [after] = reader.read([bytesOf(second)]).records
  const [expected] = new ListReader('hosts', Host).read([bytesOf(second)]).records
  for (const field of Object.keys(Host.fields)) {
    expect([field, (after as Plain)[field]]).toEqual([field, (expected as Plain)[field]])
  }
  return before === after
}

const calm = busyHost(7)
const busy = {
  ...calm,
  label: 'renamed',
  online: false,
  ingress_gbps: 3.25,
  used_millivcpu: 71_000,
  served_customer_ids: [7, 58, 90, 97],
  accelerator: 'Ember A2',
  ports: [{ ...calm.ports[1], gbps_tx: 1.0625 }],
}
const printed = (record: object): string => JSON.stringify(record)

test('what changed is read into the record that was there', () => {
  expect(isReadInto(printed(calm), printed(busy))).toBe(true)
})

test('in whatever order a server writes, with whatever else it tells', () => {
  const turned = (record: object, more: unknown): string =>
    printed(Object.fromEntries([...Object.entries(record), ['more', more]].toReversed()))
  expect(isReadInto(turned(calm, 1), turned(busy, { 'so "much"': [1, null, 'é }'] }))).toBe(true)
})

test('with its numbers as long as doubles are, and integers of 64 bits', () => {
  const long = { ...busy, ingress_gbps: 100 / 3, egress_gbps: 1e-7 }
  expect(isReadInto(printed(calm), printed(long))).toBe(true)
  const wide = (digits: string): string => printed(calm).replace(/"rack_id":\d+/, `"rack_id":${digits}`)
  expect(isReadInto(wide('9007199254740993'), wide('9223372036854775807'))).toBe(true)
  expect(isReadInto(wide('1'), wide('9007199254740993'))).toBe(true)
})

test('escaped as another server would', () => {
  const escaped = printed(busy).replace(/"display_name":"/, '$&\\u00e9\\"\\/')
  expect(isReadInto(printed(calm), escaped)).toBe(true)
})

test('but a record of another id is another record', () => {
  expect(isReadInto(printed(calm), printed({ ...busy, id: 8 }))).toBe(false)
})

test('and one that is written in another way is read anew', () => {
  expect(isReadInto(printed(calm), JSON.stringify(busy, null, 1))).toBe(false)
})

test('and one that is written in another order than before; those behind it are read into theirs', () => {
  const reader = new ListReader('hosts', Host)
  const list = (write: (host: object) => string, ingress: number) =>
    reader.read([bytesOf([7, 8, 9].map((id) => write({ ...calm, id, ingress_gbps: ingress })).join(','))])
      .records
  const turned = (record: object): string => printed(Object.fromEntries(Object.entries(record).toReversed()))
  const before = list(printed, 1)
  const after = list(turned, 2)
  expect(after.map((record, i) => record === before[i])).toEqual([false, true, true])
  expect(list(turned, 3).map((record, i) => record === after[i])).toEqual([true, true, true])
  expect(after.map((record) => (record as Plain)['ingress_gbps'])).toEqual([3, 3, 3])
})

test('one whose other fields have very long names is read anew, and as it is', () => {
  const strange = (record: object): string => printed({ ...record, ['x'.repeat(20_000)]: 1 })
  expect(isReadInto(strange(calm), strange(busy))).toBe(false)
})
