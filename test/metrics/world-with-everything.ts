import { collections } from '../../src/contract/collections.ts'
import type { Snapshot } from '../../src/contract/collections.ts'
import type { RecordType } from '../../src/contract/fields.ts'
import { DiagnosticsSchema } from '../../src/contract/records/diagnostics.ts'
import { numberedSnapshot } from '../fixtures/numbered-snapshot.ts'

/** Longer than the closed set of any state, so that each state occurs. */
const recordsPerCollection = 12

/** Numbers that may have a fraction get one: what has no unit and is no count shows. */
function addFractions(type: RecordType, record: Record<string, unknown>): void {
  for (const [name, { kind, recordType, of }] of Object.entries(type.fields)) {
    const value = record[name]
    if (value === null) continue
    if (kind === 'num') record[name] = (value as number) + 0.25
    if (recordType !== undefined) addFractions(recordType, value as Record<string, unknown>)
    for (const item of of?.recordType === undefined ? [] : (value as Record<string, unknown>[]))
      addFractions(of!.recordType!, item)
  }
}

/** A world in which every family has a sample, and every state a record. */
export function worldWithEverything(): Snapshot {
  const snapshot = numberedSnapshot(recordsPerCollection)
  for (const [name, type] of Object.entries(collections)) {
    const records = snapshot.collections[name as keyof typeof collections]
    for (const record of records) addFractions(type, record)
  }
  const { workOrders, incidents } = snapshot.collections
  workOrders[0].resolved_at_ns = null
  const [argument] = incidents[0].symptom_msg_args
  incidents[0].symptom_msg_args = [
    { ...argument, key: 'name' },
    { ...argument, key: 'place' },
  ]
  addFractions(DiagnosticsSchema, snapshot.diagnostics)
  return snapshot
}
