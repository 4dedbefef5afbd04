import type { PatchPanelRecord } from '../../../contract/collections.ts'
import { PatchPanelSchema } from '../../../contract/records/network.ts'
import { round } from '../../simulation/numeric.ts'
import { ageHours, conditionPct, resaleDollars } from '../../simulation/facility/view.ts'
import { idOf } from '../../simulation/topology/tables.ts'
import type { RecordList } from '../record-list.ts'
import { allRows, createRecordList, recordFactory } from '../record-list.ts'
import type { RecordedWorld } from '../world.ts'
import { usedPorts } from './device-fields.ts'
import type { PortRecords } from './ports.ts'

export function createPanelRecords(state: RecordedWorld, ports: PortRecords): RecordList<PatchPanelRecord> {
  return createRecordList(
    allRows(state.topology.panels),
    (row) => createPanel(state, ports, row),
    (record, row) => updatePanel(state, record, row),
  )
}

const newPanel = recordFactory(PatchPanelSchema)

function createPanel({ topology }: RecordedWorld, ports: PortRecords, row: number): PatchPanelRecord {
  const { panels } = topology
  const first = panels.firstPort[row]
  const count = panels.portCount[row]
  return newPanel({
    id: idOf(row),
    rack_id: idOf(panels.rack[row]),
    start_u: panels.startU[row],
    u_size: panels.uSize[row],
    sku_name: topology.panelSkus[panels.sku[row]].name,
    port_count: count,
    used_ports: usedPorts(topology, first, first + count),
    ports: ports.listOf(first, count),
    inv_status: 'Installed',
    // Patch panels are passive.
    power_on_hours: 0,
  })
}

function updatePanel(state: RecordedWorld, record: PatchPanelRecord, row: number): void {
  const { panels, panelSkus } = state.topology
  const age = Math.floor(ageHours(panels, row, state.now))
  const sku = panelSkus[panels.sku[row]]
  const condition = conditionPct(panels, row, state.now, sku.mtbfHours)
  record.age_hours = age
  record.condition_pct = Math.round(condition)
  record.resale_dollars = round(resaleDollars(sku.priceDollars, age, condition), 2)
}
