import type { ContentionState } from '../../../../contract/vocabularies.ts'

/** Lower bounds of the contention states, as CPU demand relative to physical CPU. */
const lightContentionFrom = 0.75
export const contendedFrom = 0.92
export const starvedFrom = 1.05

export function contentionState(contention: number): ContentionState {
  if (contention < lightContentionFrom) return 'None'
  if (contention < contendedFrom) return 'Light'
  return contention < starvedFrom ? 'Contended' : 'Starved'
}
