import type { FaultsPart } from '../../../src/simulation/faults/faults.ts'
import type { Incidents } from '../../../src/simulation/faults/incidents.ts'
import { createParts, layState, passTime } from '../../../src/simulation/parts.ts'
import { createIncidentRecords, type IncidentRecords } from '../../../src/simulation/records/incidents.ts'
import type { WorldState } from '../../../src/simulation/state.ts'
import { type Micros, stepLength } from '../../../src/simulation/time.ts'
import type { Work } from '../../../src/simulation/work/desk.ts'

/** A whole world, but for scenario and quests. */
export interface LiveWorld {
  readonly state: WorldState
  readonly faults: FaultsPart
  readonly incidents: Incidents
  readonly work: Work
  readonly records: IncidentRecords
  /** Steps the world on for so long, calling whatever is given after each step; until it says so, if it does. */
  readonly run: (span: Micros, each?: () => boolean | void) => void
}

export type Scale = number | 'small' | 'medium' | 'large'

/** Begins at a time of day of the first Monday; nothing breaks by itself unless it is told to. */
export function liveWorld(seed: bigint, scale: Scale, spontaneity = 0, from: Micros = 0): LiveWorld {
  const state = layState(seed, scale)
  state.now = from
  state.tick = from / stepLength
  const { faults, incidents, work, step } = createParts(state)
  faults.spontaneity = spontaneity
  const records = createIncidentRecords(state, incidents)
  return {
    state,
    faults,
    incidents,
    work,
    records,
    run(span, each = () => {}) {
      for (const end = state.now + span; state.now < end; ) {
        step()
        passTime(state)
        if (each() === true) return
      }
    },
  }
}
