import type { ResourceLimits } from 'node:worker_threads'
import type { CollectorName } from '../metrics/collectors.ts'
import type { Scenario } from '../simulation/scenarios/scenario.ts'
import { sizingFor } from '../simulation/plant/sizing.ts'
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

/** Hosts up to which a world makes so little at a publish that little room for new objects does. */
const smallWorldHosts = 200
const smallWorldYoungMb = 12
const youngMb = 48

/**
 * The heap of the world's thread. Left to itself it gives new objects ever more room, 128 MB at 10,000 hosts, in
 * which the world does not get on any faster.
 */
export function worldThreadLimits(world: MirroredWorld): ResourceLimits {
  const isSmall = world.kind === 'simulation' && sizingFor(world.scale).hosts <= smallWorldHosts
  return { maxYoungGenerationSizeMb: isSmall ? smallWorldYoungMb : youngMb }
}
