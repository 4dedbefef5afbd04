import type {
  HistoryEntity,
  HistoryMetricName,
  HistorySubject,
  WorldHistory,
} from '../../contract/history.ts'
import {
  historyHostsMax,
  historyMetrics,
  historySubjects,
  historySwitchesMax,
} from '../../contract/history.ts'
import type { Account, PoolUsage, TenantsState } from '../simulation/tenants/view.ts'
import { availabilityOf, contendedMin, countRequests } from '../simulation/tenants/view.ts'
import { idOf } from '../simulation/topology/tables.ts'
import { countIncidents } from './zones/incident-zones.ts'
import { health } from './zones/zone-health.ts'
import type { ReadonlyColumn } from '../simulation/part.ts'
import type { RecordedWorld } from './world.ts'

/** The current value of each metric of a subject, by row. */
type MetricValues<S extends HistorySubject> = Readonly<Record<HistoryMetricName<S>, (row: number) => number>>

interface Sampled<S extends HistorySubject> {
  readonly rows: () => number
  readonly idOf: (row: number) => number | null
  readonly metrics: MetricValues<S>
}

/** The current values of the world, sampled into its history. */
export function createHistory(state: RecordedWorld, context: TenantsState): WorldHistory {
  const { topology } = state
  const sums = createSums(state, context)
  const subjects: { readonly [S in HistorySubject]: Sampled<S> } = {
    fleet: { rows: () => 1, idOf: () => null, metrics: fleetMetrics(state, context, sums) },
    azs: { rows: () => topology.zones.length, idOf, metrics: zoneMetrics(state, sums) },
    'host-pools': { rows: () => topology.pools.length, idOf, metrics: poolMetrics(context, sums) },
    gateways: { rows: () => topology.gateways.count, idOf, metrics: gatewayMetrics(state) },
    customers: {
      rows: () => context.accounts.length,
      idOf: (row) => context.accounts[row].id,
      metrics: customerMetrics(state, context),
    },
    switches: {
      rows: () => Math.min(topology.switches.count, historySwitchesMax),
      idOf,
      metrics: switchMetrics(state),
    },
    hosts: {
      rows: () => Math.min(topology.hosts.rows.length, historyHostsMax),
      idOf: (row) => idOf(topology.hosts.rows[row]),
      metrics: hostMetrics(state, context),
    },
  }
  const sampled = historySubjects.map((subject) => {
    const { rows, idOf: idOfRow, metrics } = subjects[subject]
    const values = Object.keys(historyMetrics[subject]).map(
      (name) => (metrics as Readonly<Record<string, (row: number) => number>>)[name],
    )
    return { subject, rows, idOfRow, values }
  })
  let accounts: readonly Account[] | null = null
  let topologyVersion = topology.version
  let entities: HistoryEntity[] = []
  let version = 0
  const refresh = (): void => {
    if (accounts === context.accounts && topologyVersion === topology.version) return
    accounts = context.accounts
    topologyVersion = topology.version
    version++
    entities = sampled.flatMap(({ subject, rows, idOfRow }) =>
      Array.from({ length: rows() }, (_, row) => ({ subject, id: idOfRow(row) })),
    )
  }
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
      for (const { rows, values } of sampled) {
        const end = rows()
        for (let row = 0; row < end; row++) for (const value of values) into[at++] = value(row)
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

/** Sums over hosts, feeds and incidents that several metrics share, computed once per sample. */
function createSums(state: RecordedWorld, { capacity }: TenantsState): Sums {
  const { topology, load, network, facility } = state
  const zones = () => new Float64Array(topology.zoneCapacity)
  const pools = () => new Float64Array(topology.pools.length)
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
      for (const column of [sums.zoneHosts, sums.zoneUnits, sums.zoneDrawKw]) column.fill(0)
      for (const column of [sums.poolUsedMilli, sums.poolIops, sums.poolContended]) column.fill(0)
      sums.usedMilli = 0
      sums.freeMemMb = 0
      sums.stranded = 0
      for (const host of topology.hosts.rows) {
        const zone = topology.hosts.zone[host]
        const pool = topology.hosts.pool[host]
        sums.zoneHosts[zone] += network.hostReachable[host]
        sums.zoneUnits[zone] += load.unitCount[host]
        sums.stranded += load.strandedUnits[host]
        sums.usedMilli += load.cpuUsedMilli[host]
        sums.freeMemMb += capacity.memMb[host] - load.allocatedMemMb[host]
        sums.poolUsedMilli[pool] += load.cpuUsedMilli[host]
        sums.poolIops[pool] += Math.min(capacity.iops[host], load.iopsUsed[host])
        if (load.contention[host] >= contendedMin) sums.poolContended[pool]++
      }
      for (let feed = 0; feed < topology.feeds.count; feed++) {
        sums.zoneDrawKw[topology.feeds.zone[feed]] += facility.feedLoadKw[feed]
      }
      countIncidents(state, sums.zoneIncidents)
    },
  }
  return sums
}

const total = (column: ReadonlyColumn): number => {
  let sum = 0
  for (let i = 0; i < column.length; i++) sum += column[i]
  return sum
}

function fleetMetrics(
  { network, facility, incidents }: RecordedWorld,
  context: TenantsState,
  sums: Sums,
): MetricValues<'fleet'> {
  const ofPools = (amount: (pool: PoolUsage) => number): number =>
    context.capacity.pools.reduce((sum, pool) => sum + amount(pool), 0)
  const ofAccounts = (amount: (account: Account) => number): number =>
    context.accounts.reduce((sum, account) => sum + amount(account), 0)
  return {
    wan_ingress_gbps: () => total(network.zoneWanInGbps),
    wan_egress_gbps: () => total(network.zoneWanOutGbps),
    dropped_gbps: () => total(network.zoneDroppedGbps),
    rps: () => ofAccounts(({ requestsPerSecond }) => requestsPerSecond),
    revenue_last_hour_dollars: () => ofAccounts(({ revenueLastHourMicro }) => revenueLastHourMicro) / 1e6,
    power_draw_kw: () => total(facility.feedLoadKw),
    cpu_used_pct: () => (100 * sums.usedMilli) / ofPools(({ physicalMilli }) => physicalMilli),
    mem_allocated_pct() {
      const memMb = ofPools(({ memMbTotal }) => memMbTotal)
      return (100 * (memMb - sums.freeMemMb)) / memMb
    },
    hosts_online: () => total(sums.zoneHosts),
    unit_count: () => total(sums.zoneUnits),
    stranded_unit_count: () => sums.stranded,
    customer_count: () => context.accounts.length,
    incidents_active: () => incidents.size,
    satisfaction: () => ofAccounts(({ satisfaction }) => satisfaction) / Math.max(1, context.accounts.length),
  }
}

const zoneMetrics = (state: RecordedWorld, sums: Sums): MetricValues<'azs'> => ({
  health: (zone) => health(state, zone),
  power_draw_kw: (zone) => sums.zoneDrawKw[zone],
  cooling_load_kw: (zone) => state.facility.zoneHeatKw[zone],
  inlet_celsius: (zone) => meanOver(state.facility.rackInletCelsius, state.topology.zones[zone].racks),
  hosts_online: (zone) => sums.zoneHosts[zone],
  unit_count: (zone) => sums.zoneUnits[zone],
  wan_ingress_gbps: (zone) => state.network.zoneWanInGbps[zone],
  wan_egress_gbps: (zone) => state.network.zoneWanOutGbps[zone],
  east_west_gbps: (zone) => state.network.zoneEastWestGbps[zone],
  dropped_gbps: (zone) => state.network.zoneDroppedGbps[zone],
  active_incident_count: (zone) => sums.zoneIncidents[zone],
})

const poolMetrics = ({ capacity: { pools } }: TenantsState, sums: Sums): MetricValues<'host-pools'> => ({
  cpu_used_pct: (pool) => (100 * sums.poolUsedMilli[pool]) / pools[pool].physicalMilli,
  mem_allocated_pct: (pool) => (100 * pools[pool].memMb) / pools[pool].memMbTotal,
  ssd_allocated_pct: (pool) => (100 * pools[pool].ssdGb) / pools[pool].ssdGbTotal,
  iops_actual: (pool) => sums.poolIops[pool],
  contended_host_count: (pool) => sums.poolContended[pool],
  unit_count: (pool) => pools[pool].units,
})

const gatewayMetrics = ({ topology: { gateways }, network }: RecordedWorld): MetricValues<'gateways'> => ({
  wan_ingress_gbps: (row) => sumPorts(network.portRxGbps, gateways.firstPort[row], gateways.wanPorts[row]),
  wan_egress_gbps: (row) => sumPorts(network.portTxGbps, gateways.firstPort[row], gateways.wanPorts[row]),
  fabric_load_gbps: (row) => network.gatewayFabricGbps[row],
  addon_throttle: (row) => network.gatewayThrottle[row],
})

const switchMetrics = ({ topology: { switches }, network }: RecordedWorld): MetricValues<'switches'> => ({
  egress_gbps: (row) => sumPorts(network.portTxGbps, switches.firstPort[row], switches.portCount[row]),
  ingress_gbps: (row) => sumPorts(network.portRxGbps, switches.firstPort[row], switches.portCount[row]),
  fabric_load_gbps: (row) => network.switchFabricGbps[row],
})

function hostMetrics(
  { topology: { hosts }, network, load }: RecordedWorld,
  { capacity }: TenantsState,
): MetricValues<'hosts'> {
  const byRow = (value: (host: number) => number) => (nth: number) => value(hosts.rows[nth])
  return {
    cpu_used_pct: byRow((host) => (100 * load.cpuUsedMilli[host]) / capacity.physicalMilli[host]),
    mem_requested_pct: byRow((host) => (100 * load.allocatedMemMb[host]) / capacity.memMb[host]),
    iops_actual: byRow((host) => Math.min(capacity.iops[host], load.iopsUsed[host])),
    egress_gbps: byRow((host) => sumPorts(network.portTxGbps, hosts.firstPort[host], hosts.portCount[host])),
    ingress_gbps: byRow((host) => sumPorts(network.portRxGbps, hosts.firstPort[host], hosts.portCount[host])),
  }
}

function customerMetrics(state: RecordedWorld, context: TenantsState): MetricValues<'customers'> {
  const byRow = (value: (account: Account) => number) => (row: number) => value(context.accounts[row])
  return {
    rps: byRow(({ requestsPerSecond }) => requestsPerSecond),
    egress_gbps: byRow(({ servedOutGbps }) => servedOutGbps),
    p99_recent_ms: byRow(({ p99Ms }) => p99Ms),
    p50_latency_ms: byRow(({ p50Ms }) => p50Ms),
    availability_pct: byRow((account) => {
      countRequests(account, state.tick)
      return 100 * availabilityOf(account.period)
    }),
    cpu_load_pct: byRow(({ cpuLoad }) => 100 * cpuLoad),
    satisfaction: byRow(({ satisfaction }) => satisfaction),
    revenue_last_hour_dollars: byRow(({ revenueLastHourMicro }) => revenueLastHourMicro / 1e6),
  }
}

function sumPorts(column: ReadonlyColumn, first: number, ports: number): number {
  let sum = 0
  for (let port = first; port < first + ports; port++) sum += column[port]
  return sum
}

function meanOver(column: ReadonlyColumn, rows: readonly number[]): number {
  let sum = 0
  for (const row of rows) sum += column[row]
  return sum / rows.length
}
