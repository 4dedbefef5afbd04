import { createTotalsLedger } from '../../../../src/contract/totals.ts'
import type { ThreatClass } from '../../../../src/contract/vocabularies.ts'
import { EventLog } from '../../../../src/world/simulation/events.ts'
import { createCondition } from '../../../../src/world/simulation/faults/condition.ts'
import { stepFacility } from '../../../../src/world/simulation/facility/facility.ts'
import { createFacilityState } from '../../../../src/world/simulation/facility/state.ts'
import { stepFlows } from '../../../../src/world/simulation/network/traffic/flows.ts'
import { stepLinks } from '../../../../src/world/simulation/network/links/link-state.ts'
import { stepRoutes } from '../../../../src/world/simulation/network/routing/routing.ts'
import { createNetworkState } from '../../../../src/world/simulation/network/state.ts'
import type { MutableWorld } from '../../../../src/world/simulation/step.ts'
import { stepAttacks } from '../../../../src/world/simulation/faults/attack-flows.ts'
import { createThreats } from '../../../../src/world/simulation/network/threats/hostile-traffic.ts'
import { buildTopology } from '../../../../src/world/simulation/topology/construction/site.ts'
import type { ScaleName } from '../../../../src/world/simulation/topology/sizing.ts'
import type { Topology } from '../../../../src/world/simulation/topology/tables.ts'
import { RandomStreams } from '../../../../src/world/simulation/random.ts'
import type { WorldView } from '../../../../src/world/simulation/state.ts'
import type { HostLoad } from '../../../../src/world/simulation/tenants/host-load.ts'
import type { Tenant } from '../../../../src/world/simulation/tenants/tenant.ts'
import { hour, stepLength } from '../../../../src/world/simulation/time.ts'
import type { Fault } from '../../../../src/world/simulation/faults/model.ts'

/** The physical world with its network only: tests set the load of hosts, faults and attacks. */
export interface NetworkFixture extends MutableWorld {
  readonly attacks: Fault[]
  readonly customers: Map<number, Tenant>
}

/** The topology without room for growth: columns as long as their tables. */
function withoutRoom(topology: Topology): Topology {
  const { racks, coolingUnits, hosts, switches, panels, ports, cables } = topology
  const tables = { racks, coolingUnits, hosts, switches, panels, ports, cables }
  const full = Object.entries(tables).map(([name, table]) => [name, { ...table, capacity: table.count }])
  return { ...topology, ...Object.fromEntries(full) }
}

function networkOf(built: Topology, random = new RandomStreams(1n)): NetworkFixture {
  const topology = withoutRoom(built)
  const customers = new Map<number, Tenant>()
  const attacks: Fault[] = []
  const unused = undefined as never
  const totals = createTotalsLedger()
  return {
    topology,
    random,
    totals,
    events: new EventLog(totals),
    handover: null,
    now: 0,
    tick: 0,
    condition: createCondition(topology, random),
    facility: createFacilityState(topology, random),
    network: createNetworkState(topology),
    load: idleLoad(topology),
    threats: createThreats(topology),
    money: unused,
    tenants: {
      active: [],
      byId: customers,
      version: 1,
      qualityVersion: 1,
      unservedDemand: new Map(),
      reputation: 0.8,
      onHost: () => [],
      goLive: () => {},
    },
    faults: {
      active: attacks,
      ended: [],
      spontaneity: 0,
      demandFactor: () => 1,
    } as unknown as WorldView['faults'],
    incidents: new Map(),
    incidentControl: unused,
    operations: unused,
    attacks,
    customers,
  }
}

export const createNetworkFixture = (scale: number | ScaleName, seed = 1n): NetworkFixture => {
  const random = new RandomStreams(seed)
  return networkOf(buildTopology(random, scale), random)
}

function idleLoad(topology: Topology): HostLoad {
  const column = () => new Float64Array(topology.hosts.count)
  return {
    wantedInGbps: column(),
    wantedOutGbps: column(),
    copyGbps: column(),
    wantedEastWestGbps: column(),
    cpuDemandMilli: column(),
    cpuUsedMilli: column(),
    allocatedMilli: column(),
    allocatedMemMb: column(),
    allocatedSsdGb: column(),
    allocatedSlices: column(),
    iopsUsed: column(),
    unitCount: new Uint32Array(topology.hosts.count),
    strandedUnits: new Uint32Array(topology.hosts.count),
    contention: column(),
    contentionMax: 0,
    version: 1,
  }
}

export function loadEvenly(
  world: NetworkFixture,
  inGbps: number,
  outGbps: number,
  eastWestGbps: number,
): void {
  world.load.wantedInGbps.fill(inGbps)
  world.load.wantedOutGbps.fill(outGbps)
  world.load.wantedEastWestGbps.fill(eastWestGbps)
  world.load.version++
}

export function step(world: NetworkFixture, times = 1): void {
  for (let n = 0; n < times; n++) {
    stepFacility(world)
    stepLinks(world)
    stepRoutes(world)
    stepAttacks(world)
    stepFlows(world)
    world.tick++
    world.now += stepLength
  }
}

/** One step of hosts at half CPU utilization. */
export function createBusyNetwork(hosts: number): NetworkFixture {
  const world = createNetworkFixture(hosts)
  loadEvenly(world, 0.4, 1, 0.5)
  for (let host = 0; host < hosts; host++) {
    const sku = world.topology.hostSkus[world.topology.hosts.sku[host]]
    world.load.cpuUsedMilli[host] = sku.vcpu * 500
  }
  step(world)
  return world
}

/** A customer with one unit on each of the given hosts. */
export function addCustomer(world: NetworkFixture, id: number, hosts: readonly number[]): void {
  const tenant = { id, hosts: Int32Array.from(hosts), hostUnits: new Int32Array(hosts.length).fill(1) }
  world.customers.set(id, tenant as unknown as Tenant)
}

/** An attack at full strength. */
export function attack(
  world: NetworkFixture,
  customerId: number,
  threat: ThreatClass,
  magnitude: number,
): Fault {
  const fault: Fault = {
    id: world.attacks.length + 1,
    kind: 'Attack',
    target: { kind: 'Customer', id: customerId },
    began: world.now - hour,
    endsBy: null,
    ended: null,
    magnitude,
    place: 0,
    attack: { class: threat, customerId },
    rhythm: null,
    isDormant: false,
    turnsAt: null,
    incidentId: null,
  }
  world.attacks.push(fault)
  return fault
}
