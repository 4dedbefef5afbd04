import type { DiagnosticsRecord } from '../../contract/collections.ts'
import { diagnosticListCap } from '../../contract/records/diagnostics.ts'
import { round } from '../numeric.ts'
import { idOf, type Plant } from '../plant/tables.ts'
import type { WorldState } from '../state.ts'
import { portName } from './plant-ports.ts'

/** A link counts as loaded from this share of its capacity on. */
const loadedFrom = 0.7

export interface LoadedLinks {
  readonly list: DiagnosticsRecord['loaded_links']
  readonly total: number
}

/** The most loaded links, worst first, and how many are loaded. */
export function loadedLinks({ plant, network }: WorldState): LoadedLinks {
  const { cables, ports } = plant
  const { portTxGbps, portDroppedGbps } = network
  const loaded: { cable: number; share: number; dropped: number }[] = []
  for (let cable = 0; cable < cables.count; cable++) {
    const a = cables.a[cable]
    const b = cables.b[cable]
    const share = Math.max(portTxGbps[a], portTxGbps[b]) / ports.capacityGbps[a]
    if (share > loadedFrom) loaded.push({ cable, share, dropped: portDroppedGbps[a] + portDroppedGbps[b] })
  }
  loaded.sort(
    (one, other) => other.share - one.share || other.dropped - one.dropped || one.cable - other.cable,
  )
  const list = loaded.slice(0, diagnosticListCap).map(({ cable, share, dropped }) => ({
    cable_id: idOf(cable),
    label: linkName(plant, cable),
    load_gbps: round(share * ports.capacityGbps[cables.a[cable]], 4),
    capacity_gbps: ports.capacityGbps[cables.a[cable]],
    load_pct: round(Math.min(100, share * 100), 2),
    dropped_gbps: round(dropped, 4),
  }))
  return { list, total: loaded.length }
}

const linkName = (plant: Plant, cable: number): string =>
  `${portName(plant, plant.cables.a[cable])} – ${portName(plant, plant.cables.b[cable])}`
