import { describe, expect, test } from 'vitest'
import { collectionNames, collections } from '../../src/contract/collections.ts'
import type { RecordType } from '../../src/contract/fields.ts'
import { HostSchema } from '../../src/contract/records/hosts.ts'
import { RecordListReader } from '../../src/encoding/record-list-reader.ts'
import type { ReadItems } from '../../src/encoding/record-list-reader.ts'
import { busyHost } from '../fixtures/busy-hosts.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { isNight } from '../fixtures/seeds.ts'
import { jsonReference } from './json-reference.ts'
import { randomRecord } from './random-records.ts'

type Plain = Record<string, unknown>

const bytesOf = (text: string): Buffer => Buffer.from(text)

/** The outcome of reading a list with a new reader. */
function freshOutcome(name: string, type: RecordType, text: string): string {
  return outcomeOf(() => new RecordListReader(name, type).read([bytesOf(text)]))
}

function outcomeOf(read: () => ReadItems): string {
  try {
    const { records, leftOut } = read()
    return [...records.map(jsonReference), ...leftOut].join('\n')
  } catch (error) {
    return (error as Error).message
  }
}

/** Random records with the ids 0 to 11. */
const someOf = (type: RecordType, chance: SeededRandom): Plain[] =>
  Array.from({ length: 12 }, (_, id) => ({ ...randomRecord(type, chance), id }))

describe.each(collectionNames)('%s', (name) => {
  const type: RecordType = collections[name]

  test('are read as a new reader reads them', () => {
    const chance = new SeededRandom(name.length)
    const reader = new RecordListReader(name, type)
    for (let turn = 0; turn < (isNight ? 40 : 8); turn++) {
      const text = someOf(type, chance).map(jsonReference).join(',')
      expect(outcomeOf(() => reader.read([bytesOf(text)]))).toBe(freshOutcome(name, type, text))
    }
  })

  test('are read as a new reader reads them, with any value missing', () => {
    const chance = new SeededRandom(name.length + 200)
    const reader = new RecordListReader(name, type)
    const oddities = [null, true, 'text', 0.5, 7, [], {}, [null, 7, 'text', {}]]
    const worn = (value: unknown): unknown => {
      if (chance.oneIn(12)) return oddities[chance.below(oddities.length)]
      if (Array.isArray(value)) return value.map(worn)
      if (typeof value !== 'object' || value === null) return value
      const members = Object.entries(value).filter(() => !chance.oneIn(12))
      return Object.fromEntries(members.map(([field, member]) => [field, worn(member)]))
    }
    for (let turn = 0; turn < (isNight ? 40 : 8); turn++) {
      const records = someOf(type, chance)
      const text = records.map((record) => jsonReference(turn % 2 === 0 ? record : worn(record))).join(',')
      expect(outcomeOf(() => reader.read([bytesOf(text)]))).toBe(freshOutcome(name, type, text))
    }
  })

  test('are refused exactly if a new reader refuses them, whichever byte is changed', () => {
    const chance = new SeededRandom(name.length + 100)
    const reader = new RecordListReader(name, type)
    const oddities = '{}[],:"\\ \n09.-eEntf\u0001é'
    let refused = 0
    const turns = isNight ? 400 : 60
    for (let turn = 0; turn < turns; turn++) {
      const sound = someOf(type, chance).slice(0, 2).map(jsonReference).join(',')
      reader.read([bytesOf(sound)])
      const at = chance.below(sound.length)
      const cut = chance.below(3)
      const odd = chance.oneIn(4) ? '' : oddities[chance.below(oddities.length)]
      const text = sound.slice(0, at) + odd + sound.slice(at + cut)
      const expected = freshOutcome(name, type, text)
      expect([text, outcomeOf(() => reader.read([bytesOf(text)]))]).toEqual([text, expected])
      if (expected.startsWith(name)) refused++
    }
    expect(refused).toBeGreaterThan(turns / 5)
  })
})

/** Whether the second text is decoded into the object of the first. */
function isReadInto(first: string, second: string): boolean {
  const reader = new RecordListReader('hosts', HostSchema)
  const [before] = reader.read([bytesOf(first)]).records
  const [after] = reader.read([bytesOf(second)]).records
  const [expected] = new RecordListReader('hosts', HostSchema).read([bytesOf(second)]).records
  for (const field of Object.keys(HostSchema.fields)) {
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

test('a changed record is decoded in place', () => {
  expect(isReadInto(printed(calm), printed(busy))).toBe(true)
})

test('in any order of fields, with unknown fields', () => {
  const turned = (record: object, more: unknown): string =>
    printed(Object.fromEntries([...Object.entries(record), ['more', more]].toReversed()))
  expect(isReadInto(turned(calm, 1), turned(busy, { 'so "much"': [1, null, 'é }'] }))).toBe(true)
})

test('with long decimals and integers of 64 bits', () => {
  const long = { ...busy, ingress_gbps: 100 / 3, egress_gbps: 1e-7 }
  expect(isReadInto(printed(calm), printed(long))).toBe(true)
  const wide = (digits: string): string => printed(calm).replace(/"rack_id":\d+/, `"rack_id":${digits}`)
  expect(isReadInto(wide('9007199254740993'), wide('9223372036854775807'))).toBe(true)
  expect(isReadInto(wide('1'), wide('9007199254740993'))).toBe(true)
})

test('with other escapes', () => {
  const escaped = printed(busy).replace(/"display_name":"/, '$&\\u00e9\\"\\/')
  expect(isReadInto(printed(calm), escaped)).toBe(true)
})

test('a record with another id is another object', () => {
  expect(isReadInto(printed(calm), printed({ ...busy, id: 8 }))).toBe(false)
})

test('a record with other blanks is parsed', () => {
  expect(isReadInto(printed(calm), JSON.stringify(busy, null, 1))).toBe(false)
})

test('a record in a new order is parsed, and the ones after it are decoded in place', () => {
  const reader = new RecordListReader('hosts', HostSchema)
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

test('a record with very long unknown names is parsed', () => {
  const strange = (record: object): string => printed({ ...record, ['x'.repeat(20_000)]: 1 })
  expect(isReadInto(strange(calm), strange(busy))).toBe(false)
})
