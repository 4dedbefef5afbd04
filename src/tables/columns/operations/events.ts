import type { EventRecord } from '../../../contract/collections.ts'
import { nullable, str } from '../../../contract/fields.ts'
import { severities } from '../../../contract/vocabularies.ts'
import { sentenceOr } from '../../../words/incidents.ts'
import { clockText, isoTime, relativeTime } from '../../../words/moments.ts'
import { entityWords, plainWords } from '../../../words/vocabulary.ts'
import { idOrNone, momentColumn, relativeColumn, severityColumn } from '../../engine/columns.ts'
import { mentionedDevices } from '../mentions.ts'
import { cableEnd } from '../equipment/links.ts'
import { placesOfIncident } from '../incidents/place.ts'
import { merged, nowhere, placeColumns, placesFilters, placesOf } from '../places.ts'
import type { Place, Places } from '../places.ts'
import { idOrNull } from '../../engine/table-world.ts'
import type { TableWorld } from '../../engine/table-world.ts'
import { column, defineTable, each } from '../../engine/table.ts'

/** 1 for Info, as no event is entirely without significance. */
export const eventSeverity = ({ severity }: EventRecord): number =>
  severities.findIndex((one) => one === severity) + 1

/** The place of an event's entity. */
function placeOfEvent({ entity_kind, entity_id }: EventRecord, world: TableWorld): Place {
  if (entity_id === null) return nowhere
  if (entity_kind === 'Zone') return { az_id: entity_id, rack_id: null }
  if (entity_kind === 'Rack') return { rack_id: entity_id }
  if (entity_kind === 'Incident') return world.incident(entity_id) ?? nowhere
  const device = world.device(entity_kind, entity_id)
  const zone = device === undefined ? world.zoneOfUnit(entity_kind, entity_id) : undefined
  return device ?? (zone === undefined ? nowhere : { az_id: zone.id, rack_id: null })
}

/** All places of an event: of the incident that it is about, of both ends of a cable, or that of its entity. */
function placesOfEvent(event: EventRecord, world: TableWorld): Places {
  const incident = world.incident(incidentOf(event, world))
  if (incident !== undefined) return placesOfIncident(incident, world)
  const cable = world.records.get('cables', idIf('Cable', event))
  const ends = [cable?.a ?? null, cable?.b ?? null].map((end) => cableEnd(end, world).device ?? nowhere)
  return merged([placeOfEvent(event, world), ...ends].map((place) => placesOf(place, world)))
}

/** The entity's id, if it is of that kind. */
const idIf = (kind: string, { entity_kind, entity_id }: EventRecord) =>
  entity_kind === kind ? entity_id : null

/** The incident of an event: its entity, or the incident that its work order serves. */
function incidentOf(event: EventRecord, { records }: TableWorld) {
  if (event.entity_kind === 'WorkOrder')
    return records.get('workOrders', event.entity_id)?.incident_id ?? null
  return idIf('Incident', event)
}

/** An entity that no longer exists has a name in the message only. */
function aboutOf({ entity_kind, entity_id, msg_args }: EventRecord, world: TableWorld): string | null {
  const name = world.entityName(entity_kind, entity_id)
  if (name !== null || entity_id === null) return name
  const words = entityWords(entity_kind)
  return msg_args.find(({ key }) => key === words || key === 'name')?.text ?? words
}

export const events = defineTable<EventRecord>({
  name: 'events',
  meaning: 'The most recent events in words, the latest first.',
  row: ['EventRow', 'Something that happened in the world.'],
  worldParts: ['events'],
  ...each(({ records }) => records.events.toReversed()),
  archived: 'event',
  filters: {
    severity: {
      meaning: 'Info, Warning, Error or Critical, or its number.',
      values: (event) => [event.severity, String(eventSeverity(event))],
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
    ...placesFilters(placesOfEvent),
  },
  columns: {
    at: column(momentColumn('When.'), ({ at_ns }) => isoTime(at_ns)),
    when: column(relativeColumn('When.'), ({ at_ns }, { nowNs }) => relativeTime(at_ns, nowNs)),
    clock: column(str('When, by the clock of the world.'), ({ at_ns }) => clockText(at_ns)),
    severity: column(severityColumn, eventSeverity),
    level: column(str('Severity of the event as the API has it.'), 'severity'),
    what: column(str('What happened, as a sentence.'), ({ msg_key, msg_args, kind }) =>
      sentenceOr(msg_key, msg_args, plainWords(kind)),
    ),
    kind: column(str('Kind of event, in words.'), ({ kind }) => plainWords(kind)),
    about: column(nullable(str('To which one, by name.')), aboutOf),
    incident_id: column(idOrNone('incident that it is about'), (event, world) =>
      idOrNull(incidentOf(event, world)),
    ),
    ...placeColumns(placeOfEvent),
  },
})
