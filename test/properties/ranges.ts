import { collectionNames, collections, type DiagnosticsRecord } from '../../src/contract/collections.ts'
import { diagnosticListCap, Diagnostics } from '../../src/contract/records/diagnostics.ts'
import { EngineEvent } from '../../src/contract/records/operations.ts'
import type { RecordType } from '../../src/contract/fields.ts'
import { recordOffences } from '../simulation/record-offences.ts'
import type { Check } from './look.ts'

/** Invariant 7: every number is in the range of its unit, every word in its set, and there is no NaN. */
export const rangeOffences: Check = ({ snapshot }) => {
  const wrong = collectionNames.flatMap((name) =>
    snapshot.collections[name].flatMap((record) =>
      recordOffences(collections[name] as RecordType, record, `${name} ${record.id}`),
    ),
  )
  for (const event of snapshot.events)
    wrong.push(...recordOffences(EngineEvent, event, `event at ${event.at_ns}`))
  wrong.push(...recordOffences(Diagnostics, snapshot.diagnostics), ...listOffences(snapshot.diagnostics))
  return wrong
}

/** Lists of the diagnostics record are cut short at their cap, and beside each stands how long it really is. */
function listOffences(diagnostics: DiagnosticsRecord): string[] {
  return Object.entries(diagnostics).flatMap(([name, list]) => {
    if (!Array.isArray(list)) return []
    const total = diagnostics[`${name}_total` as 'loaded_links_total']
    const shown = Math.min(total, diagnosticListCap)
    return list.length === shown ? [] : [`diagnostics show ${list.length} of ${total} ${name}`]
  })
}
