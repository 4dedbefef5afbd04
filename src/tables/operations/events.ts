import type { EventRecord } from '../../contract/collections.ts'
import { defineRecord, nullable, str } from '../../contract/fields.ts'
import { severities } from '../../contract/vocabularies.ts'
import { sentenceOr } from '../../words/incidents.ts'
import { clockText, isoTime, relativeTime, secondsBetween } from '../../words/moments.ts'
import { entityWords, plainWords } from '../../words/vocabulary.ts'
import { amount, idOrNone, momentColumn, placeColumns, relativeColumn, severityColumn } from '../columns.ts'
import { mentionedDevices } from '../mentions.ts'
import { placeCells, rackValues, zoneOf, zoneValues } from '../places.ts'
import type { Place } from '../places.ts'
import { idOrNull } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'

/** 1 for Info: nothing that happens is quite without meaning. */
const severityOf = (severity: string): number => severities.findIndex((one) => one === severity) + 1

const nowhere: Place = { rack_id: null }

/** Where the thing stands that an event is about. */
function placeOf({ entity_kind, entity_id }: EventRecord, world: TableWorld): Place {
  if (entity_id === null) return nowhere
  if (entity_kind === 'Zone') return { az_id: entity_id, rack_id: null }
  if (entity_kind === 'Rack') return { rack_id: entity_id }
  if (entity_kind === 'Incident') {
    const { records } = world
    const incident = records.get('incidents', entity_id) ?? records.get('resolvedIncidents', entity_id)
    return incident ?? nowhere
  }
  return world.device(entity_kind, entity_id) ?? nowhere
}

/** The id, if the event is about a thing of that kind. */
const idIf = (kind: string, { entity_kind, entity_id }: EventRecord) =>
  entity_kind === kind ? entity_id : null

/** The incident that an event is about: itself, or the one that its work serves. */
function incidentOf(event: EventRecord, { records }: TableWorld) {
  if (event.entity_kind === 'WorkOrder')
    return records.get('workOrders', event.entity_id)?.incident_id ?? null
  return idIf('Incident', event)
}

/** What has left the world is named by the message alone. */
function aboutOf({ entity_kind, entity_id, msg_args }: EventRecord, world: TableWorld): string | null {
  const name = world.entityName(entity_kind, entity_id)
  if (name !== null || entity_id === null) return name
  const words = entityWords(entity_kind)
  return msg_args.find(({ key }) => key === words || key === 'name')?.text ?? words
}

export const events = defineTable({
  name: 'events',
  meaning: 'The most recent events in words, the latest first.',
  row: defineRecord('EventRow', 'Something that happened in the world.', {
    at: momentColumn('When.'),
    when: relativeColumn('When.'),
    clock: str('When, by the clock of the world.'),
    seconds_ago: amount('Simulated time since then.', 's'),
    severity: severityColumn,
    level: str('Severity of the event as the API has it.'),
    what: str('What happened, as a sentence.'),
    kind: str('Kind of event, in words.'),
    about_kind: str('What kind of thing it happened to, in words.'),
    about: nullable(str('To which one, by name.')),
    customer_id: idOrNone('customer that it is about'),
    host_id: idOrNone('host that it is about'),
    incident_id: idOrNone('incident that it is about'),
    ...placeColumns,
  }),
  reads: ['azs'],
  items: ({ records }: TableWorld) => records.events.toReversed(),
  filters: {
    severity: {
      meaning: 'Info, Warning, Error or Critical, or its number.',
      values: ({ severity }) => [severity, String(severityOf(severity))],
    },
    kind: { meaning: 'Kind of event.', values: ({ kind }) => [kind, plainWords(kind)] },
    customer: {
      meaning: 'Id or name of a customer.',
      values(event, world) {
        const id = idIf('Customer', event)
        return [id, world.customerName(id)]
      },
    },
    host: {
      meaning: 'Id or name of a host.',
      values(event, world) {
        const id = idIf('Host', event)
        return [id, world.hostName(id)]
      },
    },
    device: {
      meaning: 'Name of a device that it names.',
      values: (event, world) => [aboutOf(event, world), ...mentionedDevices([event.msg_args])],
    },
    incident: { meaning: 'Id of an incident.', values: (event, world) => [incidentOf(event, world)] },
    rack: {
      meaning: 'Id or name of a rack.',
      values: (event, world) => rackValues(world.rack(placeOf(event, world).rack_id)),
    },
    zone: {
      meaning: 'Id or name of a zone.',
      values: (event, world) => zoneValues(zoneOf(placeOf(event, world), world)),
    },
  },
  toRow: (event, world) => ({
    at: isoTime(event.at_ns),
    when: relativeTime(event.at_ns, world.nowNs),
    clock: clockText(event.at_ns),
    seconds_ago: secondsBetween(event.at_ns, world.nowNs),
    severity: severityOf(event.severity),
    level: event.severity,
    what: sentenceOr(event.msg_key, event.msg_args, plainWords(event.kind)),
    kind: plainWords(event.kind),
    about_kind: entityWords(event.entity_kind),
    about: aboutOf(event, world),
    customer_id: idOrNull(idIf('Customer', event)),
    host_id: idOrNull(idIf('Host', event)),
    incident_id: idOrNull(incidentOf(event, world)),
    ...placeCells(placeOf(event, world), world),
  }),
})
