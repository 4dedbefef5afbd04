import type { FaultsPart } from '../../../src/world/simulation/faults/faults.ts'
import type { BlastRadius } from '../../../src/world/simulation/incidents/correlation/blast-radius.ts'
import type { Incidents } from '../../../src/world/simulation/incidents/incidents.ts'
import { createParts, createState, advanceClock } from '../../../src/world/simulation/step.ts'
import { createIncidentRecords } from '../../../src/world/records/operations/incidents.ts'
import type { IncidentRecords } from '../../../src/world/records/operations/incidents.ts'
import type { MutableWorld } from '../../../src/world/simulation/step.ts'
import { stepLength } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import type { Operations } from '../../../src/world/simulation/operations/operations.ts'

/** A complete world, without scenario and quests. */
export interface RunningWorld {
  readonly state: MutableWorld
  readonly faults: FaultsPart
  readonly incidents: Incidents
  readonly work: Operations
  readonly blastRadius: BlastRadius
  readonly records: IncidentRecords
  /** Advances the world by a span of time, calling `each` after each step until it returns true. */
  readonly run: (span: Micros, each?: () => boolean | void) => void
}

type Scale = number | 'small' | 'medium' | 'large'

/** Begins at a time of day of the first Monday; there are no random faults unless a rate is given. */
export function createRunningWorld(
  seed: bigint,
  scale: Scale,
  spontaneity = 0,
  from: Micros = 0,
): RunningWorld {
  const state = createState(seed, scale)
  state.now = from
  state.tick = from / stepLength
  const { faults, incidents, operations: work, blastRadius, step } = createParts(state)
  faults.randomFaultRate = spontaneity
  const records = createIncidentRecords(incidents)
  return {
    state,
    faults,
    incidents,
    work,
    blastRadius,
    records,
    run(span, each = () => {}) {
      for (const end = state.now + span; state.now < end; ) {
        step()
        advanceClock(state)
        if (each() === true) return
      }
    },
  }
}
