import type { Threats } from '../attacks/model.ts'
import type { WorldWith } from '../state.ts'
import type { NetworkState } from './state.ts'

export type NetworkWorld = WorldWith<{ readonly network: NetworkState }>

/** Traffic and what stops hostile traffic on its way are settled together, so the flow passes write both. */
export type TrafficWorld = WorldWith<{ readonly network: NetworkState; readonly threats: Threats }>
