import {
  type HistoryEntity,
  historyHostsMax,
  historyMetrics,
  type HistoryMetricName,
  type HistorySubject,
  historySubjects,
  historySwitchesMax,
  type WorldHistory,
} from '../../contract/history.ts'
import type { Account } from '../simulation/tenants/account.ts'
import type { TenantsState } from '../simulation/tenants/state.ts'
import { contendedFrom } from '../simulation/tenants/quality/contention.ts'
import { availabilityOf } from '../simulation/tenants/quality/sla.ts'
import { type DeviceTable, idOf } from '../simulation/topology/tables.ts'
import { health } from './zones/zone-health.ts'
import type { ReadonlyColumn } from '../simulation/part.ts'
import type { RecordedWorld } from './world.ts'

/** Writes the metrics of all entities of a subject, entity after entity, starting at an index. */
type Writer = (into: Float64Array, at: number) => void

/** Position of each metric of a subject among the values of an entity. */
function columnsOf<S extends HistorySubject>(subject: S): Readonly<Record<HistoryMetricName<S>, number>> {
  const names = Object.keys(historyMetrics[subject])
  return Object.fromEntries(names.map((name, column) => [name, column])) as Record<
    HistoryMetricName<S>,
    number
  >
}

/** The present values of the world, from which its history is sampled. */
export function createHistory(state: RecordedWorld, context: TenantsState): WorldHistory {
  const { topology } = state
  const sums = createSums(state, context)
  const rows: Readonly<Record<HistorySubject, () => number>> = {
    fleet: () => 1,
    azs: () => topology.zones.length,
    'host-pools': () => topology.pools.length,
    gateways: () => topology.gateways.count,
    customers: () => context.accounts.length,
    switches: () => Math.min(topology.switches.count, historySwitchesMax),
    hosts: () => Math.min(topology.hosts.rows.length, historyHostsMax),
  }
  const writers: Readonly<Record<HistorySubject, Writer>> = {
    fleet: writeFleet(state, context, sums),
    azs: writeZones(state, sums),
    'host-pools': writePools(context, sums),
    gateways: writeGateways(state),
    customers: writeCustomers(context),
    switches: writeSwitches(state, rows.switches),
    hosts: writeHosts(state, context, rows.hosts),
  }
  const widths = Object.fromEntries(
    historySubjects.map((subject) => [subject, Object.keys(historyMetrics[subject]).length]),
  ) as Record<HistorySubject, number>
  let accounts: readonly Account[] | null = null
  let topologyVersion = topology.version
  let entities: HistoryEntity[] = []
  let version = 0
  const refresh = (): void => {
    if (accounts === context.accounts && topologyVersion === topology.version) return
    accounts = context.accounts
    topologyVersion = topology.version
    version++
    entities = historySubjects.flatMap((subject) =>
      Array.from({ length: rows[subject]() }, (_, row) => ({ subject, id: idOfRow(subject, row) })),
    )
  }
  const idOfRow = (subject: HistorySubject, row: number): number | null =>
    subject === 'fleet'
      ? null
      : subject === 'customers'
        ? context.accounts[row].id
        : subject === 'hosts'
          ? idOf(topology.hosts.rows[row])
          : idOf(row)
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
      for (const subject of historySubjects) {
        writers[subject](into, at)
        at += rows[subject]() * widths[subject]
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
  const zones = () => new Float64Array(topology.zones.length)
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
      for (const column of [sums.zoneHosts, sums.zoneUnits, sums.zoneDrawKw, sums.zoneIncidents])
        column.fill(0)
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
        if (load.contention[host] >= contendedFrom) sums.poolContended[pool]++
      }
      for (let feed = 0; feed < topology.feeds.count; feed++) {
        sums.zoneDrawKw[topology.feeds.zone[feed]] += facility.feedLoadKw[feed]
      }
      for (const incident of state.incidents.values()) {
        for (const zone of incident.zones) sums.zoneIncidents[zone]++
      }
    },
  }
  return sums
}

const total = (column: ReadonlyColumn): number => {
  let sum = 0
  for (let i = 0; i < column.length; i++) sum += column[i]
  return sum
}

function writeFleet(
  { network, facility, incidents }: RecordedWorld,
  context: TenantsState,
  sums: Sums,
): Writer {
  const column = columnsOf('fleet')
  const { pools } = context.capacity
  return (into, at) => {
    const physicalMilli = pools.reduce((sum, pool) => sum + pool.physicalMilli, 0)
    const memMb = pools.reduce((sum, pool) => sum + pool.memMbTotal, 0)
    const { accounts } = context
    let requests = 0
    let revenueMicro = 0
    let satisfaction = 0
    for (let row = 0; row < accounts.length; row++) {
      requests += accounts[row].requestsPerSecond
      revenueMicro += accounts[row].revenueLastHourMicro
      satisfaction += accounts[row].satisfaction
    }
    into[at + column.wan_ingress_gbps] = total(network.zoneWanInGbps)
    into[at + column.wan_egress_gbps] = total(network.zoneWanOutGbps)
    into[at + column.dropped_gbps] = total(network.zoneDroppedGbps)
    into[at + column.rps] = requests
    into[at + column.revenue_last_hour_dollars] = revenueMicro / 1e6
    into[at + column.power_draw_kw] = total(facility.feedLoadKw)
    into[at + column.cpu_used_pct] = (100 * sums.usedMilli) / physicalMilli
    into[at + column.mem_allocated_pct] = (100 * (memMb - sums.freeMemMb)) / memMb
    into[at + column.hosts_online] = total(sums.zoneHosts)
    into[at + column.unit_count] = total(sums.zoneUnits)
    into[at + column.stranded_unit_count] = sums.stranded
    into[at + column.customer_count] = accounts.length
    into[at + column.incidents_active] = incidents.size
    into[at + column.satisfaction] = satisfaction / Math.max(1, accounts.length)
  }
}

function writeZones(state: RecordedWorld, sums: Sums): Writer {
  const { topology, network, facility } = state
  const column = columnsOf('azs')
  const width = Object.keys(column).length
  return (into, first) => {
    for (let zone = 0; zone < topology.zones.length; zone++) {
      const at = first + zone * width
      into[at + column.health] = health(state, zone)
      into[at + column.power_draw_kw] = sums.zoneDrawKw[zone]
      into[at + column.cooling_load_kw] = facility.zoneHeatKw[zone]
      into[at + column.inlet_celsius] = meanOver(facility.rackInletCelsius, topology.zones[zone].racks)
      into[at + column.hosts_online] = sums.zoneHosts[zone]
      into[at + column.unit_count] = sums.zoneUnits[zone]
      into[at + column.wan_ingress_gbps] = network.zoneWanInGbps[zone]
      into[at + column.wan_egress_gbps] = network.zoneWanOutGbps[zone]
      into[at + column.east_west_gbps] = network.zoneEastWestGbps[zone]
      into[at + column.dropped_gbps] = network.zoneDroppedGbps[zone]
      into[at + column.active_incident_count] = sums.zoneIncidents[zone]
    }
  }
}

function writePools({ capacity }: TenantsState, sums: Sums): Writer {
  const column = columnsOf('host-pools')
  const width = Object.keys(column).length
  return (into, first) => {
    for (let pool = 0; pool < capacity.pools.length; pool++) {
      const tally = capacity.pools[pool]
      const at = first + pool * width
      into[at + column.cpu_used_pct] = (100 * sums.poolUsedMilli[pool]) / tally.physicalMilli
      into[at + column.mem_allocated_pct] = (100 * tally.memMb) / tally.memMbTotal
      into[at + column.ssd_allocated_pct] = (100 * tally.ssdGb) / tally.ssdGbTotal
      into[at + column.iops_actual] = sums.poolIops[pool]
      into[at + column.contended_host_count] = sums.poolContended[pool]
      into[at + column.unit_count] = tally.units
    }
  }
}

function writeGateways({ topology: { gateways }, network }: RecordedWorld): Writer {
  const column = columnsOf('gateways')
  const width = Object.keys(column).length
  return (into, first) => {
    for (let row = 0; row < gateways.count; row++) {
      const at = first + row * width
      const wan = gateways.wanPorts[row]
      into[at + column.wan_ingress_gbps] = sumPorts(network.portRxGbps, gateways, row, wan)
      into[at + column.wan_egress_gbps] = sumPorts(network.portTxGbps, gateways, row, wan)
      into[at + column.fabric_load_gbps] = network.gatewayFabricGbps[row]
      into[at + column.addon_throttle] = network.gatewayThrottle[row]
    }
  }
}

function writeSwitches({ topology: { switches }, network }: RecordedWorld, count: () => number): Writer {
  const column = columnsOf('switches')
  const width = Object.keys(column).length
  return (into, first) => {
    const rows = count()
    for (let row = 0; row < rows; row++) {
      const at = first + row * width
      const ports = switches.portCount[row]
      into[at + column.egress_gbps] = sumPorts(network.portTxGbps, switches, row, ports)
      into[at + column.ingress_gbps] = sumPorts(network.portRxGbps, switches, row, ports)
      into[at + column.fabric_load_gbps] = network.switchFabricGbps[row]
    }
  }
}

function writeHosts(
  { topology: { hosts }, network, load }: RecordedWorld,
  { capacity }: TenantsState,
  count: () => number,
): Writer {
  const column = columnsOf('hosts')
  const width = Object.keys(column).length
  return (into, first) => {
    const shown = count()
    for (let nth = 0; nth < shown; nth++) {
      const row = hosts.rows[nth]
      const at = first + nth * width
      const ports = hosts.portCount[row]
      into[at + column.cpu_used_pct] = (100 * load.cpuUsedMilli[row]) / capacity.physicalMilli[row]
      into[at + column.mem_requested_pct] = (100 * load.allocatedMemMb[row]) / capacity.memMb[row]
      into[at + column.iops_actual] = Math.min(capacity.iops[row], load.iopsUsed[row])
      into[at + column.egress_gbps] = sumPorts(network.portTxGbps, hosts, row, ports)
      into[at + column.ingress_gbps] = sumPorts(network.portRxGbps, hosts, row, ports)
    }
  }
}

function writeCustomers(context: TenantsState): Writer {
  const column = columnsOf('customers')
  const width = Object.keys(column).length
  return (into, first) => {
    const { accounts } = context
    for (let row = 0; row < accounts.length; row++) {
      const account = accounts[row]
      const at = first + row * width
      into[at + column.rps] = account.requestsPerSecond
      into[at + column.egress_gbps] = account.servedOutGbps
      into[at + column.p99_recent_ms] = account.p99Ms
      into[at + column.p50_latency_ms] = account.p50Ms
      into[at + column.availability_pct] = 100 * availabilityOf(account.period)
      into[at + column.cpu_load_pct] = 100 * account.cpuLoad
      into[at + column.satisfaction] = account.satisfaction
      into[at + column.revenue_last_hour_dollars] = account.revenueLastHourMicro / 1e6
    }
  }
}

function sumPorts(column: ReadonlyColumn, table: DeviceTable, row: number, ports: number): number {
  const first = table.firstPort[row]
  let sum = 0
  for (let port = first; port < first + ports; port++) sum += column[port]
  return sum
}

function meanOver(column: ReadonlyColumn, rows: readonly number[]): number {
  let sum = 0
  for (const row of rows) sum += column[row]
  return sum / rows.length
}
