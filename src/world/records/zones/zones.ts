import type { ZoneRecord } from '../../../contract/collections.ts'
import {
  CoolingUnitSchema,
  PowerFeedSchema,
  RackSchema,
  ZoneSchema,
} from '../../../contract/records/facility.ts'
import { powerFeedNames } from '../../../contract/vocabularies.ts'
import { showsStopped, shownCoolingKw } from '../../simulation/facility/view.ts'
import type { HostCosts } from '../../simulation/tenants/view.ts'
import { addonMonthDollars, createHostCosts, updateHostCosts } from '../../simulation/tenants/view.ts'
import { coolingConditionPct } from '../../simulation/faults/view.ts'
import { round } from '../../simulation/numeric.ts'
import type { Topology } from '../../simulation/topology/tables.ts'
import { idOf } from '../../simulation/topology/tables.ts'
import { zonesOf } from '../../simulation/topology/view.ts'
import type { RecordList } from '../record-list.ts'
import { createRecordList, recordFactory } from '../record-list.ts'
import type { RecordedWorld } from '../world.ts'
import { monthlyCostCents, usedMilliCpu } from '../equipment/host-amounts.ts'
import { countIncidents } from './incident-zones.ts'
import { coolingState, health, status } from './zone-health.ts'

/** Costs are those of the last booking, or current costs without accounting. */
export function createZoneRecords(state: RecordedWorld, booked: HostCosts | null): RecordList<ZoneRecord> {
  const { topology } = state
  const [customers, incidents] = [0, 1].map(() => new Float64Array(topology.zones.length))
  const costs = booked ?? createHostCosts(topology)
  const { records, update } = createRecordList(
    topology.zones.keys(),
    (zone) => createZone(topology, zone),
    (record, zone) => {
      updateRacks(state, record, zone)
      updatePower(state, record, zone)
      updateCooling(state, record, zone)
      updateHosts(state, record, zone)
      updateTraffic(state, record, zone)
      record.customer_count = customers[zone]
      record.active_incident_count = incidents[zone]
      updateStanding(state, record, zone, costs)
    },
  )
  return {
    records,
    update() {
      countCustomers(state, customers)
      countIncidents(state, incidents)
      if (booked === null) updateHostCosts(costs, state)
      update()
    },
  }
}

/** Counts the customers with units in each zone. */
function countCustomers(state: RecordedWorld, byZone: Float64Array): void {
  byZone.fill(0)
  for (const { id } of state.tenants.active)
    for (const zone of zonesOf(state, { kind: 'Customer', id })) byZone[zone]++
}

const newZone = recordFactory(ZoneSchema)
const newRack = recordFactory(RackSchema)
const newFeed = recordFactory(PowerFeedSchema)
const newCoolingUnit = recordFactory(CoolingUnitSchema)

function createZone(topology: Topology, row: number): ZoneRecord {
  const zone = topology.zones[row]
  return newZone({
    id: idOf(row),
    name: zone.name,
    display_name: zone.displayName,
    region_id: idOf(zone.region),
    region_name: topology.regions[zone.region].name,
    rack_count: zone.racks.length,
    racks: zone.racks.map((rack) => createRack(topology, rack)),
    power_feeds: zone.feeds.map((feed) => createFeed(topology, feed)),
    cooling_units: zone.coolingUnits.map((unit) =>
      newCoolingUnit({
        id: idOf(unit),
        name: topology.coolingUnits.name[unit],
        capacity_kw: round(topology.coolingUnits.capacityKw[unit], 2),
      }),
    ),
    host_count: zone.hosts.length,
    switch_count: zone.edges.length + zone.aggregations.length + zone.cores.length,
    gateway_count: zone.gateways.length,
    appliance_count: zone.appliances.length,
    patch_panel_count: zone.panels.length,
    ...capacityOf(topology, zone.hosts),
  })
}

function capacityOf({ hosts, hostSkus }: Topology, rows: readonly number[]) {
  const sum = (of: (sku: (typeof hostSkus)[number]) => number): number =>
    rows.reduce((total, host) => total + of(hostSkus[hosts.sku[host]]), 0)
  return {
    physical_vcpu: sum((sku) => sku.vcpu),
    physical_mem_mb: sum((sku) => sku.memMb),
    physical_ssd_gb: sum((sku) => sku.ssdGb),
    vgpu_slices_total: sum((sku) => sku.vgpuSlices),
  }
}

const createRack = ({ racks }: Topology, rack: number): ZoneRecord['racks'][number] =>
  newRack({
    id: idOf(rack),
    name: racks.name[rack],
    u_size: racks.uSize[rack],
    used_u: racks.usedU[rack],
    host_count: racks.hosts[rack].length,
    power_capacity_kw: round(racks.capacityKw[rack], 2),
  })

const createFeed = ({ feeds }: Topology, feed: number): ZoneRecord['power_feeds'][number] =>
  newFeed({
    id: idOf(feed),
    feed: powerFeedNames[feeds.side[feed]],
    capacity_kw: round(feeds.capacityKw[feed], 2),
  })

function updateRacks({ topology, facility, network }: RecordedWorld, record: ZoneRecord, zone: number): void {
  const [a, b] = topology.zones[zone].feeds
  const live = facility.feedLive[a] + facility.feedLive[b]
  let warmth = 0
  topology.zones[zone].racks.forEach((rack, index) => {
    const entry = record.racks[index]
    let online = 0
    for (const host of topology.racks.hosts[rack]) online += network.hostReachable[host]
    entry.hosts_online = online
    entry.power_feeds = facility.rackTripped[rack] === 0 ? live : 0
    entry.power_draw_kw = round(facility.rackWatts[rack] / 1000, 2)
    entry.inlet_celsius = round(facility.rackInletCelsius[rack], 1)
    warmth += facility.rackInletCelsius[rack]
  })
  record.inlet_celsius = round(warmth / record.racks.length, 1)
}

function updatePower({ topology, facility }: RecordedWorld, record: ZoneRecord, zone: number): void {
  let capacity = 0
  let weakest = Number.POSITIVE_INFINITY
  let draw = 0
  let live = 0
  topology.zones[zone].feeds.forEach((feed, index) => {
    const entry = record.power_feeds[index]
    const powered = facility.feedLive[feed] !== 0
    const carries = topology.feeds.capacityKw[feed]
    const load = facility.feedLoadKw[feed]
    entry.powered = powered
    entry.load_kw = round(load, 2)
    entry.load_pct = round(Math.min(100, (100 * load) / carries), 2)
    capacity += carries
    weakest = Math.min(weakest, carries)
    draw += load
    if (powered) live++
  })
  let watts = 0
  for (const rack of topology.zones[zone].racks) watts += facility.rackWatts[rack]
  record.power_capacity_kw = round(capacity, 2)
  record.power_draw_kw = round(draw, 2)
  record.power_redundant = live === record.power_feeds.length && draw <= weakest
  record.pue = watts > 0 ? round(Math.max(1, (draw * 1000) / watts), 3) : null
}

function updateCooling(state: RecordedWorld, record: ZoneRecord, zone: number): void {
  const { topology, facility } = state
  const capacity = shownCoolingKw(state, zone)
  const carried = Math.min(capacity, facility.zoneHeatKw[zone])
  const running = topology.zones[zone].coolingUnits.filter((unit) => !showsStopped(state, unit))
  const rated = running.reduce((sum, unit) => sum + topology.coolingUnits.capacityKw[unit], 0)
  topology.zones[zone].coolingUnits.forEach((unit, index) => {
    const entry = record.cooling_units[index]
    const isStopped = showsStopped(state, unit)
    const working = !isStopped && capacity > 0
    entry.working = working
    entry.load_kw = working ? round((carried * topology.coolingUnits.capacityKw[unit]) / rated, 2) : 0
    entry.condition_pct = isStopped ? 0 : Math.round(coolingConditionPct(state, unit))
  })
  record.cooling_capacity_kw = round(capacity, 2)
  record.cooling_load_kw = round(facility.zoneHeatKw[zone], 2)
  record.cooling_state = coolingState(capacity, facility.zoneHeatKw[zone], record.inlet_celsius)
}

function updateHosts(state: RecordedWorld, record: ZoneRecord, zone: number): void {
  const { topology, load, network } = state
  const { hosts, hostSkus, pools } = topology
  let online = 0
  let units = 0
  let stranded = 0
  let allocated = 0
  let used = 0
  let free = 0
  let freeMem = 0
  let freeSsd = 0
  let slices = 0
  for (const host of topology.zones[zone].hosts) {
    const sku = hostSkus[hosts.sku[host]]
    const hostAllocated = Math.round(load.allocatedMilli[host])
    online += network.hostReachable[host]
    units += load.unitCount[host]
    stranded += load.strandedUnits[host]
    allocated += hostAllocated
    used += usedMilliCpu(state, host)
    free += Math.max(0, Math.floor(sku.vcpu * 1000 * pools[hosts.pool[host]].overcommitMax) - hostAllocated)
    freeMem += Math.max(0, sku.memMb - Math.round(load.allocatedMemMb[host]))
    freeSsd += Math.max(0, sku.ssdGb - Math.round(load.allocatedSsdGb[host]))
    slices += Math.round(load.allocatedSlices[host])
  }
  record.hosts_online = online
  record.unit_count = units
  record.stranded_unit_count = stranded
  record.allocated_millivcpu = allocated
  record.used_millivcpu = used
  record.free_vcpu_milli = free
  record.free_mem_mb = freeMem
  record.free_ssd_gb = freeSsd
  record.vgpu_slices_used = slices
}

function updateTraffic({ topology, network }: RecordedWorld, record: ZoneRecord, zone: number): void {
  const { gateways, ports } = topology
  let capacity = 0
  for (const gateway of topology.zones[zone].gateways) {
    const first = gateways.firstPort[gateway]
    for (let port = first; port < first + gateways.wanPorts[gateway]; port++) {
      if (network.portUp[port] !== 0) capacity += ports.capacityGbps[port]
    }
  }
  record.wan_ingress_gbps = round(network.zoneWanInGbps[zone], 4)
  record.wan_egress_gbps = round(network.zoneWanOutGbps[zone], 4)
  record.wan_capacity_gbps = capacity
  record.east_west_gbps = round(network.zoneEastWestGbps[zone], 4)
  record.dropped_gbps = round(network.zoneDroppedGbps[zone], 4)
  record.bgp_advertising = topology.zones[zone].gateways.some((row) => network.gatewayAdvertising[row] !== 0)
}

function updateStanding(state: RecordedWorld, record: ZoneRecord, zone: number, costs: HostCosts): void {
  const plan = state.topology.zones[zone]
  let cents = 0
  for (const host of plan.hosts) cents += monthlyCostCents(costs, host)
  for (const gateway of plan.gateways) cents += 100 * addonMonthDollars(state.topology, gateway)
  record.monthly_cost_dollars = cents / 100
  record.health = round(health(state, zone), 4)
  record.status = status(state, record, zone)
}
