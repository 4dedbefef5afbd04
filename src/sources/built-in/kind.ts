import type { Scenario } from '../../simulation/scenarios/scenario.ts'
import { sizingFor } from '../../simulation/topology/sizing.ts'
import type { ScaleName } from '../../simulation/topology/sizing.ts'
import type { SourceKind } from '../source-kind.ts'

/** The built-in simulation. */
export interface SimulationSpec {
  readonly kind: 'simulation'
  readonly seed: bigint
  readonly scale: number | ScaleName
  /** Simulated seconds per wall second; 0 stands still. */
  readonly speed: number
  /** Simulated time before the first publish. */
  readonly warmupNs: bigint
  readonly scenario: Scenario | null
}

const nsPerMicrosecond = 1000n

/** A world of up to this many hosts allocates so little per publish that a small young generation does. */
const smallWorldHostsMax = 200
const smallWorldYoungMb = 12

export const simulationKind: SourceKind<SimulationSpec> = {
  usage: 'simulation',
  help: 'simulation, the built-in one',
  noun: 'the built-in world',
  matches: (source) => source === 'simulation',
  describe: ({ scale, seed, speed, scenario }) => {
    const size = typeof scale === 'number' ? `${scale} hosts` : `scale ${scale}`
    const suffix = scenario === null ? '' : `, scenario ${scenario.name}`
    return `the built-in simulation: ${size}, seed ${seed}, speed ${speed}${suffix}`
  },
  open: async ({ seed, scale, speed, scenario, warmupNs }, { exposition, clock, cadenceMs, reachNs }) => {
    const { createSimulation } = await import('../../records/simulation.ts')
    const { SimulationSource } = await import('./simulation-source.ts')
    return new SimulationSource({
      title: scenario?.title ?? 'The built-in simulation',
      world: createSimulation({ seed, scale, speed, scenario, warmUp: Number(warmupNs / nsPerMicrosecond) }),
      exposition,
      clock,
      speed,
      // A restarted world resumes where its clients saw it last.
      warmUpNs: reachNs > warmupNs ? reachNs : warmupNs,
      cadenceMs,
    })
  },
  upstreamOrigin: () => null,
  youngGenerationMb: ({ scale }) => (sizingFor(scale).hosts <= smallWorldHostsMax ? smallWorldYoungMb : null),
}
