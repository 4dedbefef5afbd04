import { expect, test } from 'vitest'
import { collectionNames, collections } from '../../src/contract/collections.ts'
import type { Field, Int64, RecordType } from '../../src/contract/fields.ts'
import { EncodedRecordList } from '../../src/encoding/records/encoded-record-list.ts'
import { createSimulation } from '../../src/world/records/simulation.ts'
import { jsonReference } from './json-reference.ts'

const idOf = (record: object): Int64 => (record as { readonly id: Int64 }).id

function inOrder(value: unknown, { kind, of, recordType: record }: Field): unknown {
  if (value === null) return null
  if (kind === 'list') return (value as unknown[]).map((item) => inOrder(item, of!))
  return kind === 'record' ? inContractOrder(value as object, record!) : value
}

/** The same record with its fields in the order of the contract. */
function inContractOrder(value: object, { fields }: RecordType): object {
  const entries = Object.entries(fields)
  return Object.fromEntries(
    entries.map(([name, field]) => [name, inOrder((value as Record<string, unknown>)[name], field)]),
  )
}

test('the records of a simulated world, updated in place, read as JSON.stringify prints them', () => {
  const world = createSimulation({ seed: 5n, scale: 'small', speed: 60, scenario: null, warmUp: 0 })
  const lists = new Map(
    collectionNames.map((name) => [name, new EncodedRecordList(collections[name], idOf)] as const),
  )
  for (let publish = 0; publish < 30; publish++) {
    for (let step = 0; step < 40; step++) world.step()
    const snapshot = world.snapshot()
    for (const [name, list] of lists) {
      const records: readonly object[] = snapshot.collections[name]
      list.update(records)
      const json = Buffer.alloc(list.jsonLength)
      list.writeTo(json, new BigInt64Array(list.count), new Uint32Array(list.count + 1))
      const expected = records.map((record) => jsonReference(inContractOrder(record, collections[name])))
      expect(json.toString(), `${name} at publish ${publish}`).toBe(expected.join(','))
    }
  }
})
