import type { Band } from '../../../contract/vocabularies.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { Topology } from '../topology/tables.ts'

const priorityOfBand: Readonly<Record<Band, number>> = { Critical: 0, Major: 1, Minor: 2, Watch: 3 }
export const onboardingPriority = 4
export const upkeepPriority = 5

/** One of a redundant pair that a whole zone depends on. */
function isBackbone(topology: Topology, target: FaultTarget): boolean {
  if (target.kind === 'Switch') return topology.switches.role[target.row] !== 'edge'
  return target.kind === 'Gateway' || target.kind === 'Appliance' || target.kind === 'PowerFeed'
}

/** Priority of work for an incident; a backbone that has lost its redundancy is repaired as if it were Major. */
export function priorityOf(topology: Topology, band: Band, target: FaultTarget | null): number {
  const priority = priorityOfBand[band]
  return target !== null && isBackbone(topology, target) ? Math.min(priorityOfBand.Major, priority) : priority
}
