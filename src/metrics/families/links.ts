import { nameOfZone } from '../../words/places.ts'
import type {
  ApplianceRecord,
  CableRecord,
  GatewayRecord,
  PortRecord,
  Snapshot,
  SwitchRecord,
} from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'
import { isKnown } from '../../contract/records/unknown.ts'
import { PortSchema } from '../../contract/records/shared.ts'
import { deriveFamily, familiesOf, infoFamily } from '../declaration/family.ts'
import type { RowBatch } from '../../codegen/rows.ts'
import { relabel, derivedRows, derivedParts } from '../declaration/labeled-rows.ts'

type Device = SwitchRecord | GatewayRecord | ApplianceRecord

/** A cable between network devices, with the port at its first known end and the device that has that port. */
interface Link {
  readonly cable: CableRecord
  readonly port: PortRecord | null
  readonly device: Device | null
  /** Whether the port is the one at end b, because end a is at no known device. */
  readonly fromB: boolean
  /** The names of the devices at its ends, and the zone of the first. */
  readonly name: string
  readonly zone: string | null
}

type CableEnd = CableRecord['a']

interface DevicePort {
  readonly port: PortRecord
  readonly device: Device
}

/** The ports of the devices that links connect, by id. Those whose id is not told are at no end. */
function networkPorts({ collections }: Snapshot): Map<Int64, DevicePort> {
  const ports = new Map<Int64, DevicePort>()
  for (const devices of [collections.switches, collections.gateways, collections.appliances]) {
    for (const device of devices)
      for (const port of device.ports) {
        const id: Int64 | null = port.port_id
        if (id !== null) ports.set(id, { port, device })
      }
  }
  return ports
}

/**
 * The device at an end. The far end of an upstream's line takes the name that the port at this end has for its peer.
 */
function endText(end: CableEnd, at: DevicePort | undefined, other: DevicePort | undefined): string {
  if (at !== undefined) return at.device.display_name_plain
  const far = other?.port.peer?.label
  return far === undefined || far === '' ? (end?.device_kind ?? 'nothing') : far
}

function linksOf(snapshot: Snapshot): Link[] {
  const ports = networkPorts(snapshot)
  const zones = new Map(snapshot.collections.azs.map((zone) => [zone.id, nameOfZone(zone)]))
  const portAt = (end: CableEnd): DevicePort | undefined =>
    end === null ? undefined : ports.get(end.port_id)
  const toHosts = (end: CableEnd): boolean => end?.device_kind === 'Host'
  return snapshot.collections.cables
    .filter(({ a, b }) => !toHosts(a) && !toHosts(b))
    .map((cable): Link => {
      const a = portAt(cable.a)
      const b = portAt(cable.b)
      const { port, device } = a ?? b ?? { port: null, device: null }
      const name = `${endText(cable.a, a, b)}–${endText(cable.b, b, a)}`
      const zone = device === null ? null : (zones.get(device.az_id) ?? null)
      return { cable, port, device, fromB: a === undefined, name, zone }
    })
}

const endName = (end: CableEnd): string | null =>
  end === null ? null : `${end.device_kind}/${end.device_id}`

const links = derivedRows('links', 'cables', linksOf, {
  link: ({ cable }) => cable.id,
  kind: ({ cable }) => cable.kind,
})
const linkInfo = relabel(links, {
  link: ({ cable }) => cable.id,
  kind: ({ cable }) => cable.kind,
  a: ({ cable }) => endName(cable.a),
  b: ({ cable }) => endName(cable.b),
  lag: ({ cable }) => cable.lag_id,
  name: ({ name }) => name,
  port: ({ port }) => port?.label ?? null,
  az: ({ device }) => device?.az_id ?? null,
  zone: ({ zone }) => zone,
})

/** Null where the state of the link is unknown. */
const isUp = ({ link }: PortRecord): boolean | null => (isKnown(link) ? link === 'Up' : null)

const bytesPerGigabit = 125_000_000
const traffic = (gbps: number | undefined): number | null =>
  gbps === undefined ? null : gbps * bytesPerGigabit

export const linkFamilies = {
  dcsim_link_info: infoFamily(linkInfo, 'What a cable between network devices connects.'),
  dcsim_link_up: deriveFamily(links, 'gauge', {
    help: 'Whether the link is up.',
    value: ({ port }) => (port === null ? null : isUp(port)),
  }),
  dcsim_link_failed: deriveFamily(links, 'gauge', {
    help: 'Whether the cable is cut or broken.',
    value: ({ cable }) => cable.is_failed,
  }),
  dcsim_link_capacity_bytes_per_second: deriveFamily(links, 'gauge', {
    unit: 'bytes_per_second',
    help: 'What the link carries at most, in each direction.',
    value: ({ port }) => traffic(port?.link_capacity_gbps),
  }),
  dcsim_link_forward_bytes_per_second: deriveFamily(links, 'gauge', {
    unit: 'bytes_per_second',
    help: 'Traffic from end a to end b.',
    value: ({ port, fromB }) => traffic(fromB ? port?.gbps_rx : port?.gbps_tx),
  }),
  dcsim_link_reverse_bytes_per_second: deriveFamily(links, 'gauge', {
    unit: 'bytes_per_second',
    help: 'Traffic from end b to end a.',
    value: ({ port, fromB }) => traffic(fromB ? port?.gbps_tx : port?.gbps_rx),
  }),
}

interface PortOwner {
  readonly kind: string
  readonly id: number | bigint
}

/** Every port of every device. */
function portRows({ collections }: Snapshot): RowBatch<PortRecord, PortOwner> {
  const items: PortRecord[] = []
  const parents: PortOwner[] = []
  const devices = [
    ['Host', collections.hosts],
    ['Switch', collections.switches],
    ['Gateway', collections.gateways],
    ['Appliance', collections.appliances],
    ['PatchPanel', collections.patchPanels],
  ] as const
  for (const [kind, records] of devices) {
    for (const { id, ports } of records) {
      const device = { kind, id }
      for (const port of ports) {
        items.push(port)
        parents.push(device)
      }
    }
  }
  return { items, parents }
}

const port = familiesOf(
  PortSchema,
  derivedParts('ports', null, portRows, {
    device_kind: (_, device) => device.kind,
    device: (_, device) => device.id,
    port: (port) => port.port_id,
    index: (port) => port.index,
  }),
)

export const portFamilies = {
  dcsim_port_up: port.derivedGauge({ help: 'Whether the link is up.', value: isUp }),
  dcsim_port_active: port.gauge('active'),
  dcsim_port_capacity_bytes_per_second: port.gauge('link_capacity_gbps'),
  dcsim_port_receive_bytes_per_second: port.gauge('gbps_rx'),
  dcsim_port_transmit_bytes_per_second: port.gauge('gbps_tx'),
  dcsim_port_receive_bytes_total: port.counter('bytes_ingress_total'),
  dcsim_port_transmit_bytes_total: port.counter('bytes_egress_total'),
  dcsim_port_errors_total: port.counter('error_count'),
  dcsim_port_link_flaps_total: port.counter('link_flaps'),
}
