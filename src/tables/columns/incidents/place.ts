/** The place of an incident. */
import type { IncidentRecord, ZoneRecord } from '../../../contract/collections.ts'
import { entitiesIn } from '../../../contract/messages/entities.ts'
import { attackedZones, likeliestCause } from '../../../words/incidents.ts'
import { capitalized, listed } from '../../../words/phrases.ts'
import { nameOfZone, rackWords } from '../../../words/places.ts'
import { possibleDeviceNames, zonesNamedIn } from '../../../words/foreign-messages.ts'
import { idOrNull, idText } from '../../engine/table-world.ts'
import type { PlacedRack, TableWorld } from '../../engine/table-world.ts'
import { describedDevices } from '../equipment/device.ts'

type Arguments = IncidentRecord['symptom_msg_args']

/** The zone of the incident's rack; without a rack, the zone that contains all affected hosts. */
export function incidentZone(
  { rack_id, affected_host_ids }: IncidentRecord,
  world: TableWorld,
): ZoneRecord | undefined {
  if (rack_id !== null) return world.rack(rack_id)?.zone
  const zones = new Set(affected_host_ids.map((id) => idOrNull(world.records.get('hosts', id)?.az_id)))
  const [only = null] = zones
  return zones.size === 1 && only !== null ? world.records.get('azs', BigInt(only)) : undefined
}

const rackText = ({ rack, zone }: PlacedRack): string => `${rackWords(rack.name)}, ${nameOfZone(zone)}`

/** The rack that contains all affected hosts, if there is one. */
function rackOfHosts({ affected_host_ids }: IncidentRecord, world: TableWorld): PlacedRack | undefined {
  const racks = new Set(affected_host_ids.map((id) => idOrNull(world.records.get('hosts', id)?.rack_id)))
  const [only = null] = racks
  return racks.size === 1 && only !== null ? world.rack(BigInt(only)) : undefined
}

/** Network devices by name, for messages without ids. */
function racksByDevice(world: TableWorld): ReadonlyMap<string, PlacedRack> {
  const byName = new Map<string, PlacedRack>()
  for (const { device } of world.derived(describedDevices)) {
    const rack = world.rack(device.rack_id)
    if (rack !== undefined) byName.set(device.display_name_plain, rack)
  }
  return byName
}

/** The racks of the network devices, and the zones, in a message. Hosts are left out, as incidents list them. */
function mentionedIn(messageArgs: Arguments, world: TableWorld) {
  const entities = entitiesIn(messageArgs)
  if (entities.length === 0) {
    const names = new Set(possibleDeviceNames(messageArgs))
    const racks = [...world.derived(racksByDevice)]
      .filter(([name]) => names.has(name))
      .map(([, rack]) => rack)
    return { racks, zones: zonesNamedIn(messageArgs, world.zones) }
  }
  const racks = entities
    .filter(({ kind }) => kind !== 'Host')
    .flatMap(({ kind, id }) => world.rack(world.device(kind, id)?.rack_id ?? null) ?? [])
  const zones = entities.flatMap(({ kind, id }) =>
    kind === 'Zone' ? (world.records.get('azs', id) ?? []) : [],
  )
  return { racks, zones }
}

/** The racks of the devices in a message; without devices, its zones, such as that of a power feed. */
function mentionedPlaces(messageArgs: Arguments, world: TableWorld): readonly string[] {
  const { racks, zones } = mentionedIn(messageArgs, world)
  return racks.length > 0 ? [...new Set(racks.map(rackText))] : zones.map(nameOfZone)
}

/** The gateways that an attack passes, by zone. */
function attackedGateways({ symptom_customer_id }: IncidentRecord, world: TableWorld): string | null {
  const attack = world.records.get('customers', symptom_customer_id)?.attack_class ?? null
  const zones = new Set(attackedZones(attack, world.records.all('gateways')).map(idText))
  if (zones.size === 0) return null
  return `gateways of ${listed(world.zones.filter(({ id }) => zones.has(idText(id))).map(nameOfZone))}`
}

/** The zones with units of the customer that the symptom names. */
function zonesOfCustomer({ symptom_customer_id }: IncidentRecord, world: TableWorld): string | null {
  const hosts = symptom_customer_id === null ? [] : world.hostsOfCustomer(symptom_customer_id)
  const ids = new Set(hosts.map(({ az_id }) => idOrNull(az_id)))
  return ids.size === 0 ? null : listed(world.zones.filter(({ id }) => ids.has(idText(id))).map(nameOfZone))
}

/**
 * `Rack B-03, Tallisford B`, `Tallisford A`, `Gateways of Lindmoor A`; for an incident that only customers notice, the
 * zones with their units; null if the place is unknown.
 */
export function incidentPlace(incident: IncidentRecord, world: TableWorld): string | null {
  const zone = incidentZone(incident, world)
  const rack = world.rack(incident.rack_id) ?? rackOfHosts(incident, world)
  const cause = incident.confirmed ? incident.root_msg_args : likeliestCause(incident)?.msg_args
  const [symptom, suspect] = [incident.symptom_msg_args, cause ?? []].map((given) =>
    listed(mentionedPlaces(given, world), 2),
  )
  const places = [
    rack === undefined ? null : rackText(rack),
    symptom,
    attackedGateways(incident, world),
    suspect,
    zone === undefined ? null : nameOfZone(zone),
    zonesOfCustomer(incident, world),
  ]
  const place = places.find((text) => text !== null && text !== '') ?? null
  return place === null ? null : capitalized(place)
}
