/** The place of an incident. */
import type { IncidentRecord, ZoneRecord } from '../../../contract/collections.ts'
import type { Int64 } from '../../../contract/fields.ts'
import { entitiesIn } from '../../../contract/messages/entities.ts'
import { attackedZones, likeliestCause, severalHosts } from '../../../words/incidents.ts'
import { capitalized, listed } from '../../../words/phrases.ts'
import { nameOfZone, rackWords } from '../../../words/places.ts'
import { possibleDeviceNames, zonesNamedIn } from '../../../words/foreign-messages.ts'
import { idOrNull, idText } from '../../engine/table-world.ts'
import type { PlacedRack, TableWorld } from '../../engine/table-world.ts'
import { describedDevices } from '../equipment/device.ts'
import { merged, nowhere, placesOf, zoneOf } from '../places.ts'
import type { Place, Places } from '../places.ts'

type Arguments = IncidentRecord['symptom_msg_args']

/**
 * The zone of the incident's rack; without a rack, the zone that contains all affected hosts; without hosts, all parts
 * that its symptom names.
 */
export function incidentZone(incident: IncidentRecord, world: TableWorld): ZoneRecord | undefined {
  const { rack_id, affected_host_ids: hosts, symptom_msg_args } = incident
  if (rack_id !== null) return world.rack(rack_id)?.zone
  const zones = new Set(
    hosts.length > 0
      ? hosts.map((id) => zoneOf(world.records.get('hosts', id) ?? nowhere, world))
      : mentionedIn(symptom_msg_args, world).zones,
  )
  return zones.size === 1 ? [...zones][0] : undefined
}

const rackText = ({ rack, zone }: PlacedRack): string => `${rackWords(rack.name)}, ${nameOfZone(zone)}`

/** The rack that contains all affected hosts, if there is one. */
function rackOfHosts({ affected_host_ids }: IncidentRecord, world: TableWorld): PlacedRack | undefined {
  const racks = new Set(affected_host_ids.map((id) => idOrNull(world.records.get('hosts', id)?.rack_id)))
  const [only = null] = racks
  return racks.size === 1 && only !== null ? world.rack(BigInt(only)) : undefined
}

/** Network devices by name, for messages without ids. */
const devicesByName = (world: TableWorld): ReadonlyMap<string, Place> =>
  new Map(world.derived(describedDevices).map(({ device }) => [device.display_name_plain, device]))

/** The places of the network devices, and the zones, in a message. Hosts are left out, as incidents list them. */
function mentionedIn(messageArgs: Arguments, world: TableWorld): Places {
  const entities = entitiesIn(messageArgs)
  if (entities.length === 0) {
    const names = new Set(possibleDeviceNames(messageArgs))
    const devices = [...world.derived(devicesByName)].filter(([name]) => names.has(name))
    const zones = zonesNamedIn(messageArgs, world.zones)
    return merged([...devices.map(([, device]) => placesOf(device, world)), { zones, racks: [] }])
  }
  return merged(
    entities.map(({ kind, id }) => {
      const device = kind === 'Host' ? undefined : world.device(kind, id)
      return placesOf(device ?? (kind === 'Zone' ? { az_id: id, rack_id: null } : nowhere), world)
    }),
  )
}

/** The racks of the devices in a message; without racks, its zones, such as that of a power feed. */
function mentionedPlaces(messageArgs: Arguments, world: TableWorld): readonly string[] {
  const { racks, zones } = mentionedIn(messageArgs, world)
  return [...new Set(racks.length > 0 ? racks.map(rackText) : zones.map(nameOfZone))]
}

const causeArguments = (incident: IncidentRecord): Arguments =>
  incident.confirmed ? incident.root_msg_args : (likeliestCause(incident)?.msg_args ?? [])

/** The hosts of an incident: those affected, and those that its symptom or its cause names. */
export function hostIdsOf(incident: IncidentRecord, world: TableWorld) {
  const all = [...affectedHostIds(incident, world), ...hostsNamedIn(causeArguments(incident))]
  return [...new Map(all.map((id) => [String(id), id])).values()]
}

const hostsNamedIn = (given: Arguments): Int64[] =>
  entitiesIn(given).flatMap(({ kind, id }) => (kind === 'Host' ? [id] : []))

/** A record lists the first of many: of a zone that has as many, all are affected. */
function affectedHostIds(incident: IncidentRecord, world: TableWorld): readonly Int64[] {
  const { affected_host_ids: listed, affected_host_total: total, symptom_msg_args: symptom } = incident
  const zone = total > listed.length ? incidentZone(incident, world) : undefined
  const inZone = zone === undefined || zone.host_count > total ? [] : world.records.all('hosts')
  return [
    ...listed,
    ...hostsNamedIn(symptom),
    ...inZone.flatMap(({ az_id: id, id: host }) => (idText(id) === idText(zone!.id) ? [host] : [])),
  ]
}

/**
 * Every place where an incident is: of its hosts, and of the parts that its symptom and its cause name. What customers alone
 * notice is where their units are, until a place is confirmed.
 */
export function placesOfIncident(incident: IncidentRecord, world: TableWorld): Places {
  const { confirmed, symptom_customer_id: named, affected_customer_ids: affected } = incident
  const placesIn = (given: Arguments, hosts: readonly Int64[]): Places => {
    const places = [incident, ...hosts.map((id) => world.records.get('hosts', id) ?? nowhere)]
    return merged([mentionedIn(given, world), ...places.map((place) => placesOf(place, world))])
  }
  const suspect = causeArguments(incident)
  const cause = placesIn(suspect, hostsNamedIn(suspect))
  const seen = placesIn(incident.symptom_msg_args, affectedHostIds(incident, world))
  if (seen.zones.length + (confirmed ? cause.zones.length : 0) > 0) return merged([seen, cause])
  const units = (named === null ? affected : [named]).flatMap((id) => world.hostsOfCustomer(id))
  return merged([cause, ...units.map(({ az_id }) => placesOf({ az_id, rack_id: null }, world))])
}

/** The gateways that an attack passes, by zone; of one that is over, those of the zones with units of its victim. */
function attackedGateways(incident: IncidentRecord, world: TableWorld): string | null {
  const attack = world.records.get('customers', incident.symptom_customer_id)?.attack_class ?? null
  const zones = attackedZones(attack, world.records.all('gateways')).map((zone) => world.zoneName(zone)!)
  if (zones.length > 0) return `gateways of ${listed(zones)}`
  const ofVictim = isOfAttack(incident) ? zonesOfCustomer(incident, world) : null
  return ofVictim === null ? null : `gateways of ${ofVictim}`
}

const isOfAttack = ({ symptom_kind: symptom, confirmed, root_kind }: IncidentRecord): boolean =>
  symptom === 'TrafficFlood' || symptom === 'SuspiciousLogins' || (confirmed && root_kind === 'Attack')

/** The zones with units of the customer that the symptom names. */
function zonesOfCustomer({ symptom_customer_id }: IncidentRecord, world: TableWorld): string | null {
  const hosts = symptom_customer_id === null ? [] : world.hostsOfCustomer(symptom_customer_id)
  const ids = new Set(hosts.map(({ az_id }) => idOrNull(az_id)))
  return ids.size === 0 ? null : listed(world.zones.filter(({ id }) => ids.has(idText(id))).map(nameOfZone))
}

/**
 * `Rack B-03, Tallisford B`, `Tallisford A`, `Gateways of Lindmoor A`; for an incident that only customers notice, the
 * zones with their units; null if the place is unknown. The place of several hosts is where they are, wherever the cause is.
 */
export function incidentPlace(incident: IncidentRecord, world: TableWorld): string | null {
  const zone = incidentZone(incident, world)
  const isOfHosts = severalHosts.has(incident.symptom_msg_key)
  const ofHosts = rackOfHosts(incident, world)
  const rack = isOfHosts ? ofHosts : world.rack(incident.rack_id)
  const [symptom, suspect] = [incident.symptom_msg_args, causeArguments(incident)].map((given) =>
    listed(mentionedPlaces(given, world), 2),
  )
  const places = [
    rack === undefined ? null : rackText(rack),
    symptom,
    ofHosts === undefined ? null : rackText(ofHosts),
    attackedGateways(incident, world),
    suspect,
    zone === undefined ? null : nameOfZone(zone),
    zonesOfCustomer(incident, world),
  ]
  const place = places.find((text) => text !== null && text !== '') ?? null
  return place === null ? null : capitalized(place)
}
