import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { collectionNames, collections } from '../../src/contract/collections.ts'
import { zeroRecord } from '../../src/contract/fields.ts'
import { HostSchema } from '../../src/contract/records/hosts.ts'
import { recordDifferences } from '../../src/encoding/record-differences.ts'
import { RecordListReader } from '../../src/encoding/record-list-reader.ts'

type Plain = Record<string, unknown>

const host: Record<string, unknown> = { ...zeroRecord(HostSchema), arch: 'x86_64' }
const usual = new Set([...recordDifferences(HostSchema, host)].map(({ field }) => field))
/** The differences of a host with some other fields. */
const differences = (fields: Record<string, unknown>) =>
  [...recordDifferences(HostSchema, { ...host, ...fields })].filter(({ field }) => !usual.has(field))

test('a record with other fields is told by field, with what a mirror makes of each', () => {
  const { label: _, ...unlabeled } = host
  expect([...recordDifferences(HostSchema, unlabeled)]).toContainEqual({
    field: 'label',
    got: 'nothing',
    expected: 'a string',
    effect: 'unknown',
  })
  expect(differences({ online: null })).toEqual([
    { field: 'online', got: 'null', expected: 'true or false', effect: 'unknown' },
  ])
  expect(differences({ unit_count: 'many' })).toEqual([
    { field: 'unit_count', got: '"many"', expected: 'an integer', effect: 'unknown' },
  ])
  expect(differences({ warp: 9 })).toEqual([
    { field: 'warp', got: '9', expected: 'no such field', effect: 'passed' },
  ])
  expect(differences({ served_customer_ids: [1, 'two'] })).toEqual([
    {
      field: 'served_customer_ids[]',
      got: '"two"',
      expected: 'an integer within 64 bits',
      effect: 'unknown',
    },
  ])
  expect(differences({ id: 2n ** 60n, rack_id: null, unit_count: 1e300 })).toMatchObject([
    { field: 'unit_count', effect: 'unknown' },
  ])
})

test('a value outside of a closed set is named with the set', () => {
  const pool = [...recordDifferences(collections.hostPools, { accelerator: 'Abacus' })]
  expect(pool.find(({ field }) => field === 'accelerator')).toMatchObject({
    got: '"Abacus"',
    expected: expect.stringMatching(/^one of /),
    effect: 'passed',
  })
})

test('a record without an id is left out', () => {
  const noId = (id: unknown) => [...recordDifferences(HostSchema, { ...host, id }, 'id')].slice(-1)
  expect([null, -1, 1.5, '7', 2n ** 63n].map((id) => noId(id)[0].effect)).toEqual(Array(5).fill('left out'))
  expect(noId(-1)).toEqual([
    { field: 'id', got: '-1', expected: 'an integer from 0 to 2^63 - 1', effect: 'left out' },
  ])
  expect(noId(2n ** 63n - 1n).map(({ field }) => field)).not.toContain('id')
})

describe('says what the reader of lists makes of each record', () => {
  test.each(collectionNames)('%s', (name) => {
    const type = collections[name]
    const names = Object.entries(type.fields).filter(([, { standIn }]) => standIn !== undefined)
    const whole = { ...zeroRecord(type), ...Object.fromEntries(names.map(([name]) => [name, 'n'])), id: 7 }
    // Null stands for an unknown id or truth value.
    const isUntold = (json: Plain, read: object): boolean =>
      Object.entries(type.fields).some(
        ([field, { nullable }]) =>
          (json[field] === null && !nullable) || !isDeepStrictEqual(json[field], Reflect.get(read, field)),
      )
    for (const field of Object.keys(type.fields)) {
      for (const value of [undefined, null, true, 7, -7, 0.5, 'text', [], [null], [{}], {}]) {
        const text = JSON.stringify({ ...whole, [field]: value })
        const json = JSON.parse(text) as Plain
        const { records, leftOut } = new RecordListReader(name, type).read([Buffer.from(text)])
        const effects = new Set(Array.from(recordDifferences(type, json, 'id'), ({ effect }) => effect))
        const isUnknown = records.length > 0 && isUntold(json, records[0])
        expect([text, effects.has('left out')]).toEqual([text, leftOut.has('no_id')])
        expect([text, effects.has('unknown')]).toEqual([text, isUnknown])
      }
    }
  })
})
