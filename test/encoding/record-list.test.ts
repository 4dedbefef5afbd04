import { describe, expect, test } from 'vitest'
import { collectionNames, collections } from '../../src/contract/collections.ts'
import type { Int64, RecordType } from '../../src/contract/fields.ts'
import { DiagnosticsSchema } from '../../src/contract/records/diagnostics.ts'
import { EngineEventSchema } from '../../src/contract/records/operations.ts'
import { HostSchema } from '../../src/contract/records/hosts.ts'
import { EncodedRecordList } from '../../src/encoding/records/encoded-record-list.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { jsonReference } from './json-reference.ts'
import { mutateRecord, randomRecord } from './random-records.ts'

type Identified = Record<string, unknown> & { id: Int64 }

const idOf = (record: object): Int64 => (record as Identified).id

function written(list: EncodedRecordList): { json: string; ids: bigint[]; items: string[] } {
  const json = Buffer.alloc(list.jsonLength)
  const ids = new BigInt64Array(list.count)
  const starts = new Uint32Array(list.count + 1)
  list.writeTo(json, ids, starts)
  const items = [...ids].map((_, i) => json.toString('utf8', starts[i], starts[i + 1] - 1))
  return { json: json.toString(), ids: [...ids], items }
}

const types: [string, RecordType][] = [
  ...collectionNames.map((name): [string, RecordType] => [name, collections[name]]),
  ['diagnostics', DiagnosticsSchema],
  ['events', EngineEventSchema],
]
const seed = Number(process.env['SEED'] ?? 20_240_917)
const rounds = 40

test.each(types)(`%s read as JSON.stringify prints them after any change (SEED=${seed})`, (_name, type) => {
  const chance = new SeededRandom(seed)
  const list = new EncodedRecordList(type, idOf)
  let nextId = 1
  const create = (): Identified => Object.assign(randomRecord(type, chance), { id: nextId++ }) as Identified
  // A record type may lack an id: the one added here is then not encoded.
  let records = Array.from({ length: 8 }, create)
  for (let round = 0; round < rounds; round++) {
    list.update(records)
    const expected = records.map((record) =>
      jsonReference('id' in type.fields ? record : Object.fromEntries(fieldsOf(record, type))),
    )
    const { json, ids, items } = written(list)
    expect(json).toBe(expected.join(','))
    expect(items).toEqual(expected)
    expect(ids).toEqual(records.map(({ id }) => BigInt(id)))
    for (const record of records) if (chance.oneIn(2)) mutateRecord(record, type, chance)
    records = records.filter(() => !chance.oneIn(12))
    if (chance.oneIn(2)) records.push(create())
  }
})

const fieldsOf = (record: Identified, type: RecordType): [string, unknown][] =>
  Object.keys(type.fields).map((name) => [name, record[name]])

describe('unchanged records', () => {
  test('is not encoded again', () => {
    const hosts = [emptyRecord(HostSchema, { id: 1 }), emptyRecord(HostSchema, { id: 2 })]
    const list = new EncodedRecordList(HostSchema, idOf)
    expect(list.update(hosts)).toEqual({ changed: true, encoded: 2 })
    expect(list.update(hosts)).toEqual({ changed: false, encoded: 0 })
    hosts[1].egress_gbps = 1.5
    expect(list.update(hosts)).toEqual({ changed: true, encoded: 1 })
  })

  test('may be a list that was replaced by an equal one', () => {
    const host = emptyRecord(HostSchema, { id: 1, served_customer_ids: [3, 4] })
    const list = new EncodedRecordList(HostSchema, idOf)
    list.update([host])
    host.served_customer_ids = [3, 4]
    expect(list.update([host])).toEqual({ changed: false, encoded: 0 })
  })
})

test('an empty list that stays empty is new once', () => {
  const list = new EncodedRecordList(HostSchema, idOf)
  expect(list.update([])).toEqual({ changed: true, encoded: 0 })
  expect(list.update([])).toEqual({ changed: false, encoded: 0 })
  expect(written(list)).toEqual({ json: '', ids: [], items: [] })
})

test('a record that goes is a change', () => {
  const hosts = [emptyRecord(HostSchema, { id: 1 }), emptyRecord(HostSchema, { id: 2 })]
  const list = new EncodedRecordList(HostSchema, idOf)
  list.update(hosts)
  expect(list.update(hosts.slice(1))).toEqual({ changed: true, encoded: 0 })
  expect(written(list).ids).toEqual([2n])
})

test('ids keep every digit', () => {
  const list = new EncodedRecordList(HostSchema, idOf)
  list.update([
    emptyRecord(HostSchema, { id: 2n ** 53n + 1n }),
    emptyRecord(HostSchema, { id: 2n ** 63n - 1n }),
  ])
  const { ids, items } = written(list)
  expect(ids).toEqual([9007199254740993n, 9223372036854775807n])
  expect(items[0]).toMatch(/^\{"id":9007199254740993,"display_name"/)
  expect(items[1]).toMatch(/^\{"id":9223372036854775807,"display_name"/)
})

test.each([
  ['egress_gbps', Number.NaN, 'Host.egress_gbps must be a finite number, but is NaN (number).'],
  [
    'egress_gbps',
    Number.POSITIVE_INFINITY,
    'Host.egress_gbps must be a finite number, but is Infinity (number).',
  ],
  ['unit_count', 1.5, 'Host.unit_count must be a safe integer, but is 1.5 (number).'],
  ['az_id', 2 ** 53, 'Host.az_id must be a safe integer, but is 9007199254740992 (number).'],
  ['az_id', 2n ** 63n, 'Host.az_id must be within 64 bits, but is 9223372036854775808 (bigint).'],
  ['label', undefined, 'Host.label must be a string, but is undefined (undefined).'],
  ['online', 1, 'Host.online must be true or false, but is 1 (number).'],
])('%s: %s is refused, when new and when changed', (name, value, message) => {
  const fresh = Object.assign(emptyRecord(HostSchema, { id: 1 }), { [name]: value })
  expect(() => new EncodedRecordList(HostSchema, idOf).update([fresh])).toThrow(message)
  const host = emptyRecord(HostSchema, { id: 1 })
  const list = new EncodedRecordList(HostSchema, idOf)
  list.update([host])
  Object.assign(host, { [name]: value })
  expect(() => list.update([host])).toThrow(message)
})

test('records out of order are refused', () => {
  const list = new EncodedRecordList(HostSchema, idOf)
  const hosts = [emptyRecord(HostSchema, { id: 2 }), emptyRecord(HostSchema, { id: 1 })]
  expect(() => list.update(hosts)).toThrow('Host 1 must come before 2: records ascend by id.')
})
