/** The floor as its picture describes it, from records. */
import type { IncidentRecord, ZoneRecord } from '../../contract/collections.ts'
import { isFalse } from '../../contract/records/unknown.ts'
import { numberText } from '../../contract/messages/catalog.ts'
import { planOf } from '../../pictures/floor/description.ts'
import type { CoolingUnit, FloorRack, FloorZone, PlacedIncident } from '../../pictures/floor/description.ts'
import type { MountedDevice } from '../../pictures/floor/elevation.ts'
import { drawFloor } from '../../pictures/floor/floor.ts'
import { floorLayout } from '../../pictures/floor/floor-layout.ts'
import type { Theme } from '../../pictures/palette.ts'
import { clockText } from '../../words/moments.ts'
import { capitalized, counted, finite, plain, rounded, whole, wholePercent } from '../../words/phrases.ts'
import { nameOfZone, nameWithin, rackWords } from '../../words/places.ts'
import { percentOf } from '../engine/columns.ts'
import type { RowState } from '../engine/columns.ts'
import { deviceCondition } from '../columns/equipment/devices.ts'
import { occupantLoad, occupantsByRack, rackUnitsMax } from '../columns/equipment/rack.ts'
import type { Occupant } from '../columns/equipment/rack.ts'
import { rackCondition, rowAndPosition } from '../columns/equipment/racks.ts'
import { facilityCondition, zoneCondition, zoneTroubles } from '../columns/equipment/zones.ts'
import { placesOfIncident } from '../columns/incidents/place.ts'
import { addTo, byGravity, idText } from '../engine/table-world.ts'
import type { PlacedRack, TableWorld } from '../engine/table-world.ts'
import { unlessUnknown } from '../engine/table.ts'
import {
  conditionOrNull,
  downText,
  joined,
  known,
  percentShare,
  ratio,
  stateText,
  withoutFeed,
} from './readings.ts'
import { tableAddress, chosenZones } from './subjects.ts'
import type { PictureRequest } from './subjects.ts'
import { bandRank } from '../../words/vocabulary.ts'

/** Racks of an upstream's absurd height are drawn as high as usual ones. */
const rackUnitsUsual = 42
/** More devices would make the picture too large if each led somewhere. */
const deviceAreasMax = 240
/** Incidents from this rank on, which is Minor, have their number in the picture. */
const shownRankMin = 2
const celsiusMax = 200

const order = new Intl.Collator('en', { numeric: true })

const incidentMark = (incident: IncidentRecord): PlacedIncident => ({
  text: `#${incident.id}`,
  severity: bandRank(incident.band),
})

/** The open incidents of racks and of zones, the gravest first. */
function incidentMarks(world: TableWorld): ReadonlyMap<string, readonly IncidentRecord[]> {
  const marks = new Map<string, IncidentRecord[]>()
  for (const incident of world.records.all('incidents').toSorted(byGravity)) {
    if (bandRank(incident.band) < shownRankMin) continue
    const rack = world.rack(incident.rack_id)
    const zones = unlessUnknown(() => placesOfIncident(incident, world).zones) ?? []
    if (rack !== undefined) addTo(marks, `rack ${incident.rack_id}`, incident)
    else for (const { id } of zones) addTo(marks, `zone ${id}`, incident)
  }
  return marks
}

export const heightOf = ({ u_size }: PlacedRack['rack']): number =>
  u_size >= 1 && u_size <= rackUnitsMax ? u_size : rackUnitsUsual

const celsiusOf = (inlet: number): number | null => (Math.abs(inlet) <= celsiusMax ? inlet : null)

function rackOf(placed: PlacedRack, world: TableWorld, isLinked: boolean): FloorRack {
  const { rack } = placed
  const condition = conditionOrNull(() => rackCondition(placed))
  const inletCelsius = celsiusOf(rack.inlet_celsius)
  const incident = world.derived(incidentMarks).get(`rack ${rack.id}`)?.[0]
  const summary = joined(
    () => capitalized(rackWords(rack.name)),
    () => condition?.state ?? 'unknown',
    () => `${plain(rack.hosts_online)} of ${counted(rack.host_count, 'host')} online`,
    () => `${rounded(rack.power_draw_kw)} of ${plain(rack.power_capacity_kw)} kW`,
    () => `${rounded(rack.inlet_celsius)} °C`,
    () => `${plain(rack.u_size - rack.used_u)} of ${plain(rack.u_size)} units free`,
  )
  return {
    name: rack.name,
    summary: isLinked ? summary : '',
    href: isLinked && rack.id !== null ? tableAddress('rack', 'rack', String(rack.id)) : null,
    condition,
    heightU: heightOf(rack),
    inletCelsius,
    powerShare: ratio(rack.power_draw_kw, rack.power_capacity_kw),
    hosts: rack.host_count,
    hostsOnline: rack.hosts_online,
    incident: incident === undefined ? null : incidentMark(incident),
    devices: [],
  }
}

type FloorRackRecord = PlacedRack['rack']

/** A rack on one feed says so itself. */
const ownCondition = (condition: RowState | null, { power_feeds }: FloorRackRecord): RowState | null =>
  power_feeds === 1 ? withoutFeed(condition) : condition

/** A device as it stands in a rack; null where it does not fit into it. */
function mounted(
  occupant: Occupant,
  rack: FloorRackRecord,
  heightU: number,
  world: TableWorld,
  { isLinked, emphasized }: PictureRequest,
): MountedDevice | null {
  const { kind, device } = occupant
  const { start_u: startU, u_size: sizeU } = device
  if (startU === null || !(startU >= 1 && sizeU >= 1 && startU + sizeU - 1 <= heightU)) return null
  const condition = ownCondition(
    conditionOrNull(() => deviceCondition(device)),
    rack,
  )
  const load = unlessUnknown(() => occupantLoad(occupant))
  const name = world.nameOfDevice(device)
  const href =
    kind === 'Host' ? tableAddress('host', 'host', idText(device.id)) : tableAddress('device', 'device', name)
  const loadText = () => (load === null ? '' : wholePercent(load))
  return {
    name,
    kind: kind === 'Host' ? 'host' : 'network',
    condition,
    share: percentShare(load),
    startU,
    sizeU,
    summary: isLinked
      ? joined(
          () => name,
          () => stateText(condition),
          loadText,
        )
      : '',
    href: isLinked ? href : null,
    recedes:
      emphasized !== undefined &&
      emphasized.size > 0 &&
      !(kind === 'Host' && emphasized.has(String(device.id))),
  }
}

/** The devices of a rack, none of them over another. */
export function devicesOf(
  { rack }: PlacedRack,
  heightU: number,
  world: TableWorld,
  request: PictureRequest,
): readonly MountedDevice[] {
  const units = world.derived(occupantsByRack).get(String(rack.id))
  const devices: MountedDevice[] = []
  const taken = new Set<number>()
  for (const occupant of new Set(units?.values())) {
    const device = unlessUnknown(() => mounted(occupant, rack, heightU, world, request))
    if (device === null) continue
    const own = Array.from({ length: device.sizeU }, (_, index) => device.startU + index)
    if (own.some((unit) => taken.has(unit))) continue
    for (const unit of own) taken.add(unit)
    devices.push(device)
  }
  return devices
}

export const coolingOf = (zone: ZoneRecord): readonly CoolingUnit[] =>
  zone.cooling_units.map((unit) => ({
    name: unit.name,
    condition: facilityCondition({ zone, kind: 'cooling unit', unit }),
    share: ratio(unit.load_kw, unit.capacity_kw),
  }))

function rowsOf(zone: ZoneRecord, world: TableWorld, isLinked: boolean): FloorZone['rows'] {
  const racks = zone.racks.toSorted((one, other) => order.compare(one.name, other.name))
  const byRow = Map.groupBy(racks, ({ name }) => rowAndPosition(name).row)
  return Array.from(byRow, ([name, some]) => ({
    name,
    racks: some.map((rack) => rackOf({ rack, zone }, world, isLinked)),
  }))
}

const inhabitantsOf = ({ hosts_online, host_count, customer_count }: ZoneRecord): readonly string[] =>
  known(
    () => `${numberText(finite(hosts_online))} of ${counted(host_count, 'host')}`,
    () => counted(customer_count, 'customer'),
  )

function zoneOf(zone: ZoneRecord, world: TableWorld, isLinked: boolean): FloorZone {
  const condition = conditionOrNull(() => zoneCondition(zone))
  const wan = Math.max(zone.wan_ingress_gbps, zone.wan_egress_gbps)
  const trouble = (unlessUnknown(() => zoneTroubles(zone)) ?? '').replaceAll(`${zone.name}-`, '')
  const cpuPercent = percentOf(zone.used_millivcpu / 1000, zone.physical_vcpu)
  const summary = joined(
    () => nameOfZone(zone),
    () => condition?.state ?? 'unknown',
    () => trouble,
    () => inhabitantsOf(zone).join(' · '),
  )
  return {
    name: nameOfZone(zone),
    summary: isLinked ? summary : '',
    href: isLinked && zone.id !== null ? tableAddress('zones', 'zone', String(zone.id)) : null,
    condition,
    trouble,
    inhabitants: inhabitantsOf(zone),
    facts: known(
      () => (cpuPercent === null ? '' : `CPU ${wholePercent(cpuPercent)}`),
      () => `${whole(zone.power_draw_kw)} kW`,
      () => (zone.pue === null ? '' : `PUE ${plain(Math.round(100 * zone.pue) / 100)}`),
    ),
    wan: {
      text: unlessUnknown(() => `${rounded(wan)} Gbit/s`) ?? '',
      share: ratio(wan, zone.wan_capacity_gbps),
    },
    feeds: zone.power_feeds.map(({ feed, powered, load_pct }) => ({
      name: feed,
      isLive: !isFalse(powered),
      share: percentShare(load_pct),
    })),
    coolingUnits: coolingOf(zone),
    rows: rowsOf(zone, world, isLinked),
    incidents: (world.derived(incidentMarks).get(`zone ${zone.id}`) ?? []).map(incidentMark),
    loose: [],
  }
}

/** The severities of the hosts that stand in no rack, by zone. */
function looseHosts(world: TableWorld): ReadonlyMap<string, readonly (number | null)[]> {
  const byZone = new Map<string, (number | null)[]>()
  for (const device of world.records.all('hosts')) {
    if (device.rack_id !== null) continue
    const condition = conditionOrNull(() => deviceCondition(device))
    addTo(byZone, String(device.az_id), condition === null ? null : condition.severity)
  }
  return byZone
}

/** The devices of each rack, where the picture has room for them. */
function withDevices(
  zone: FloorZone,
  record: ZoneRecord,
  world: TableWorld,
  request: PictureRequest,
): FloorZone {
  const recordOf = new Map(record.racks.map((rack) => [rack.name, rack]))
  const rows = zone.rows.map((row) => ({
    ...row,
    racks: row.racks.map((one) => {
      const placed = { rack: recordOf.get(one.name)!, zone: record }
      return { ...one, devices: devicesOf(placed, one.heightU, world, request) }
    }),
  }))
  const devices = rows.flatMap(({ racks }) => racks).flatMap((rack) => rack.devices)
  const network = devices.filter(({ kind }) => kind === 'network')
  const trouble =
    zone.trouble ||
    downText(network.map(({ name, condition: state }) => ({ name: nameWithin(record, name), state })))
  return { ...zone, trouble, rows }
}

/** Where there are more, each leads to its zone alone. */
const rackAreasMax = 1_000

const withoutRackAreas = (zone: FloorZone): FloorZone => ({
  ...zone,
  rows: zone.rows.map((row) => ({
    ...row,
    racks: row.racks.map((rack) => ({ ...rack, summary: '', href: null })),
  })),
})

/** How the zones are, in one sentence for each that deserves it. */
const describe = (zones: readonly FloorZone[]): string =>
  zones
    .map(({ name, condition, trouble }) =>
      [name, condition?.state ?? 'unknown', trouble].filter((part) => part !== '').join(': '),
    )
    .join('. ')

const sentencesMax = 12

/** Draws the zones that a request wants. */
export function floorPicture(world: TableWorld, request: PictureRequest, theme: Theme): string {
  const records = chosenZones(request, world)
  const zones = records.map((record) => zoneOf(record, world, request.isLinked))
  const hosts = records.reduce((sum, { host_count }) => sum + (host_count || 0), 0)
  const layout = floorLayout(zones.map(planOf), hosts, request.size)
  const isWithoutRacks = records.some(({ racks, host_count }) => racks.length === 0 && host_count > 0)
  if (layout.detail === 'units' || isWithoutRacks)
    for (const [index, record] of records.entries()) {
      const loose = isWithoutRacks ? world.derived(looseHosts).get(String(record.id)) : []
      const zone =
        layout.detail === 'units' ? withDevices(zones[index], record, world, request) : zones[index]
      zones[index] = { ...zone, loose: loose ?? [] }
    }
  const racks = zones.reduce((sum, { rows }) => sum + rows.reduce((own, row) => own + row.racks.length, 0), 0)
  const devices = zones
    .flatMap(({ rows }) => rows.flatMap(({ racks }) => racks))
    .reduce((sum, rack) => sum + rack.devices.length, 0)
  return drawFloor(racks > rackAreasMax ? zones.map(withoutRackAreas) : zones, {
    theme,
    layout,
    title: zones.length === 1 ? `Floor of ${zones[0].name}` : `Floor: ${counted(zones.length, 'zone')}`,
    description: describe(zones.slice(0, sentencesMax)),
    moment: clockText(world.nowNs),
    hasDeviceAreas: request.isLinked && devices <= deviceAreasMax,
  })
}
