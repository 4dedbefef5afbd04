import {
  type HistoryEntity,
  historyHostsMax,
  historyMetrics,
  type HistoryMetricName,
  type HistorySubject,
  historySubjects,
  historySwitchesMax,
  type WorldHistory,
} from '../contract/history.ts'
import type { Account } from './customers/account.ts'
import type { Business } from './customers/business.ts'
import { contendedFrom } from './customers/contention.ts'
import { availabilityOf } from './customers/sla.ts'
import { type DeviceTable, idOf } from './plant/tables.ts'
import { health } from './records/plant-zone-health.ts'
import type { WorldState } from './state.ts'

/** How each metric of each subject reads from the state, by row. A metric without a reading does not compile. */
type Readings = {
  readonly [S in HistorySubject]: { readonly [M in HistoryMetricName<S>]: (row: number) => number }
}

/** The world's present values, for whoever keeps its history. */
export function createHistory(state: WorldState, business: Business): WorldHistory {
  const { plant } = state
  const sums = createSums(state, business)
  const readings = readingsOf(state, business, sums)
  const inOrder = historySubjects.map((subject) => ({
    subject,
    read: Object.keys(historyMetrics[subject]).map(
      (metric) => (readings[subject] as Record<string, (row: number) => number>)[metric],
    ),
  }))
  const rows: Readonly<Record<HistorySubject, () => number>> = {
    fleet: () => 1,
    azs: () => plant.zones.length,
    'host-pools': () => plant.pools.length,
    gateways: () => plant.gateways.count,
    customers: () => business.accounts.length,
    switches: () => Math.min(plant.switches.count, historySwitchesMax),
    hosts: () => Math.min(plant.hosts.count, historyHostsMax),
  }
  let accounts: readonly Account[] | null = null
  let entities: HistoryEntity[] = []
  let version = 0
  const refresh = (): void => {
    if (accounts === business.accounts) return
    accounts = business.accounts
    version++
    entities = historySubjects.flatMap((subject) =>
      Array.from({ length: rows[subject]() }, (_, row) => ({ subject, id: idOfRow(subject, row) })),
    )
  }
  const idOfRow = (subject: HistorySubject, row: number): number | null =>
    subject === 'fleet' ? null : subject === 'customers' ? business.accounts[row].id : idOf(row)
  return {
    get version() {
      refresh()
      return version
    },
    get entities() {
      refresh()
      return entities
    },
    sample(into) {
      sums.refresh()
      let at = 0
      for (const { subject, read } of inOrder) {
        const count = rows[subject]()
        for (let row = 0; row < count; row++) {
          for (let metric = 0; metric < read.length; metric++) into[at++] = read[metric](row)
        }
      }
    },
  }
}

interface Sums {
  readonly zoneHosts: Float64Array
  readonly zoneUnits: Float64Array
  readonly zoneDrawKw: Float64Array
  readonly zoneIncidents: Float64Array
  readonly poolUsedMilli: Float64Array
  readonly poolIops: Float64Array
  readonly poolContended: Float64Array
  usedMilli: number
  freeMemMb: number
  stranded: number
  refresh(): void
}

/** Sums over hosts, feeds and incidents that several metrics share, taken once a sample. */
function createSums(state: WorldState, { capacity }: Business): Sums {
  const { plant, load, network, physical } = state
  const zones = () => new Float64Array(plant.zones.length)
  const pools = () => new Float64Array(plant.pools.length)
  const sums: Sums = {
    zoneHosts: zones(),
    zoneUnits: zones(),
    zoneDrawKw: zones(),
    zoneIncidents: zones(),
    poolUsedMilli: pools(),
    poolIops: pools(),
    poolContended: pools(),
    usedMilli: 0,
    freeMemMb: 0,
    stranded: 0,
    refresh() {
      for (const column of [sums.zoneHosts, sums.zoneUnits, sums.zoneDrawKw, sums.zoneIncidents])
        column.fill(0)
      for (const column of [sums.poolUsedMilli, sums.poolIops, sums.poolContended]) column.fill(0)
      sums.usedMilli = 0
      sums.freeMemMb = 0
      sums.stranded = 0
      for (let host = 0; host < plant.hosts.count; host++) {
        const zone = plant.hosts.zone[host]
        const pool = plant.hosts.pool[host]
        sums.zoneHosts[zone] += network.hostReachable[host]
        sums.zoneUnits[zone] += load.unitCount[host]
        sums.stranded += load.strandedUnits[host]
        sums.usedMilli += load.cpuUsedMilli[host]
        sums.freeMemMb += capacity.memMb[host] - load.allocatedMemMb[host]
        sums.poolUsedMilli[pool] += load.cpuUsedMilli[host]
        sums.poolIops[pool] += Math.min(capacity.iops[host], load.iopsUsed[host])
        if (load.contention[host] >= contendedFrom) sums.poolContended[pool]++
      }
      for (let feed = 0; feed < plant.feeds.count; feed++) {
        sums.zoneDrawKw[plant.feeds.zone[feed]] += physical.feedLoadKw[feed]
      }
      for (const incident of state.incidents.values()) {
        for (const zone of incident.zones) sums.zoneIncidents[zone]++
      }
    },
  }
  return sums
}

const total = (column: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < column.length; i++) sum += column[i]
  return sum
}

const readingsOf = (state: WorldState, business: Business, sums: Sums): Readings => ({
  fleet: fleetReadings(state, business, sums),
  ...placeReadings(state, business, sums),
  ...deviceReadings(state, business),
  customers: customerReadings(business),
})

function fleetReadings(
  { network, physical, incidents }: WorldState,
  business: Business,
  sums: Sums,
): Readings['fleet'] {
  const physicalMilli = total(business.capacity.physicalMilli)
  const memMb = total(business.capacity.memMb)
  const overAccounts = (of: (account: Account) => number): number => {
    let sum = 0
    for (const account of business.accounts) sum += of(account)
    return sum
  }
  return {
    wan_ingress_gbps: () => total(network.zoneWanInGbps),
    wan_egress_gbps: () => total(network.zoneWanOutGbps),
    dropped_gbps: () => total(network.zoneDroppedGbps),
    rps: () => overAccounts((at) => at.requestsPerSecond),
    revenue_last_hour_dollars: () => overAccounts((at) => at.revenueLastHourMicro) / 1e6,
    power_draw_kw: () => total(physical.feedLoadKw),
    cpu_used_pct: () => (100 * sums.usedMilli) / physicalMilli,
    mem_allocated_pct: () => (100 * (memMb - sums.freeMemMb)) / memMb,
    hosts_online: () => total(sums.zoneHosts),
    unit_count: () => total(sums.zoneUnits),
    stranded_unit_count: () => sums.stranded,
    customer_count: () => business.accounts.length,
    incidents_active: () => incidents.size,
    satisfaction: () => overAccounts((at) => at.satisfaction) / Math.max(1, business.accounts.length),
  }
}

function placeReadings(
  state: WorldState,
  { capacity }: Business,
  sums: Sums,
): Pick<Readings, 'azs' | 'host-pools'> {
  const { plant, network, physical } = state
  const tallies = capacity.pools
  return {
    azs: {
      health: (zone) => health(state, zone),
      power_draw_kw: (zone) => sums.zoneDrawKw[zone],
      cooling_load_kw: (zone) => physical.zoneHeatKw[zone],
      inlet_celsius: (zone) => meanOver(physical.rackInletCelsius, plant.zones[zone].racks),
      hosts_online: (zone) => sums.zoneHosts[zone],
      unit_count: (zone) => sums.zoneUnits[zone],
      wan_ingress_gbps: (zone) => network.zoneWanInGbps[zone],
      wan_egress_gbps: (zone) => network.zoneWanOutGbps[zone],
      east_west_gbps: (zone) => network.zoneEastWestGbps[zone],
      dropped_gbps: (zone) => network.zoneDroppedGbps[zone],
      active_incident_count: (zone) => sums.zoneIncidents[zone],
    },
    'host-pools': {
      cpu_used_pct: (pool) => (100 * sums.poolUsedMilli[pool]) / tallies[pool].physicalMilli,
      mem_allocated_pct: (pool) => (100 * tallies[pool].memMb) / tallies[pool].memAll,
      ssd_allocated_pct: (pool) => (100 * tallies[pool].ssdGb) / tallies[pool].ssdAll,
      iops_actual: (pool) => sums.poolIops[pool],
      contended_host_count: (pool) => sums.poolContended[pool],
      unit_count: (pool) => tallies[pool].units,
    },
  }
}

function deviceReadings(
  { plant, network, load }: WorldState,
  { capacity }: Business,
): Pick<Readings, 'gateways' | 'switches' | 'hosts'> {
  const { gateways, switches, hosts } = plant
  const sent = (table: DeviceTable, row: number, ports = table.portCount[row]): number =>
    sumPorts(network.portTxGbps, table, row, ports)
  const received = (table: DeviceTable, row: number, ports = table.portCount[row]): number =>
    sumPorts(network.portRxGbps, table, row, ports)
  return {
    gateways: {
      wan_ingress_gbps: (row) => received(gateways, row, gateways.wanPorts[row]),
      wan_egress_gbps: (row) => sent(gateways, row, gateways.wanPorts[row]),
      fabric_load_gbps: (row) => network.gatewayFabricGbps[row],
      addon_throttle: (row) => network.gatewayThrottle[row],
    },
    switches: {
      egress_gbps: (row) => sent(switches, row),
      ingress_gbps: (row) => received(switches, row),
      fabric_load_gbps: (row) => network.switchFabricGbps[row],
    },
    hosts: {
      cpu_used_pct: (row) => (100 * load.cpuUsedMilli[row]) / capacity.physicalMilli[row],
      mem_requested_pct: (row) => (100 * load.allocatedMemMb[row]) / capacity.memMb[row],
      iops_actual: (row) => Math.min(capacity.iops[row], load.iopsUsed[row]),
      egress_gbps: (row) => sent(hosts, row),
      ingress_gbps: (row) => received(hosts, row),
    },
  }
}

function customerReadings(business: Business): Readings['customers'] {
  const account = (row: number): Account => business.accounts[row]
  return {
    rps: (row) => account(row).requestsPerSecond,
    egress_gbps: (row) => account(row).servedOutGbps,
    p99_recent_ms: (row) => account(row).p99Ms,
    p50_latency_ms: (row) => account(row).p50Ms,
    availability_pct: (row) => 100 * availabilityOf(account(row).period),
    cpu_load_pct: (row) => 100 * account(row).cpuLoad,
    satisfaction: (row) => account(row).satisfaction,
    revenue_last_hour_dollars: (row) => account(row).revenueLastHourMicro / 1e6,
  }
}

function sumPorts(column: Float64Array, table: DeviceTable, row: number, ports: number): number {
  const first = table.firstPort[row]
  let sum = 0
  for (let port = first; port < first + ports; port++) sum += column[port]
  return sum
}

function meanOver(column: Float64Array, rows: readonly number[]): number {
  let sum = 0
  for (const row of rows) sum += column[row]
  return sum / rows.length
}
