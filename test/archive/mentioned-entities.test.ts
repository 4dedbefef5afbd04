import { expect, test } from 'vitest'
import { entitiesOfIncident } from '../../src/store/archive/mentioned-entities.ts'
import { readIncident } from '../../src/store/archive/record-body.ts'
import { IncidentSchema } from '../../src/contract/records/operations.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'

const json = JSON.stringify(emptyRecord(IncidentSchema, { affected_customer_ids: [3n] }), (_, value) =>
  typeof value === 'bigint' ? Number(value) : (value as unknown),
)
const wide = '"affected_customer_ids":[9007199254740993]'

test.each([
  ['as they are', json, [3n]],
  ['with every digit', json.replace('"affected_customer_ids":[3]', wide), [9_007_199_254_740_993n]],
  [
    'where another field is unknown',
    json.replace('"affected_host_ids":[]', '"affected_host_ids":null'),
    [3n],
  ],
])('an incident mentions its customers %s', (_, text, ids) => {
  const mentioned = entitiesOfIncident(readIncident(Buffer.from(text)))
  expect(mentioned.map(({ id }) => id)).toEqual(ids)
})
