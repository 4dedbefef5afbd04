import type { WorldView } from '../simulation/state.ts'

/** The world as records show it: faults show in them only as incidents find them. */
export type RecordedWorld = Omit<WorldView, 'faults' | 'random' | 'incidentControl'>
