import type { WorldView } from '../simulation/state.ts'

/** The world without the parts that know the truth: records show a fault only as its incidents do. */
export type RecordedWorld = Omit<WorldView, 'faults' | 'random' | 'incidentControl'>
