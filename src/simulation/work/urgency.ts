import type { Band } from '../../contract/vocabularies.ts'
import type { Plant } from '../plant/tables.ts'
import type { FaultTarget } from '../state.ts'

/** How soon work is to be done: lower is sooner. */

const byBand: Readonly<Record<Band, number>> = { Critical: 0, Major: 1, Minor: 2, Watch: 3 }

/** One of a pair on which a whole zone hangs: while it is gone, the other must not fail. */
function isBackbone(plant: Plant, target: FaultTarget): boolean {
  if (target.kind === 'Switch') return plant.switches.role[target.row] !== 'edge'
  return target.kind === 'Gateway' || target.kind === 'Appliance' || target.kind === 'PowerFeed'
}

/** As the band of the incident has it; but where the backbone is about to have no spare, nobody waits for harm. */
export function urgencyOf(plant: Plant, band: Band, target: FaultTarget | null): number {
  const isPressing = target !== null && isBackbone(plant, target)
  return isPressing ? Math.min(byBand.Major, byBand[band]) : byBand[band]
}
