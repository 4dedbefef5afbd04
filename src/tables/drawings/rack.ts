/** A rack as its picture describes it, from records. */
import { drawSentence } from '../../pictures/sheets/incident.ts'
import { isFalse } from '../../contract/records/unknown.ts'
import { drawRackSheet } from '../../pictures/sheets/rack.ts'
import type { CabledDevice } from '../../pictures/sheets/rack-back.ts'
import type { Theme } from '../../pictures/palette.ts'
import { clockText } from '../../words/moments.ts'
import { counted, listed, plain, rounded } from '../../words/phrases.ts'
import { nameOfZone, nameWithin } from '../../words/places.ts'
import { portCondition } from '../columns/equipment/ports.ts'
import { occupantsByRack } from '../columns/equipment/rack.ts'
import { rackCondition } from '../columns/equipment/racks.ts'
import type { DeviceRecord, PlacedRack, TableWorld } from '../engine/table-world.ts'
import { unlessUnknown } from '../engine/table.ts'
import { devicesOf, heightOf } from './floor.ts'
import { conditionOrNull, known, percentShare } from './readings.ts'
import { chosenRacks } from './subjects.ts'
import type { PictureRequest } from './subjects.ts'

/** A switch has hundreds at most. */
const portsMax = 128

/** The switches of a rack, the highest first. */
const switchesIn = (devices: readonly DeviceRecord[]): readonly DeviceRecord[] =>
  devices
    .filter((device) => 'role' in device)
    .toSorted((one, other) => (other.start_u ?? 0) - (one.start_u ?? 0))

function cablesOf(
  device: DeviceRecord,
  switches: readonly DeviceRecord[],
  own: ReadonlySet<string>,
  zone: PlacedRack['zone'],
  world: TableWorld,
) {
  const cables = []
  const elsewhere = new Set<string>()
  for (const port of device.ports) {
    if (port.peer === null) continue
    const { device_kind: kind, device_id: id } = port.peer
    const to = kind === 'Switch' ? switches.findIndex((one) => String(one.id) === String(id)) : -1
    if (to >= 0 && switches[to] !== device) cables.push({ to, severity: portCondition(port).severity })
    else if (!own.has(`${kind} ${id}`))
      elsewhere.add(nameWithin(zone, world.entityName(kind, id) ?? port.peer.label))
  }
  const ports = device.ports
    .slice(0, portsMax)
    .map((port) => (port.cable_ids.length === 0 ? null : portCondition(port).severity))
  return { ports, cables, elsewhere: listed([...elsewhere]) }
}

function describe(
  placed: PlacedRack,
  devices: readonly CabledDevice[],
  switches: readonly string[],
  moment: string,
) {
  const { rack, zone } = placed
  return {
    name: rack.name,
    place: nameOfZone(zone),
    state: conditionOrNull(() => rackCondition(placed)),
    facts: known(
      () => `${plain(rack.hosts_online)} of ${counted(rack.host_count, 'host')} online`,
      () => `${rounded(rack.power_draw_kw)} of ${plain(rack.power_capacity_kw)} kW`,
      () => `${rounded(rack.inlet_celsius)} °C`,
      () => `${plain(rack.u_size - rack.used_u)} of ${plain(rack.u_size)} units free`,
    ),
    feeds: zone.power_feeds.map(({ feed, powered, load_pct }) => ({
      name: feed,
      isLive: !isFalse(powered),
      share: percentShare(load_pct),
    })),
    heightU: heightOf(rack),
    devices,
    switches,
    moment,
  }
}

const uncabled = { ports: [], cables: [], elsewhere: '' } as const

/** Draws the rack that a request wants; without a wish, the one in the worst state. */
export function rackPicture(world: TableWorld, request: PictureRequest, theme: Theme): string {
  const racks = chosenRacks(request, world)
  const severityOf = (placed: PlacedRack): number =>
    conditionOrNull(() => rackCondition(placed))?.severity ?? 0
  const placed = racks.reduce<PlacedRack | undefined>(
    (worst, one) => (worst === undefined || severityOf(one) > severityOf(worst) ? one : worst),
    undefined,
  )
  if (placed === undefined) return drawSentence('There is no such rack.', false, request.size, theme)
  const { zone } = placed
  const units = world.derived(occupantsByRack).get(String(placed.rack.id))
  const occupants = [...new Set(units?.values())]
  const switches = switchesIn(occupants.map(({ device }) => device))
  const own = new Set(occupants.map(({ kind, device }) => `${kind} ${device.id}`))
  const byName = new Map(occupants.map(({ device }) => [world.nameOfDevice(device), device]))
  const devices: CabledDevice[] = []
  for (const device of devicesOf(placed, heightOf(placed.rack), world, request)) {
    const record = byName.get(device.name)
    const cables = unlessUnknown(() =>
      record === undefined ? null : cablesOf(record, switches, own, zone, world),
    )
    const liveFeeds = record !== undefined && 'power_feeds' in record ? record.power_feeds : null
    devices.push({ ...device, name: nameWithin(zone, device.name), liveFeeds, ...(cables ?? uncabled) })
  }
  return drawRackSheet(
    describe(
      placed,
      devices,
      switches.map((one) => nameWithin(zone, world.nameOfDevice(one))),
      clockText(world.nowNs),
    ),
    request.size,
    theme,
  )
}
