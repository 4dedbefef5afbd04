import type { DiagnosticsRecord } from '../../../contract/collections.ts'
import { diagnosticListCap } from '../../../contract/records/diagnostics.ts'
import { round } from '../../simulation/numeric.ts'
import type { Topology } from '../../simulation/topology/tables.ts'
import { idOf } from '../../simulation/topology/tables.ts'
import type { RecordedWorld } from '../world.ts'
import { portRecordName } from './ports.ts'

/** A link counts as loaded above this utilization. */
const unloadedUtilizationMax = 0.7

export interface LoadedLinks {
  readonly list: DiagnosticsRecord['loaded_links']
  readonly total: number
}

/** The most loaded links, worst first, and the number of all loaded links. */
export function loadedLinks({ topology, network }: RecordedWorld): LoadedLinks {
  const { cables, ports } = topology
  const { portTxGbps, portDroppedGbps } = network
  const loaded: { cable: number; share: number; dropped: number }[] = []
  for (const cable of cables.rows) {
    const a = cables.a[cable]
    const b = cables.b[cable]
    const share = Math.max(portTxGbps[a], portTxGbps[b]) / ports.capacityGbps[a]
    if (share > unloadedUtilizationMax)
      loaded.push({ cable, share, dropped: portDroppedGbps[a] + portDroppedGbps[b] })
  }
  loaded.sort(
    (one, other) => other.share - one.share || other.dropped - one.dropped || one.cable - other.cable,
  )
  const list = loaded.slice(0, diagnosticListCap).map(({ cable, share, dropped }) => ({
    cable_id: idOf(cable),
    label: linkName(topology, cable),
    load_gbps: round(share * ports.capacityGbps[cables.a[cable]], 4),
    capacity_gbps: ports.capacityGbps[cables.a[cable]],
    load_pct: round(Math.min(100, share * 100), 2),
    dropped_gbps: round(dropped, 4),
  }))
  return { list, total: loaded.length }
}

const linkName = (topology: Topology, cable: number): string =>
  `${portRecordName(topology, topology.cables.a[cable])} – ${portRecordName(topology, topology.cables.b[cable])}`
