import type { CollectorName } from '../metrics/collectors.ts'
import type { Scenario } from '../simulation/scenarios/scenario.ts'
import type { ScaleName } from '../simulation/plant/sizing.ts'
import type { Span } from './replay/timeline.ts'

/** The built-in world. */
export interface SimulatedWorld {
  readonly kind: 'simulation'
  readonly seed: bigint
  readonly scale: number | ScaleName
  /** Simulated seconds a wall second; 0 stands still. */
  readonly speed: number
  /** Simulated time that passes before the first publish. */
  readonly warmupNs: bigint
  readonly scenario: Scenario | null
}

/** The world of a server that speaks the specification. */
export interface ServedWorld {
  readonly kind: 'server'
  /** Such as http://127.0.0.1:9741. */
  readonly origin: string
}

/** A world as it was recorded. */
export interface RecordedWorldChoice {
  readonly kind: 'recording'
  readonly file: string
  /** Simulated seconds a wall second; 0 stands still, null is the pace at which it was recorded. */
  readonly speed: number | null
  readonly span: Span
  readonly loop: boolean
}

/** Which world is mirrored. */
export type MirroredWorld = SimulatedWorld | ServedWorld | RecordedWorldChoice

/** What the world's thread is told when it starts. */
export interface WorldThreadData {
  readonly world: MirroredWorld
  readonly cadenceMs: number
  /** The collectors of /metrics. */
  readonly collectors: readonly CollectorName[]
  /** Simulated time that readers have seen already, before the thread was started again. */
  readonly reachNs: bigint
}
