import type { CableRecord } from '../../../contract/collections.ts'
import { CableSchema } from '../../../contract/records/network.ts'
import { cableKinds, colors, deviceKinds } from '../../../contract/vocabularies.ts'
import type { Topology } from '../../simulation/topology/tables.ts'
import { deviceKind, idOf } from '../../simulation/topology/tables.ts'
import type { RecordList } from '../record-list.ts'
import { createRecordList, recordFactory } from '../record-list.ts'
import type { RecordedWorld } from '../world.ts'

/** Maximum length of a passive direct-attach cable. */
const passiveDacMaxM = 3

export const createCableRecords = ({ topology, condition }: RecordedWorld): RecordList<CableRecord> =>
  createRecordList(
    topology.cables.rows,
    (cable) => createCable(topology, cable),
    (record, cable) => {
      record.is_failed = condition.cableCut[cable] !== 0
    },
  )

const newCable = recordFactory(CableSchema)

const nullIfEmpty = (row: number): number | null => (row === -1 ? null : idOf(row))

function createCable(topology: Topology, cable: number): CableRecord {
  const { cables, ports } = topology
  const a = cables.a[cable]
  const b = cables.b[cable]
  const kind = cableKinds[cables.kind[cable]]
  const lengthM = cables.lengthM[cable]
  const inTrays = cables.trays[cable].length > 0
  const directAttach = kind === 'Dac' || (kind === 'Breakout' && !inTrays)
  return newCable({
    from_host: ports.deviceKind[a] === deviceKind.Host ? idOf(ports.device[a]) : null,
    to_switch: ports.deviceKind[b] === deviceKind.Switch ? idOf(ports.device[b]) : null,
    kind,
    dac_class: directAttach ? (lengthM <= passiveDacMaxM ? 'Passive' : 'Active') : null,
    color: colors[cables.color[cable]],
    duplex: true,
    // End b has the wide connector of a breakout cable.
    qsfp_end: cables.breakout[cable] === -1 ? null : 1,
    length_m: lengthM,
    id: idOf(cable),
    a: endOf(topology, a),
    b: endOf(topology, b),
    lag_id: nullIfEmpty(cables.lag[cable]),
    routed: inTrays,
    mode_pinned: kind === 'WanFiber',
    breakout_id: nullIfEmpty(cables.breakout[cable]),
    routed_via: cables.trays[cable].map(idOf),
    path: pathOf(topology, cable),
    route_slots: [...cables.traySlots[cable]],
    routed_points: cables.points[cable].map((point) => [...point]),
    is_draped: cables.draped[cable] === 1,
    routing_side_a: sideOf(topology, a),
    routing_side_b: sideOf(topology, b),
    dangling_end: null,
  })
}

const endOf = ({ ports }: Topology, port: number): NonNullable<CableRecord['a']> => ({
  device_kind: deviceKinds[ports.deviceKind[port]],
  device_id: idOf(ports.device[port]),
  port_id: idOf(port),
})

/** Patch panels are at the far end of the trays: a cable descends to the panel and continues inside the rack. */
function pathOf(topology: Topology, cable: number): CableRecord['path'] {
  const { cables, ports } = topology
  return [
    { Port: idOf(cables.a[cable]) },
    ...cables.trays[cable].map((tray) => ({ Tray: idOf(tray) })),
    ...cables.patchPanelPorts[cable].map((port) => ({ PatchPanel: idOf(ports.device[port]) })),
    { Port: idOf(cables.b[cable]) },
  ]
}

/** The side of the rack on which a cable leaves its port; null for a device outside of racks. */
function sideOf(topology: Topology, port: number): CableRecord['routing_side_a'] {
  const { ports } = topology
  const row = ports.device[port]
  const count = {
    [deviceKind.Host]: topology.hosts,
    [deviceKind.Switch]: topology.switches,
    [deviceKind.Gateway]: topology.gateways,
    [deviceKind.Appliance]: topology.appliances,
  }[ports.deviceKind[port]]?.portCount[row]
  if (count === undefined) return null
  return ports.index[port] * 2 < count ? 'Left' : 'Right'
}
