import type { WorldWith } from '../state.ts'
import type { FacilityState } from './state.ts'

export type FacilityWorld = WorldWith<{ readonly facility: FacilityState }>
