import type { Scenario } from '../../world/scenario-language.ts'
import type { ScaleName } from '../../world/world-size.ts'
import type { WorldIdentity } from '../../store/world-state.ts'

/** The built-in simulation. */
export interface SimulationSpec {
  readonly kind: 'simulation'
  readonly seed: bigint
  readonly scale: number | ScaleName
  /** Simulated seconds per wall second; 0 means paused. */
  readonly speed: number
  /** Simulated time before the first publish. */
  readonly warmupNs: bigint
  readonly scenario: Scenario | null
  /** Whether a team takes over from the operators after the warm-up, and nothing names a cause. */
  readonly blind?: boolean
  /** The file of the session; null for a world that is not saved. */
  readonly state: SessionFileSpec | null
  /** Null or left out for a world that simulates its warm-up at every start. */
  readonly cache?: CacheSpec | null
  readonly gameDay?: GameDaySpec
}

/** Where faults are injected from, and where the truth about them is kept. */
interface GameDaySpec {
  /** The id of a world that is not saved. */
  readonly worldId: string
  /** The scenario as `--scenario` names it; empty for none. */
  readonly scenario?: string
  /** The file of actions; null for none. */
  readonly actions: string | null
  /** The file of the session, if it keeps the truth. */
  readonly truth: string | null
}

export interface SessionFileSpec {
  /** Null where the file cannot be used: each attempt to save fails. */
  readonly path: string | null
  /** Whether the file was damaged, and a part of it may be lost. */
  readonly isMended: boolean
  readonly identity: WorldIdentity
}

/** Where worlds at the end of their warm-up are kept. */
export interface CacheSpec {
  readonly folder: string
  /** The folder of those that come with the program. */
  readonly shipped: string
  readonly identity: WorldIdentity
}
