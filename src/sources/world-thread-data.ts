import type { CollectorName } from '../metrics/collectors.ts'
import type { Scenario } from '../simulation/scenarios/scenario.ts'
import type { ScaleName } from '../simulation/plant/sizing.ts'

/** What the world's thread is told when it starts. */
export interface WorldThreadData {
  readonly seed: bigint
  readonly scale: number | ScaleName
  /** Simulated seconds a wall second; 0 stands still. */
  readonly speed: number
  /** Simulated time that passes before the first publish. */
  readonly warmupNs: bigint
  readonly cadenceMs: number
  readonly scenario: Scenario | null
  /** The collectors of /metrics. */
  readonly collectors: readonly CollectorName[]
  /** Simulated time that readers have seen already, before the thread was started again. */
  readonly reachNs: bigint
}
