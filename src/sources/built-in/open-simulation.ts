import { randomBytes } from 'node:crypto'
import { createSimulation, type Simulation, type SimulationOptions } from '../../records/simulation.ts'
import { StateMismatch } from '../../simulation/adopt-state.ts'
import type { SourceContext } from '../source-kind.ts'
import type { SimulationSpec } from './kind.ts'
import { replaceWorld, findState } from './saved-session.ts'
import type { StateFound } from './saved-session.ts'
import { SimulationSource } from './simulation-source.ts'
import { WorldKeeper } from './world-keeper.ts'

const nsPerMicrosecond = 1000n

const unsaved: StateFound = { session: null, replacedFor: null, message: null, canSave: false }

/** Creates the world, or continues the one in the state file. */
export function openSimulation(spec: SimulationSpec, context: SourceContext): SimulationSource {
  const { seed, scale, speed, scenario, warmupNs, state } = spec
  const { exposition, clock, cadenceMs, reachNs, report } = context
  const options = { seed, scale, speed, scenario, warmUp: Number(warmupNs / nsPerMicrosecond) }
  const found = state === null ? unsaved : findState(state.path, state.identity)
  const { world, stateFound } = createWorldFrom(options, state?.path ?? '', found)
  const { session, replacedFor, message, canSave } = stateFound
  if (state !== null) report({ kind: 'opened', replacedFor, message, publishSeq: session?.publishSeq ?? 0 })
  // A restarted world resumes where its clients saw it last. Only one that was never published still warms up.
  const isSeen = session !== null && session.publishSeq > 0
  const resumesNs = [reachNs, isSeen ? 0n : warmupNs, session?.reachNs ?? 0n]
  const beginsNs = resumesNs.reduce((a, b) => (a > b ? a : b))
  return new SimulationSource({
    title: scenario?.title ?? 'The built-in simulation',
    world,
    exposition,
    clock,
    speed,
    warmUpNs: beginsNs - world.nowNs,
    cadenceMs,
    savedRings: session?.rings ?? null,
    keeper:
      state === null || !canSave
        ? null
        : new WorldKeeper({
            ...state,
            worldId: session?.worldId ?? randomBytes(8).toString('hex'),
            world: () => world.savedWorld(),
            publishSeq: session?.publishSeq ?? 0,
            report,
            nowMs: clock.nowMs,
          }),
  })
}

/** A state of another shape than this program expects counts as that of another version. */
function createWorldFrom(
  options: SimulationOptions,
  path: string,
  stateFound: StateFound,
): { world: Simulation; stateFound: StateFound } {
  try {
    return { world: createSimulation(options, stateFound.session?.world), stateFound }
  } catch (error) {
    if (!(error instanceof StateMismatch)) throw error
    const what = `${path} is of another version of the program: ${error.message}`
    return { world: createSimulation(options), stateFound: replaceWorld(path, 'version', what) }
  }
}
