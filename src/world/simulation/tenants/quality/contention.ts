import type { ContentionState } from '../../../../contract/vocabularies.ts'

/** Lower bounds of the contention states, as CPU demand relative to physical CPU. */
const lightContentionMin = 0.75
export const contendedMin = 0.92
export const starvedMin = 1.05

export function contentionState(contention: number): ContentionState {
  if (contention < lightContentionMin) return 'None'
  if (contention < contendedMin) return 'Light'
  return contention < starvedMin ? 'Contended' : 'Starved'
}
