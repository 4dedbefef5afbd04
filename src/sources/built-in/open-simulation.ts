import { randomBytes } from 'node:crypto'
import { ringLayoutAt } from '../../metrics/history/history-memory.ts'
import { createHistoryRings } from '../../metrics/history/history-rings.ts'
import type { HistoryRings } from '../../metrics/history/history-rings.ts'
import { StateFileError } from '../../state-file/state-file.ts'
import { createBuiltInWorld, microsOf, StateMismatch } from '../../world/built-in-world.ts'
import type { BuiltInWorld, BuiltInWorldOptions } from '../../world/built-in-world.ts'
import { ActionsFile } from './actions-file.ts'
import { ActionsJournal } from './actions-journal.ts'
import type { SourceContext } from '../source-kind.ts'
import type { SimulationSpec } from './kind.ts'
import { replaceWorld, findState } from './saved-session.ts'
import type { StateFound } from './saved-session.ts'
import { openTruth } from './truth-keeper.ts'
import type { TruthKeeper } from './truth-keeper.ts'
import { SimulationSource } from './simulation-source.ts'
import { WorldChronicler } from './world-chronicler.ts'
import { WorldKeeper } from './world-keeper.ts'

const unsaved: StateFound = { session: null, replacedFor: null, message: null, canSave: false }

/** Creates the world, or continues the one in the state file. */
export function openSimulation(spec: SimulationSpec, context: SourceContext): SimulationSource {
  const { scenario, speed, warmupNs, state, gameDay, blind = false } = spec
  const { exposition, clock, cadenceMs, reachNs, report } = context
  const found = state === null ? unsaved : findState(state.path, state.identity)
  const truth = openTruth(spec, context)
  const beginsAtNs = (session: StateFound['session']): bigint => {
    // A restarted world resumes at the last time that its clients saw. Only an unpublished world still warms up.
    const isSeen = session !== null && session.publishSeq > 0
    const resumesNs = [reachNs, isSeen ? 0n : warmupNs, session?.reachNs ?? 0n]
    return resumesNs.reduce((a, b) => (a > b ? a : b))
  }
  const { world, rings, stateFound } = createWorldFrom(spec, truth, found, beginsAtNs)
  const { session, replacedFor, message, canSave } = stateFound
  if (state !== null) report({ kind: 'opened', replacedFor, message, publishSeq: session?.publishSeq ?? 0 })
  const beginsNs = beginsAtNs(session)
  const worldId = session?.worldId ?? gameDay?.worldId ?? randomBytes(8).toString('hex')
  truth?.begin(world, worldId, microsOf(beginsNs))
  return new SimulationSource({
    title: (blind ? null : scenario?.title) ?? 'The built-in simulation',
    world,
    exposition,
    clock,
    speed,
    warmUpNs: beginsNs - world.nowNs,
    cadenceMs,
    rings,
    keeper:
      state === null || !canSave
        ? null
        : new WorldKeeper({
            ...state,
            worldId,
            world: () => world.savedWorld(),
            publishSeq: session?.publishSeq ?? 0,
            report,
            nowMs: clock.nowMs,
          }),
    actions: openActions(spec, world, worldId, report, truth),
    chronicler: new WorldChronicler(world, worldId, {
      seed: String(spec.seed),
      scale: String(spec.scale),
      scenario: blind ? '' : (scenario?.name ?? ''),
      speed,
    }),
    truth,
  })
}

function openActions(
  { gameDay, state }: SimulationSpec,
  world: BuiltInWorld,
  worldId: string,
  report: SourceContext['report'],
  truth: TruthKeeper | null,
): ActionsFile | null {
  if (gameDay === undefined || gameDay.actions === null) return null
  const file = new ActionsFile({
    path: gameDay.actions,
    actions: world.actions,
    now: () => world.now,
    journal: state === null ? null : new ActionsJournal(state.path, worldId),
    report: (isProblem, message) => report({ kind: 'note', isProblem, message }),
    onDone: ({ action, began }, line, text) =>
      truth?.action(began, { did: 'remedy' in action ? 'ordered' : 'injected', text, line }),
  })
  file.open()
  return file
}

const optionsOf = (
  { seed, scale, speed, scenario, warmupNs, blind = false }: SimulationSpec,
  truth: TruthKeeper | null,
): BuiltInWorldOptions => ({
  seed,
  scale,
  speed,
  scenario,
  blind,
  warmUpNs: warmupNs,
  ...(truth !== null && { truth: truth.options }),
})

/** A state of an unexpected shape counts as that of another version; one that fails otherwise counts as damaged. */
function createWorldFrom(
  spec: SimulationSpec,
  truth: TruthKeeper | null,
  stateFound: StateFound,
  beginsAtNs: (session: StateFound['session']) => bigint,
): { world: BuiltInWorld; rings?: HistoryRings; stateFound: StateFound } {
  const options = optionsOf(spec, truth)
  const { session } = stateFound
  if (session === null) return { world: createBuiltInWorld(options), stateFound }
  try {
    const world = createBuiltInWorld(options, session.world)
    if (world.nowNs !== session.savedNs)
      throw new StateFileError(`its head is of ${session.savedNs} ns, its world of ${world.nowNs}`)
    const layout = ringLayoutAt(spec.speed)
    const rings = createHistoryRings(world.history, beginsAtNs(session), session.rings, layout)
    return { world, rings, stateFound }
  } catch (error) {
    const path = spec.state!.path
    const { message } = error as Error
    const replaced =
      error instanceof StateMismatch
        ? replaceWorld(path, 'version', `${path} is of another version of the program: ${message}`)
        : replaceWorld(path, 'damaged', `${path} cannot be continued: ${message}`)
    return { world: createBuiltInWorld(options), stateFound: replaced }
  }
}
