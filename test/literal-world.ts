import { collectionNames, type Collections, type Snapshot } from '../src/contract/collections.ts'
import type { Field, RecordOf, RecordType } from '../src/contract/fields.ts'
import { Diagnostics } from '../src/contract/records/diagnostics.ts'
import { createTotalsLedger } from '../src/contract/totals.ts'

function blankValue(field: Field): unknown {
  if (field.nullable) return null
  if (field.record !== undefined) return blank(field.record)
  if (field.kind === 'bool') return false
  if (field.kind === 'str') return field.values?.[0] ?? ''
  if (field.kind === 'list') return []
  return 0
}

/** A record of that type in which nothing is going on, but for what is given. */
export function blank<R extends RecordType>(type: R, given: Partial<RecordOf<R>> = {}): RecordOf<R> {
  const values = Object.entries(type.fields).map(([name, field]) => [name, blankValue(field)])
  return { ...Object.fromEntries(values), ...given } as RecordOf<R>
}

/** A world that holds the given records and nothing else. */
export function literalSnapshot(
  given: Partial<Collections>,
  rest: Partial<Omit<Snapshot, 'collections'>> = {},
): Snapshot {
  const none = Object.fromEntries(collectionNames.map((name) => [name, []])) as unknown as Collections
  return {
    simTimeNs: 0n,
    collections: { ...none, ...given },
    events: [],
    newestEvictedNs: -1n,
    diagnostics: blank(Diagnostics),
    totals: createTotalsLedger(),
    ...rest,
  }
}
