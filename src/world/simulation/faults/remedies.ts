/** Repairs as a team orders them, in the words of `FaultKind.remedy`. */
import type { CauseKind } from '../../../contract/vocabularies.ts'
import type { WorldView } from '../state.ts'
import { nameOf } from '../topology/entities.ts'
import type { WorkPlan } from '../work/plans.ts'
import { faultKinds } from './kinds.ts'
import type { FaultKind } from './fault-kind.ts'
import type { Fault } from './model.ts'

interface Remedy {
  /** The kinds of faults that it repairs. */
  readonly kinds: readonly CauseKind[]
  /** The kinds of parts that it can be ordered for. */
  readonly targets: readonly Fault['target']['kind'][]
}

/** Shortages have no action that states their targets. */
const targetsOf = ([kind, { action }]: (typeof kinds)[number]): Remedy['targets'] =>
  action?.targets ?? (kind === 'HostDrained' ? ['Host'] : ['Port', 'Switch', 'Gateway', 'Appliance', 'Pool'])

const kinds: readonly (readonly [string, FaultKind])[] = Object.entries(faultKinds)

export const remedies: Readonly<Record<string, Remedy>> = Object.fromEntries(
  Array.from(
    Map.groupBy(kinds, ([, { remedy }]) => remedy),
    ([remedy, own]) => {
      const targets = own.flatMap(targetsOf)
      return [remedy, { kinds: own.map(([kind]) => kind as CauseKind), targets: [...new Set(targets)] }]
    },
  ),
)

/** The plan for a fault as a team assumes it, by what instruments show: a UPS that its breaker is open. */
export function planRemedy(
  world: WorldView,
  kind: CauseKind,
  target: Fault['target'],
  random: Parameters<FaultKind['planRepair']>[1],
): WorkPlan {
  const { action, planRepair } = faultKinds[kind]
  const trippedAt = target.kind === 'PowerFeed' ? world.condition.feedTrippedAt[target.row] : 0
  const fault: Fault = {
    id: 0,
    kind,
    target,
    began: world.now,
    endsBy: null,
    ended: null,
    magnitude: trippedAt || (action?.magnitude?.defaultValue ?? 1),
    place: 0,
    attack: null,
    rhythm: null,
    isDormant: false,
    turnsAt: null,
    incidentId: null,
  }
  return planRepair({ name: nameOf(world, target), fault, topology: world.topology }, random)
}
