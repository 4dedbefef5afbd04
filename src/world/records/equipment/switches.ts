import type { SwitchRecord } from '../../../contract/collections.ts'
import { SwitchSchema } from '../../../contract/records/network.ts'
import { round } from '../../simulation/numeric.ts'
import { ageHours, conditionPct, mtbfAt, resaleDollars } from '../../simulation/facility/view.ts'
import { survivingShare } from '../../simulation/network/view.ts'
import { idOf } from '../../simulation/topology/tables.ts'
import type { RecordList } from '../record-list.ts'
import { allRows, createRecordList, recordFactory } from '../record-list.ts'
import type { RecordedWorld } from '../world.ts'
import { statusLed, hoursWithPower, noticeableGbps, placementOf, sumPorts } from './device-fields.ts'
import type { PortRecords } from './ports.ts'

export function createSwitchRecords(state: RecordedWorld, ports: PortRecords): RecordList<SwitchRecord> {
  return createRecordList(
    allRows(state.topology.switches),
    (row) => createSwitch(state, ports, row),
    (record, row) => updateSwitch(state, record, row),
  )
}

const newSwitch = recordFactory(SwitchSchema)

function createSwitch({ topology }: RecordedWorld, ports: PortRecords, row: number): SwitchRecord {
  const { switches } = topology
  const sku = topology.switchSkus[switches.sku[row]]
  return newSwitch({
    id: idOf(row),
    ...placementOf(topology, switches, row),
    role: switches.role[row],
    on_wall: false,
    on_shelf: false,
    sku_name: sku.name,
    port_count: switches.portCount[row],
    port_capacity_gbps: sku.downGbps,
    uplink_capacity_gbps: sku.upGbps,
    ports: ports.listOf(switches.firstPort[row], switches.portCount[row]),
    monthly_opex_dollars: sku.opexDollars,
  })
}

const sums = { tx: 0, rx: 0 }

function updateSwitch(state: RecordedWorld, record: SwitchRecord, row: number): void {
  const { topology, facility, network, condition } = state
  const { switches } = topology
  const first = switches.firstPort[row]
  const end = first + switches.portCount[row]
  sumPorts(state, first, end, sums)
  record.egress_gbps = round(sums.tx, 4)
  record.ingress_gbps = round(sums.rx, 4)
  const lost = condition.switchFabricLost[row]
  const rating = topology.switchSkus[switches.sku[row]].fabricGbps
  record.fabric_capacity_gbps = Math.ceil(round(rating * (1 - lost), 4))
  record.fabric_load_gbps = round(network.switchFabricGbps[row], 4)
  record.saturated = anyPortFull(state, first, end)
  record.fabric_saturated = network.switchDroppedGbps[row] > noticeableGbps
  record.broadcast_storm = condition.switchStorm[row] !== 0
  const broken = condition.switchBroken[row] !== 0
  const feeds = facility.switchFeeds[row]
  const troubled =
    record.saturated ||
    record.fabric_saturated ||
    record.broadcast_storm ||
    condition.switchSupplyBroken[row] !== 0 ||
    lost > 0
  record.indicator = statusLed(feeds, broken, troubled)
  record.inv_status = broken ? 'Failed' : 'Installed'
  record.power_feeds = feeds
  record.powered = feeds !== 0
  updateAge(state, record, row)
}

function updateAge({ topology, facility, now }: RecordedWorld, record: SwitchRecord, row: number): void {
  const { switches, switchSkus } = topology
  const sku = switchSkus[switches.sku[row]]
  const age = Math.floor(ageHours(switches, row, now))
  const condition = conditionPct(switches, row, now, sku.mtbfHours)
  record.age_hours = age
  record.power_on_hours = hoursWithPower(age, facility.switchDarkMinutes[row])
  record.condition_pct = Math.round(condition)
  record.mtbf_hours = Math.round(mtbfAt(condition, sku.mtbfHours))
  record.resale_dollars = round(resaleDollars(sku.priceDollars, age, condition), 2)
}

/** Whether a port drops more than its wire loses. */
function anyPortFull(state: RecordedWorld, first: number, end: number): boolean {
  const { portDroppedGbps, portTxGbps } = state.network
  for (let port = first; port < end; port++) {
    const peer = state.topology.ports.peer[port]
    const survives = peer === -1 ? 1 : survivingShare(state, port, peer)
    if (portDroppedGbps[port] * survives - portTxGbps[port] * (1 - survives) > noticeableGbps) return true
  }
  return false
}
