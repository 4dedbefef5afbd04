import { basename, extname } from 'node:path'
import type { Scenario } from '../../world/scenario-language.ts'
import { hostCountOf } from '../../world/world-size.ts'
import type { ScaleName } from '../../world/world-size.ts'
import type { WorldIdentity } from '../../store/world-state.ts'
import type { SourceKind } from '../source-kind.ts'

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
export interface GameDaySpec {
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

/** A world of up to this many hosts allocates so little per publish that a small young generation suffices. */
const smallWorldHostsMax = 200
const smallWorldYoungMb = 12

export const simulationKind: SourceKind<SimulationSpec> = {
  usage: 'simulation',
  help: 'simulation, the built-in one',
  noun: 'the built-in world',
  matches: (source) => source === 'simulation',
  describe: ({ scale, seed, speed, scenario, blind = false }) => {
    const size = typeof scale === 'number' ? `${scale} hosts` : `scale ${scale}`
    const suffix = scenario === null ? '' : `, scenario ${scenario.name}`
    const mode = blind ? ', blind' : ''
    return `the built-in simulation: ${size}, seed ${seed}, speed ${speed}${suffix}${mode}`
  },
  sessionName({ scale, seed, scenario, blind }) {
    // The name of a scenario may tell what breaks.
    const suffix = blind ? 'blind' : basename(scenario, extname(scenario))
    return [scale, seed, ...(suffix === '' ? [] : [suffix])].join('-')
  },
  open: async (spec, context) => {
    const { openSimulation } = await import('./open-simulation.ts')
    return openSimulation(spec, context)
  },
  upstreamOrigin: () => null,
  youngGenerationMb: ({ scale }) => (hostCountOf(scale) <= smallWorldHostsMax ? smallWorldYoungMb : null),
  isSavedAtClose: ({ state, gameDay }) => state !== null || (gameDay?.truth ?? null) !== null,
}
