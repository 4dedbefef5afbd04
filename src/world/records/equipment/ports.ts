import { survivingShare } from '../../simulation/network/view.ts'
import { isOptical, portOwnerName } from '../../simulation/topology/view.ts'
import type { PortRecord } from '../../../contract/collections.ts'
import { PortSchema } from '../../../contract/records/shared.ts'
import type { portMedia } from '../../../contract/vocabularies.ts'
import { cableKinds, colors, connectors, deviceKinds } from '../../../contract/vocabularies.ts'
import { round } from '../../simulation/numeric.ts'
import type { Topology } from '../../simulation/topology/tables.ts'
import { deviceKind, idOf } from '../../simulation/topology/tables.ts'
import { recordFactory } from '../record-list.ts'
import type { RecordedWorld } from '../world.ts'

/** Records of all ports. The ports of a device form a list, in their order. */
export interface PortRecords {
  /** The ports of a device, given its first port. */
  listOf(firstPort: number, portCount: number): PortRecord[]
  update(): void
}

type Media = (typeof portMedia)[number]

/** Lanes of a breakout port. */
const legsPerPort = 4
const connectorQsfp28 = connectors.indexOf('QSFP28')
const connectorQsfpDd = connectors.indexOf('QSFP-DD')
/** A slower port with a wide connector is a lane of a breakout port. */
const narrowestWideGbps = 40

/** Byte counters beyond the safe integers are bigints. */
const byteCount = (bytes: number): number | bigint =>
  bytes < Number.MAX_SAFE_INTEGER ? Math.round(bytes) : BigInt(bytes)

function mediaOf(topology: Topology, cable: number): Media {
  if (isOptical(topology, cable)) return 'Fiber'
  return cableKinds[topology.cables.kind[cable]] === 'Copper' ? 'Copper' : 'Dac'
}

export const portRecordName = (topology: Topology, port: number): string =>
  `${portOwnerName(topology, port)} ${topology.ports.label[port]}`

function peerOf(topology: Topology, port: number): PortRecord['peer'] {
  const { ports } = topology
  const peer = ports.peer[port]
  if (peer === -1) return null
  return {
    device_kind: deviceKinds[ports.deviceKind[peer]],
    device_id: idOf(ports.device[peer]),
    port_id: idOf(peer),
    port_index: ports.index[peer],
    label: portRecordName(topology, peer),
  }
}

const newPort = recordFactory(PortSchema)

function createPort(topology: Topology, port: number): PortRecord {
  const { ports, cables } = topology
  const cable = ports.cable[port]
  const used = cable !== -1
  const gbps = ports.capacityGbps[port]
  const lane = isLane(topology, port)
  const legs = lane ? legsBeside(topology, port) : 0
  return newPort({
    index: ports.index[port],
    label: ports.label[port],
    cable_ids: used ? [idOf(cable)] : [],
    peer: peerOf(topology, port),
    port_id: idOf(port),
    media: used ? mediaOf(topology, cable) : 'None',
    // A panel port has the speed of the cabled ports.
    link_capacity_gbps: gbps === 0 && used ? ports.capacityGbps[cables.a[cable]] : gbps,
    cable_able: !used,
    connector: connectors[ports.connector[port]],
    color: used ? colors[cables.color[cable]] : 'black',
    breakout_used_gbps: legs * gbps,
    breakout_capacity_gbps: lane ? legsPerPort * gbps : 0,
    breakout_leg_count: legs,
  })
}

function isLane({ ports }: Topology, port: number): boolean {
  const connector = ports.connector[port]
  if (connector === connectorQsfpDd) return ports.capacityGbps[port] === 100
  return connector === connectorQsfp28 && ports.capacityGbps[port] < narrowestWideGbps
}

/** Number of cabled lanes of the same breakout port. */
function legsBeside(topology: Topology, port: number): number {
  const { ports } = topology
  let first = port
  while (first > 0 && ports.device[first - 1] === ports.device[port] && isLane(topology, first - 1)) first--
  const start = port - ((port - first) % legsPerPort)
  let legs = 0
  for (let lane = start; lane < start + legsPerPort; lane++) if (ports.cable[lane] !== -1) legs++
  return legs
}

export function createPortRecords(state: RecordedWorld, countBytes: () => void): PortRecords {
  const { topology, network, condition } = state
  const { ports, cables } = topology
  const records: PortRecord[] = []
  const cabled: number[] = []
  /** The port whose traffic a record shows: the port itself, or end a of the cable for a panel port. */
  const measured = new Uint32Array(ports.count)
  for (let port = 0; port < ports.count; port++) {
    records.push(createPort(topology, port))
    const cable = ports.cable[port]
    const isPassive = cable !== -1 && ports.deviceKind[port] === deviceKind.PatchPanel
    measured[port] = isPassive ? cables.a[cable] : port
    if (cable !== -1 && ports.deviceKind[port] !== deviceKind.Upstream) cabled.push(port)
  }
  const update = (port: number): void => {
    const record = records[port]
    const at = measured[port]
    const peer = ports.peer[at]
    const up = network.portUp[at] === 1
    const flapping = condition.portFlapping[at] !== 0 || (peer !== -1 && condition.portFlapping[peer] !== 0)
    record.link = flapping ? 'Flapping' : up ? 'Up' : 'Down'
    record.active = up
    record.state = up
      ? flapping || survivingShare(state, at, peer) < 1
        ? 'Errored'
        : 'Connected'
      : darkState(state, port)
    record.gbps_tx = round(network.portTxGbps[at], 4)
    record.gbps_rx = round(network.portRxGbps[at], 4)
    record.error_count = Math.round(network.portErrors[at])
    record.link_flaps = Math.round(network.portFlaps[at])
    record.bytes_egress_total = byteCount(network.portTxBytes[at])
    record.bytes_ingress_total = byteCount(network.portRxBytes[at])
  }
  /** A port without a cable changes only with the topology; it keeps the last counters of its removed cable. */
  let shown: Iterable<number> = records.keys()
  return {
    listOf: (firstPort, portCount) => records.slice(firstPort, firstPort + portCount),
    update() {
      countBytes()
      for (const port of shown) update(port)
      shown = cabled
    },
  }
}

/** State of a port without a link. */
function darkState(state: RecordedWorld, port: number): PortRecord['state'] {
  const { facility, condition, topology } = state
  if (topology.ports.cable[port] === -1) return 'Free'
  const row = topology.ports.device[port]
  switch (topology.ports.deviceKind[port]) {
    case deviceKind.Host:
      if (facility.hostPowered[row] === 0) return 'PowerOff'
      return condition.hostMaintenance[row] === 0 ? 'NoLight' : 'Disabled'
    case deviceKind.Switch:
      return facility.switchFeeds[row] === 0 ? 'PowerOff' : 'NoLight'
    case deviceKind.Gateway:
      return facility.gatewayFeeds[row] === 0 ? 'PowerOff' : 'NoLight'
    case deviceKind.Appliance:
      return facility.applianceFeeds[row] === 0 ? 'PowerOff' : 'NoLight'
    default:
      return 'NoLight'
  }
}
