import { createTotalsLedger } from '../contract/totals.ts'
import { createHostLoad, createMoney } from './customers/business.ts'
import { createCustomers, type CustomersPart } from './customers/customers.ts'
import { EventLog } from './events.ts'
import { createCondition } from './faults/condition.ts'
import { createFaults, type FaultsPart } from './faults/faults.ts'
import { createIncidents, type Incidents } from './faults/incidents.ts'
import { createNetwork, stepFlows } from './network/flows.ts'
import { createPhysical, stepPhysical } from './network/physical.ts'
import { stepRouting } from './network/routing.ts'
import { createThreats, stepSecurity } from './network/security.ts'
import { buildPlant } from './plant/build.ts'
import type { ScaleName } from './plant/sizing.ts'
import { RandomStreams } from './random.ts'
import type { WorldState } from './state.ts'
import { stepLength } from './time.ts'
import { createWork, type Work } from './work/desk.ts'

/** What a world is made of, and what of it moves. */
export interface Parts {
  readonly faults: FaultsPart
  readonly work: Work
  readonly customers: CustomersPart
  readonly incidents: Incidents
  /** Moves all of them by a step. */
  readonly step: () => void
}

/** A plant in which nothing has happened. The parts that need the state to be made are put into it afterwards. */
export function layState(seed: bigint, scale: number | ScaleName): WorldState {
  const random = new RandomStreams(seed)
  const plant = buildPlant(random, scale)
  const totals = createTotalsLedger()
  return {
    plant,
    random,
    events: new EventLog(totals),
    totals,
    now: 0,
    tick: 0,
    condition: createCondition(plant, random),
    physical: createPhysical(plant),
    network: createNetwork(plant),
    load: createHostLoad(plant),
    threats: createThreats(plant),
    money: createMoney(),
    incidents: new Map(),
    tenants: undefined as unknown as WorldState['tenants'],
    faults: undefined as unknown as WorldState['faults'],
    work: undefined as unknown as WorldState['work'],
  }
}

/** Makes the parts, and puts them into the state one after the other: each may need those before it. */
export function createParts(state: WorldState): Parts {
  const faults = createFaults(state)
  state.faults = faults
  const work = createWork(state)
  state.work = work
  const customers = createCustomers(state)
  state.tenants = customers.tenants
  const incidents = createIncidents(state, faults)
  state.incidents = incidents.views
  return {
    faults,
    work,
    customers,
    incidents,
    step() {
      faults.step()
      stepPhysical(state)
      stepRouting(state)
      customers.stepDemand()
      stepSecurity(state)
      stepFlows(state)
      customers.stepQuality()
      customers.stepMoney()
      incidents.step()
      work.step()
      customers.stepLifecycle()
    },
  }
}

/** A step is over. */
export function passTime(state: WorldState): void {
  state.now += stepLength
  state.tick++
}
