import type { PortRecord } from '../../contract/collections.ts'
import { cableKinds, colors, connectors, deviceKinds, type portMedia } from '../../contract/vocabularies.ts'
import { countBytes } from '../network/counters.ts'
import { round } from '../numeric.ts'
import { deviceKind, idOf, type Plant } from '../plant/tables.ts'
import type { WorldState } from '../state.ts'

/** Records of all ports. Those of a device are one list, in the order of the device's ports. */
export interface PortRecords {
  /** The ports of a device whose first port stands in that row. The same list every time. */
  listOf(firstPort: number, portCount: number): PortRecord[]
  update(): void
}

type Media = (typeof portMedia)[number]

/** Legs of a broken-out port come four at a time. */
const legsPerPort = 4
const connectorQsfp28 = connectors.indexOf('QSFP28')
const connectorQsfpDd = connectors.indexOf('QSFP-DD')
/** A wide connector on a port slower than this is that of a wide port of which the port is a lane. */
const narrowestWideGbps = 40

/** Byte counts that a double does not hold exactly are given as integers of any size. */
export const byteCount = (bytes: number): number | bigint =>
  bytes < Number.MAX_SAFE_INTEGER ? Math.round(bytes) : BigInt(bytes)

const mediaByKind = {
  Copper: 'Copper',
  Fiber: 'Fiber',
  Dac: 'Dac',
  WanFiber: 'Fiber',
} as const satisfies Partial<Record<(typeof cableKinds)[number], Media>>

/** A breakout assembly inside a rack is of copper, one that goes further of fibre. */
function mediaOf({ cables }: Plant, cable: number): Media {
  const kind = cableKinds[cables.kind[cable]]
  return kind === 'Breakout' ? (cables.draped[cable] ? 'Dac' : 'Fiber') : mediaByKind[kind]
}

export function deviceName(plant: Plant, kind: number, row: number): string {
  switch (kind) {
    case deviceKind.Gateway:
      return plant.gateways.name[row]
    case deviceKind.Switch:
      return plant.switches.name[row]
    case deviceKind.Appliance:
      return plant.appliances.name[row]
    case deviceKind.PatchPanel:
      return plant.panels.name[row]
    case deviceKind.Host:
      return plant.hosts.name[row]
    default:
      return plant.carriers[row]
  }
}

export const portName = (plant: Plant, port: number): string =>
  `${deviceName(plant, plant.ports.deviceKind[port], plant.ports.device[port])} ${plant.ports.label[port]}`

function peerOf(plant: Plant, port: number): PortRecord['peer'] {
  const { ports } = plant
  const peer = ports.peer[port]
  if (peer === -1) return null
  return {
    device_kind: deviceKinds[ports.deviceKind[peer]],
    device_id: idOf(ports.device[peer]),
    port_id: idOf(peer),
    port_index: ports.index[peer],
    label: portName(plant, peer),
  }
}

/** The port as it is before anything runs: what the plant says of it. */
function portAtRest(plant: Plant, port: number): PortRecord {
  const { ports, cables } = plant
  const cable = ports.cable[port]
  const used = cable !== -1
  const gbps = ports.capacityGbps[port]
  const lane = isLane(plant, port)
  const legs = lane ? legsBeside(plant, port) : 0
  return {
    index: ports.index[port],
    label: ports.label[port],
    link: 'Down',
    active: false,
    cable_ids: used ? [idOf(cable)] : [],
    peer: peerOf(plant, port),
    port_id: idOf(port),
    state: used ? 'NoLight' : 'Free',
    media: used ? mediaOf(plant, cable) : 'None',
    gbps_tx: 0,
    gbps_rx: 0,
    // A panel passes on whatever is plugged in: it has the speed of the cable's ends.
    link_capacity_gbps: gbps === 0 && used ? ports.capacityGbps[cables.a[cable]] : gbps,
    error_count: 0,
    bytes_egress_total: 0,
    bytes_ingress_total: 0,
    link_flaps: 0,
    cable_able: !used,
    connector: connectors[ports.connector[port]],
    color: used ? colors[cables.color[cable]] : 'black',
    breakout_used_gbps: legs * gbps,
    breakout_capacity_gbps: lane ? legsPerPort * gbps : 0,
    breakout_leg_count: legs,
  }
}

function isLane({ ports }: Plant, port: number): boolean {
  const connector = ports.connector[port]
  if (connector === connectorQsfpDd) return ports.capacityGbps[port] === 100
  return connector === connectorQsfp28 && ports.capacityGbps[port] < narrowestWideGbps
}

/** How many lanes of the same wide port are cabled. */
function legsBeside(plant: Plant, port: number): number {
  const { ports } = plant
  let first = port
  while (first > 0 && ports.device[first - 1] === ports.device[port] && isLane(plant, first - 1)) first--
  const start = port - ((port - first) % legsPerPort)
  let legs = 0
  for (let lane = start; lane < start + legsPerPort; lane++) if (ports.cable[lane] !== -1) legs++
  return legs
}

export function createPortRecords(state: WorldState): PortRecords {
  const { plant, physical, network, condition } = state
  const { ports, cables } = plant
  const records: PortRecord[] = []
  const cabled: number[] = []
  /** The port whose traffic a port shows: itself, or for a panel's port the cable's first end. */
  const measured = new Uint32Array(ports.count)
  for (let port = 0; port < ports.count; port++) {
    records.push(portAtRest(plant, port))
    const cable = ports.cable[port]
    if (cable === -1 || ports.deviceKind[port] === deviceKind.Upstream) continue
    cabled.push(port)
    measured[port] = ports.deviceKind[port] === deviceKind.PatchPanel ? cables.a[cable] : port
  }
  const update = (port: number): void => {
    const record = records[port]
    const at = measured[port]
    const peer = ports.peer[at]
    const up = physical.portUp[at] === 1
    const flapping = condition.portFlapping[at] !== 0 || condition.portFlapping[peer] !== 0
    record.link = flapping ? 'Flapping' : up ? 'Up' : 'Down'
    record.active = up
    record.state = up
      ? flapping || condition.portLoss[at] > 0 || condition.portLoss[peer] > 0
        ? 'Errored'
        : 'Connected'
      : darkState(state, port)
    record.gbps_tx = round(network.portTxGbps[at], 4)
    record.gbps_rx = round(network.portRxGbps[at], 4)
    record.error_count = Math.round(physical.portErrors[at])
    record.link_flaps = Math.round(physical.portFlaps[at])
    record.bytes_egress_total = byteCount(network.portTxBytes[at])
    record.bytes_ingress_total = byteCount(network.portRxBytes[at])
  }
  return {
    listOf: (firstPort, portCount) => records.slice(firstPort, firstPort + portCount),
    update() {
      countBytes(state)
      for (const port of cabled) update(port)
    },
  }
}

/** Why a cabled port has no link. */
function darkState(state: WorldState, port: number): PortRecord['state'] {
  const { physical, condition, plant } = state
  const row = plant.ports.device[port]
  switch (plant.ports.deviceKind[port]) {
    case deviceKind.Host:
      if (physical.hostPowered[row] === 0) return 'PowerOff'
      return condition.hostMaintenance[row] === 0 ? 'NoLight' : 'Disabled'
    case deviceKind.Switch:
      return physical.switchFeeds[row] === 0 ? 'PowerOff' : 'NoLight'
    case deviceKind.Gateway:
      return physical.gatewayFeeds[row] === 0 ? 'PowerOff' : 'NoLight'
    case deviceKind.Appliance:
      return physical.applianceFeeds[row] === 0 ? 'PowerOff' : 'NoLight'
    default:
      return 'NoLight'
  }
}
