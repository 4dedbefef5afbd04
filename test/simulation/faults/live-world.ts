import { createTotalsLedger } from '../../../src/contract/totals.ts'
import { createHostLoad, createMoney } from '../../../src/simulation/customers/business.ts'
import { createCustomers } from '../../../src/simulation/customers/customers.ts'
import { EventLog } from '../../../src/simulation/events.ts'
import { createCondition } from '../../../src/simulation/faults/condition.ts'
import { createFaults, type FaultsPart } from '../../../src/simulation/faults/faults.ts'
import { createIncidents, type Incidents } from '../../../src/simulation/faults/incidents.ts'
import { createNetwork, stepFlows } from '../../../src/simulation/network/flows.ts'
import { createPhysical, stepPhysical } from '../../../src/simulation/network/physical.ts'
import { stepRouting } from '../../../src/simulation/network/routing.ts'
import { createThreats, stepSecurity } from '../../../src/simulation/network/security.ts'
import { buildPlant } from '../../../src/simulation/plant/build.ts'
import { RandomStreams } from '../../../src/simulation/random.ts'
import { createIncidentRecords, type IncidentRecords } from '../../../src/simulation/records/incidents.ts'
import type { WorldState } from '../../../src/simulation/state.ts'
import { type Micros, stepLength } from '../../../src/simulation/time.ts'
import { createWork } from '../../../src/simulation/work/desk.ts'

/** A whole world, made of the parts as they are. */
export interface LiveWorld {
  readonly state: WorldState
  readonly faults: FaultsPart
  readonly incidents: Incidents
  readonly records: IncidentRecords
  /** Steps the world on for so long, calling whatever is given after each step; until it says so, if it does. */
  readonly run: (span: Micros, each?: () => boolean | void) => void
}

export type Scale = number | 'small' | 'medium' | 'large'

/** Begins at a time of day of the first Monday; nothing breaks by itself unless it is told to. */
export function liveWorld(seed: bigint, scale: Scale, spontaneity = 0, from: Micros = 0): LiveWorld {
  const random = new RandomStreams(seed)
  const plant = buildPlant(random, scale)
  const totals = createTotalsLedger()
  const state: WorldState = {
    plant,
    random,
    events: new EventLog(totals),
    totals,
    now: from,
    tick: from / stepLength,
    condition: createCondition(plant, random),
    physical: createPhysical(plant),
    network: createNetwork(plant),
    load: createHostLoad(plant),
    threats: createThreats(plant),
    money: createMoney(),
    incidents: new Map(),
    // These are set below: they are made from the state.
    tenants: null as unknown as WorldState['tenants'],
    faults: null as unknown as WorldState['faults'],
    work: null as unknown as WorldState['work'],
  }
  const faults = createFaults(state)
  faults.spontaneity = spontaneity
  state.faults = faults
  const work = createWork(state)
  state.work = work
  const customers = createCustomers(state)
  state.tenants = customers.tenants
  const incidents = createIncidents(state, faults)
  state.incidents = incidents.views
  const records = createIncidentRecords(state, incidents)
  const step = (): void => {
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
    state.now += stepLength
    state.tick++
  }
  return {
    state,
    faults,
    incidents,
    records,
    run(span, each = () => {}) {
      for (const end = state.now + span; state.now < end; ) {
        step()
        if (each() === true) return
      }
    },
  }
}
