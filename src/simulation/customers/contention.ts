import type { ContentionState } from '../../contract/vocabularies.ts'

/** From so much CPU wanted over physical on, units of a host get in each other's way. */
export const lightFrom = 0.75
export const contendedFrom = 0.92
export const starvedFrom = 1.05

export function contentionState(contention: number): ContentionState {
  if (contention < lightFrom) return 'None'
  if (contention < contendedFrom) return 'Light'
  return contention < starvedFrom ? 'Contended' : 'Starved'
}
