import type { CableRecord } from '../../contract/collections.ts'
import { cableKinds, colors, deviceKinds } from '../../contract/vocabularies.ts'
import { deviceKind, idOf, type Plant } from '../plant/tables.ts'
import type { WorldState } from '../state.ts'

export interface CableRecords {
  readonly records: CableRecord[]
  update(): void
}

/** A direct-attach cable up to this long needs no electronics of its own. */
const passiveDacMaxM = 3

export function createCableRecords(state: WorldState): CableRecords {
  const { plant, condition } = state
  const records = Array.from({ length: plant.cables.count }, (_, cable) => cableRecord(plant, cable))
  return {
    records,
    update() {
      for (let cable = 0; cable < records.length; cable++) {
        records[cable].is_failed = condition.cableCut[cable] !== 0
      }
    },
  }
}

const orNull = (row: number): number | null => (row === -1 ? null : idOf(row))

function cableRecord(plant: Plant, cable: number): CableRecord {
  const { cables, ports } = plant
  const a = cables.a[cable]
  const b = cables.b[cable]
  const kind = cableKinds[cables.kind[cable]]
  const lengthM = cables.lengthM[cable]
  const inTrays = cables.trays[cable].length > 0
  const directAttach = kind === 'Dac' || (kind === 'Breakout' && !inTrays)
  return {
    from_host: ports.deviceKind[a] === deviceKind.Host ? idOf(ports.device[a]) : null,
    to_switch: ports.deviceKind[b] === deviceKind.Switch ? idOf(ports.device[b]) : null,
    kind,
    dac_class: directAttach ? (lengthM <= passiveDacMaxM ? 'Passive' : 'Active') : null,
    color: colors[cables.color[cable]],
    duplex: true,
    // The wide plug of a breakout is at the switch nearer to the world: end b.
    qsfp_end: cables.breakout[cable] === -1 ? null : 1,
    length_m: lengthM,
    id: idOf(cable),
    a: endOf(plant, a),
    b: endOf(plant, b),
    lag_id: orNull(cables.lag[cable]),
    routed: inTrays,
    mode_pinned: kind === 'WanFiber',
    breakout_id: orNull(cables.breakout[cable]),
    routed_via: cables.trays[cable].map(idOf),
    path: pathOf(plant, cable),
    route_slots: [...cables.traySlots[cable]],
    routed_points: cables.points[cable].map((point) => [...point]),
    is_draped: cables.draped[cable] === 1,
    is_failed: false,
    routing_side_a: sideOf(plant, a),
    routing_side_b: sideOf(plant, b),
    dangling_end: null,
  }
}

const endOf = ({ ports }: Plant, port: number): NonNullable<CableRecord['a']> => ({
  device_kind: deviceKinds[ports.deviceKind[port]],
  device_id: idOf(ports.device[port]),
  port_id: idOf(port),
})

/** Panels stand at the far end of the trays: a cable comes down to the panel and goes on inside the rack. */
function pathOf(plant: Plant, cable: number): CableRecord['path'] {
  const { cables, ports } = plant
  return [
    { Port: idOf(cables.a[cable]) },
    ...cables.trays[cable].map((tray) => ({ Tray: idOf(tray) })),
    ...cables.panelPorts[cable].map((port) => ({ PatchPanel: idOf(ports.device[port]) })),
    { Port: idOf(cables.b[cable]) },
  ]
}

/** Cables leave on the side that the port is nearer to. What stands in no rack of ours has no side. */
function sideOf(plant: Plant, port: number): CableRecord['routing_side_a'] {
  const { ports } = plant
  const row = ports.device[port]
  const count = {
    [deviceKind.Host]: plant.hosts,
    [deviceKind.Switch]: plant.switches,
    [deviceKind.Gateway]: plant.gateways,
    [deviceKind.Appliance]: plant.appliances,
  }[ports.deviceKind[port]]?.portCount[row]
  if (count === undefined) return null
  return ports.index[port] * 2 < count ? 'Left' : 'Right'
}
