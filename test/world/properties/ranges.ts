import { collectionNames, collections } from '../../../src/contract/collections.ts'
import type { DiagnosticsRecord } from '../../../src/contract/collections.ts'
import { diagnosticListCap, DiagnosticsSchema } from '../../../src/contract/records/diagnostics.ts'
import { EngineEventSchema } from '../../../src/contract/records/operations.ts'
import type { RecordType } from '../../../src/contract/fields.ts'
import { recordViolations } from '../records/record-violations.ts'
import type { Check } from './checked-world.ts'

/** Invariant 7: every number is in the range of its unit, every word in its set, and there is no NaN. */
export const rangeViolations: Check = ({ snapshot }) => {
  const wrong = collectionNames.flatMap((name) =>
    snapshot.collections[name].flatMap((record) =>
      recordViolations(collections[name] as RecordType, record, `${name} ${record.id}`),
    ),
  )
  for (const event of snapshot.events)
    wrong.push(...recordViolations(EngineEventSchema, event, `event at ${event.at_ns}`))
  wrong.push(
    ...recordViolations(DiagnosticsSchema, snapshot.diagnostics),
    ...listViolations(snapshot.diagnostics),
  )
  return wrong
}

/** Lists of the diagnostics record are truncated at their bound, each with its total length beside it. */
function listViolations(diagnostics: DiagnosticsRecord): string[] {
  return Object.entries(diagnostics).flatMap(([name, list]) => {
    if (!Array.isArray(list)) return []
    const total = diagnostics[`${name}_total` as 'loaded_links_total']
    const shown = Math.min(total, diagnosticListCap)
    return list.length === shown ? [] : [`diagnostics show ${list.length} of ${total} ${name}`]
  })
}
