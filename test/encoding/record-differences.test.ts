import { describe, expect, test } from 'vitest'
import { collectionNames, collections } from '../../src/contract/collections.ts'
import { zeroRecord } from '../../src/contract/fields.ts'
import { DiagnosticsSchema } from '../../src/contract/records/diagnostics.ts'
import { HostSchema } from '../../src/contract/records/hosts.ts'
import { recordDifferences } from '../../src/encoding/record-differences.ts'
import { recordReader } from '../../src/encoding/record-reader.ts'

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
    effect: 'refused',
  })
  expect(differences({ online: null })).toEqual([
    { field: 'online', got: 'null', expected: 'true or false', effect: 'unknown' },
  ])
  expect(differences({ unit_count: 'many' })).toEqual([
    { field: 'unit_count', got: '"many"', expected: 'an integer', effect: 'refused' },
  ])
  expect(differences({ warp: 9 })).toEqual([
    { field: 'warp', got: '9', expected: 'no such field', effect: 'passed' },
  ])
  expect(differences({ served_customer_ids: [1, 'two'] })).toEqual([
    {
      field: 'served_customer_ids[]',
      got: '"two"',
      expected: 'an integer within 64 bits',
      effect: 'refused',
    },
  ])
  expect(differences({ id: 2n ** 60n, rack_id: null, unit_count: 1e300 })).toMatchObject([
    { field: 'unit_count', effect: 'refused' },
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

describe('says "refused" where the reader of records refuses, and nowhere else', () => {
  const types = [...collectionNames.map((name) => collections[name]), DiagnosticsSchema]
  test.each(types.map((type) => [type.name, type] as const))('%s', (_, type) => {
    const read = recordReader(type)
    const whole = zeroRecord(type) as Record<string, unknown>
    const isRefused = (record: object): boolean => {
      try {
        read(JSON.stringify(record))
        return false
      } catch {
        return true
      }
    }
    const saysSo = (record: Record<string, unknown>): boolean =>
      [...recordDifferences(type, record)].some(({ effect }) => effect === 'refused')
    for (const name of Object.keys(type.fields)) {
      const { [name]: __, ...without } = whole
      expect([name, saysSo(without)]).toEqual([name, isRefused(without)])
      for (const value of [null, true, 7, 0.5, 'text', [], [null], [{}], {}]) {
        const record = { ...whole, [name]: value }
        expect([name, value, saysSo(record)]).toEqual([name, value, isRefused(record)])
      }
    }
  })
})
