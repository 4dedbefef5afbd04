import { createTotalsLedger } from '../../../src/contract/totals.ts'
import type { ThreatClass } from '../../../src/contract/vocabularies.ts'
import { EventLog } from '../../../src/simulation/events.ts'
import { createCondition } from '../../../src/simulation/faults/condition.ts'
import { createNetwork, stepFlows } from '../../../src/simulation/network/flows.ts'
import { createPhysical, stepPhysical } from '../../../src/simulation/network/physical.ts'
import { stepRouting } from '../../../src/simulation/network/routing.ts'
import { createThreats, stepSecurity } from '../../../src/simulation/network/security.ts'
import { buildPlant } from '../../../src/simulation/plant/build.ts'
import type { ScaleName } from '../../../src/simulation/plant/sizing.ts'
import type { Plant } from '../../../src/simulation/plant/tables.ts'
import { RandomStreams } from '../../../src/simulation/random.ts'
import type { Fault, HostLoad, Tenant, WorldState } from '../../../src/simulation/state.ts'
import { hour, stepLength } from '../../../src/simulation/time.ts'

/** The physical world and its network alone: the test says what hosts carry, what is broken and who is attacked. */
export interface Rig extends WorldState {
  readonly attacks: Fault[]
  readonly customers: Map<number, Tenant>
}

export function rigOf(plant: Plant, random = new RandomStreams(1n)): Rig {
  const customers = new Map<number, Tenant>()
  const attacks: Fault[] = []
  const unused = undefined as never
  const totals = createTotalsLedger()
  return {
    plant,
    random,
    totals,
    events: new EventLog(totals),
    now: 0,
    tick: 0,
    condition: createCondition(plant, random),
    physical: createPhysical(plant),
    network: createNetwork(plant),
    load: idleLoad(plant),
    threats: createThreats(plant),
    money: unused,
    tenants: { active: [], byId: customers, version: 1, onHost: () => [], goLive: () => {} },
    faults: {
      active: attacks,
      ended: [],
      spontaneity: 0,
      demandFactor: () => 1,
    } as unknown as WorldState['faults'],
    incidents: new Map(),
    work: unused,
    attacks,
    customers,
  }
}

export const rig = (scale: number | ScaleName, seed = 1n): Rig => {
  const random = new RandomStreams(seed)
  return rigOf(buildPlant(random, scale), random)
}

function idleLoad(plant: Plant): HostLoad {
  const column = () => new Float64Array(plant.hosts.count)
  return {
    wantedInGbps: column(),
    wantedOutGbps: column(),
    wantedEastWestGbps: column(),
    cpuDemandMilli: column(),
    cpuUsedMilli: column(),
    allocatedMilli: column(),
    allocatedMemMb: column(),
    allocatedSsdGb: column(),
    allocatedSlices: column(),
    iopsUsed: column(),
    unitCount: new Uint32Array(plant.hosts.count),
    strandedUnits: new Uint32Array(plant.hosts.count),
    contention: column(),
    version: 1,
  }
}

export function loadEvenly(world: Rig, inGbps: number, outGbps: number, eastWestGbps: number): void {
  world.load.wantedInGbps.fill(inGbps)
  world.load.wantedOutGbps.fill(outGbps)
  world.load.wantedEastWestGbps.fill(eastWestGbps)
  world.load.version++
}

export function step(world: Rig, times = 1): void {
  for (let n = 0; n < times; n++) {
    stepPhysical(world)
    stepRouting(world)
    stepSecurity(world)
    stepFlows(world)
    world.tick++
    world.now += stepLength
  }
}

/** A customer with one unit on each of the given hosts. */
export function settle(world: Rig, id: number, hosts: readonly number[]): void {
  const tenant = { id, hosts: Int32Array.from(hosts), hostUnits: new Int32Array(hosts.length).fill(1) }
  world.customers.set(id, tenant as unknown as Tenant)
}

/** An attack that began long ago. */
export function attack(world: Rig, customerId: number, threat: ThreatClass, magnitude: number): Fault {
  const fault: Fault = {
    id: world.attacks.length + 1,
    kind: 'Attack',
    target: { kind: 'Customer', id: customerId },
    began: world.now - hour,
    endsBy: null,
    ended: null,
    magnitude,
    attack: { class: threat, customerId },
    incidentId: null,
  }
  world.attacks.push(fault)
  return fault
}
