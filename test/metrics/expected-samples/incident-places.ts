/** What the labels of an incident say of its place, its cause and what it concerns. */
import type { IncidentRecord } from '../../../src/contract/collections.ts'
import { causeWords, symptomWords } from '../../../src/words/vocabulary.ts'
import type { WorldJson } from './expected-family.ts'

const argument = (given: IncidentRecord['symptom_msg_args'], wanted: string): string | null =>
  given.find(({ key }) => key === wanted)?.text ?? null

const nameIn = (incident: IncidentRecord): string | null =>
  argument(incident.symptom_msg_args, 'name') ?? argument(incident.root_msg_args, 'name')

const leading = ({ causes }: IncidentRecord) =>
  causes.find(({ confirmed }) => confirmed) ?? causes.find(({ cleared }) => !cleared)

function zoneId(incident: IncidentRecord, { collections: { azs } }: WorldJson): number | bigint | null {
  const rack = incident.rack_id ?? leading(incident)?.rack_id ?? null
  if (rack !== null) return azs.find(({ racks }) => racks.some(({ id }) => id === rack))?.id ?? null
  const place = argument(incident.symptom_msg_args, 'place')
  if (place === null) return null
  return (
    azs.find(({ name, display_name: shown }) => place.endsWith(name) || place.endsWith(shown))?.id ?? null
  )
}

/** `rack A-02 in tfd-a` of a message is `rack A-02 in Tallford A` in a label. */
function shownPlace(incident: IncidentRecord, { collections: { azs } }: WorldJson): string | null {
  const place = argument(incident.symptom_msg_args, 'place')
  const zone = azs.find(({ name }) => place?.split(' in ').at(-1) === name && place !== name)
  return zone === undefined ? place : place!.replace(new RegExp(`${zone.name}$`), zone.display_name)
}

function described(incident: IncidentRecord, world: WorldJson) {
  const cause = leading(incident)
  return {
    ...incident,
    az: zoneId(incident, world),
    symptom: symptomWords(incident.symptom_kind),
    subject: nameIn(incident),
    place: shownPlace(incident, world),
    cause: causeWords(cause?.root_kind ?? incident.root_kind),
    cause_state: incident.confirmed ? 'confirmed' : cause === undefined ? 'unknown' : 'suspected',
  }
}

export const describedIncidents = (world: WorldJson) =>
  world.collections.incidents.map((incident) => described(incident, world))

/** A row for each thing that an incident concerns. */
function concernsOf(incident: ReturnType<typeof described>, world: WorldJson) {
  const { customers, gateways } = world.collections
  const none = { az: null, subject: null, customer: null, tier: null, class: null, host: null }
  const row = (label: keyof typeof none, value: string | number | bigint) => ({
    ...none,
    [label]: value,
    incident: incident.id,
    band: incident.band,
  })
  const open = incident.causes.filter(({ cleared }) => !cleared)
  const names = [nameIn(incident), ...open.map(({ msg_args: given }) => argument(given, 'name'))]
  const hit = customers.filter(({ id }) => incident.affected_customer_ids.includes(id))
  const attack = customers.find(({ id }) => id === incident.symptom_customer_id)?.attack_class ?? null
  const loads = gateways.map(({ az_id: zone, threats }) => {
    const load = threats.find((threat) => threat.class === attack)?.reaching ?? 0
    return { zone, load }
  })
  // Each that carries at least a fifth of what the most loaded one does.
  const least = Math.max(...loads.map(({ load }) => load)) / 5
  const attacked = loads.filter(({ load }) => load > 0 && load >= least)
  const zones = new Set([incident.az, ...attacked.map(({ zone }) => zone)])
  return [
    ...[...zones].filter((zone) => zone !== null).map((zone) => row('az', zone)),
    ...[...new Set(names)].flatMap((name) => (name === null ? [] : [row('subject', name)])),
    ...[...new Set(hit.map(({ tier }) => tier))].map((tier) => row('tier', tier)),
    ...(attack === null ? [] : [row('class', attack)]),
    ...incident.affected_customer_ids.slice(0, 50).map((id) => row('customer', id)),
    ...incident.affected_host_ids.slice(0, 50).map((id) => row('host', id)),
  ]
}

export const concerns = (world: WorldJson) =>
  describedIncidents(world).flatMap((incident) => concernsOf(incident, world))
