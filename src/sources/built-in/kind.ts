import { basename, extname } from 'node:path'
import { hostCountOf } from '../../world/world-size.ts'
import type { SourceKind } from '../source-kind.ts'
import type { SimulationSpec } from './simulation-spec.ts'

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
  youngGenerationMb: ({ scale }) => (hostCountOf(scale) <= smallWorldHostsMax ? smallWorldYoungMb : null),
  isSavedAtClose: ({ state, gameDay }) => state !== null || (gameDay?.truth ?? null) !== null,
}
