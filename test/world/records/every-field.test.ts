import { expect, test } from 'vitest'
import { collectionNames, collections } from '../../../src/contract/collections.ts'
import type { Field, RecordType } from '../../../src/contract/fields.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import { hour } from '../../../src/world/simulation/time.ts'

/**
 * The changing fields of a record are zero until its first update. To find fields that no update writes, each field
 * must be written by an update, or be a constant that is nonzero in some record, or be one of these.
 */
const alwaysZero = [
  // Every customer is shown in full.
  'Customer.detail_omitted',
  // All cables have two ends.
  'Cable.dangling_end',
  // Switches are in racks.
  'Switch.on_wall',
  'Switch.on_shelf',
  // Patch panels are passive.
  'PatchPanel.power_on_hours',
]
/** A record of an incident or a quest is one literal: a missing field does not compile. */
const isWritten: ReadonlySet<string> = new Set(['incidents', 'resolvedIncidents', 'quests'])

type Values = Record<string, unknown>

const isZero = (value: unknown): boolean =>
  value === null ||
  value === 0 ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

const recordsIn = (field: Field, value: unknown): Values[] => {
  if (field.kind === 'record' && value !== null) return [value as Values]
  return field.kind === 'list' && field.of?.kind === 'record' ? (value as Values[]) : []
}
const nestedType = (field: Field): RecordType | undefined => field.recordType ?? field.of?.recordType

/** Calls `each` for every scalar field, with the name of its record type. */
function visit(
  type: RecordType,
  record: Values,
  each: (path: string, record: Values, name: string) => void,
): void {
  for (const [name, field] of Object.entries(type.fields)) {
    const nested = nestedType(field)
    if (nested === undefined) each(`${type.name}.${name}`, record, name)
    else for (const inner of recordsIn(field, record[name])) visit(nested, inner, each)
  }
}

function visitAll(sim: Simulation, each: (path: string, record: Values, name: string) => void): void {
  const { collections: records } = sim.snapshot()
  for (const collection of collectionNames.filter((name) => !isWritten.has(name)))
    for (const record of records[collection]) visit(collections[collection], record, each)
}

const forgottenList = [-1]

/** Clears every field, and marks placement and work orders as changed, so that all fields are written again. */
function forget({ customers, parts: { operations } }: Simulation, records: () => void): void {
  records()
  customers.state.version++
  for (const order of [...operations.state.finished, ...operations.dispatcher.open]) order.version++
}

test('every field is written by updates, or a constant that is not always zero', () => {
  const sim = createSimulation({ seed: 4n, scale: 'medium', scenario: null, warmUp: 0, speed: 60 })
  while (sim.state.now < hour) sim.step()
  const unwritten = new Set<string>()
  visitAll(sim, (path) => unwritten.add(path))
  visitAll(sim, (path, record, name) => {
    if (!isZero(record[name])) unwritten.delete(path)
  })
  // A value that no record has shown may still be written.
  forget(sim, () =>
    visitAll(sim, (_, record, name) => {
      record[name] = Array.isArray(record[name]) ? forgottenList : undefined
    }),
  )
  visitAll(sim, (path, record, name) => {
    if (record[name] !== undefined && record[name] !== forgottenList) unwritten.delete(path)
  })
  expect([...unwritten]).toEqual(alwaysZero)
})
