/** Records by kind: their reader, their words, and their place in time and among others. */
import type { ArchivedRecord, ArchiveQuery } from '../../contract/archive.ts'
import type { EventRecord, IncidentRecord, WorkOrderRecord } from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'
import { entitiesOfEvent, entitiesOfIncident } from './mentioned-entities.ts'
import type { EntityId } from './mentioned-entities.ts'
import { readEvent, readIncident, readOrder } from './record-body.ts'
import { wordsOfEvent, wordsOfIncident, wordsOfOrder } from './record-words.ts'

type AnyRecord = ArchivedRecord['record']

/** Methods take records of their own kind. */
interface RecordKind {
  read(json: Uint8Array): AnyRecord
  words(record: AnyRecord): string
  /** Simulated times. An order that waits begins now at the earliest. */
  span(record: AnyRecord, nowNs: bigint): readonly [fromNs: Int64, toNs: Int64 | null]
  entities(record: AnyRecord): readonly EntityId[]
  /** The incident that a record of another kind is about. */
  incident(record: AnyRecord): Int64 | null
}

export const recordKinds: Readonly<Record<ArchiveQuery['kind'], RecordKind>> = {
  event: {
    read: readEvent,
    words: wordsOfEvent,
    span: ({ at_ns }: EventRecord) => [at_ns, at_ns],
    entities: entitiesOfEvent,
    incident: ({ entity_kind, entity_id }: EventRecord) => (entity_kind === 'Incident' ? entity_id : null),
  },
  incident: {
    read: readIncident,
    words: wordsOfIncident,
    span: ({ started_at_ns, resolved_at_ns }: IncidentRecord) => [started_at_ns, resolved_at_ns],
    entities: entitiesOfIncident,
    incident: () => null,
  },
  order: {
    read: readOrder,
    words: wordsOfOrder,
    span: ({ started_at_ns, resolved_at_ns }: WorkOrderRecord, nowNs) => [
      started_at_ns ?? nowNs,
      resolved_at_ns,
    ],
    entities: () => [],
    incident: ({ incident_id }: WorkOrderRecord) => incident_id,
  },
}
