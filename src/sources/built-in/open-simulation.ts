import { randomBytes } from 'node:crypto'
import { HistoryRings } from '../../metrics/history/history-rings.ts'
import { openSession } from '../../store/session-file.ts'
import { WorldLog } from '../../store/world-log.ts'
import { StateError } from '../../store/world-state.ts'
import { createBuiltInWorld, microsOf, StateMismatch } from '../../world/built-in-world.ts'
import type { BuiltInWorld } from '../../world/built-in-world.ts'
import { ActionsFile } from './actions-file.ts'
import type { SourceContext } from '../source-kind.ts'
import type { SimulationSpec } from './simulation-spec.ts'
import type { ChangeParts } from '../change-builder.ts'
import { WarmUpChanges } from './warm-up-changes.ts'
import { replaceWorld, findState } from './saved-session.ts'
import type { SavedState, SessionStore, StateFound } from './saved-session.ts'
import { openTruth } from './truth-keeper.ts'
import type { TruthKeeper } from './truth-keeper.ts'
import { SimulationSource } from './simulation-source.ts'
import { WarmUpCache } from './warm-up-cache.ts'
import { worldChangeFeed } from './world-change-feed.ts'
import { WorldKeeper } from './world-keeper.ts'

/** A world, continued or new. */
interface OpenedWorld {
  readonly world: BuiltInWorld
  /** The metric history of a continued world. */
  readonly rings?: HistoryRings
  readonly stateFound: StateFound
  /** The changes of a warm-up that is not repeated; null if it is. */
  readonly warmUp: readonly ChangeParts[] | null
}

const unsaved: StateFound = { session: null, replacedFor: null, message: null, canSave: false }

/** A restarted world resumes at the last time that its clients saw. Only an unpublished world still warms up. */
function beginningOf(session: StateFound['session'], warmupNs: bigint, reachNs: bigint): bigint {
  const isSeen = session !== null && session.publishSeq > 0
  const resumesNs = [reachNs, isSeen ? 0n : warmupNs, session?.reachNs ?? 0n]
  return resumesNs.reduce((a, b) => (a > b ? a : b))
}

/** Creates the world, or continues the one in the file of the session or after its warm-up. */
export function openSimulation(spec: SimulationSpec, context: SourceContext): SimulationSource {
  const { scenario, speed, warmupNs, state, gameDay, blind = false } = spec
  const { exposition, clock, cadenceMs, reachNs, report } = context
  const path = state?.path ?? null
  const store = path === null ? null : { path, database: openSession(path) }
  const found = store === null ? unsaved : findState(store, state!.identity, state!.isMended)
  const truth = openTruth(spec, context)
  // With a truth, the world simulates its warm-up: the truth about its faults is noted as they happen.
  const isCached = spec.cache !== undefined && spec.cache !== null && truth === null
  const cache = isCached ? new WarmUpCache({ spec: spec.cache, warmupNs, clock, report }) : null
  const beginsAtNs = (session: StateFound['session']): bigint => beginningOf(session, warmupNs, reachNs)
  const { world, rings, stateFound, warmUp } = createWorldFrom(spec, truth, store, found, cache, beginsAtNs)
  const { session, replacedFor, message, canSave } = stateFound
  if (state !== null) report({ kind: 'opened', replacedFor, message, publishSeq: session?.publishSeq ?? 0 })
  const beginsNs = beginsAtNs(session)
  const worldId = session?.worldId ?? gameDay?.worldId ?? randomBytes(8).toString('hex')
  const log = store === null || !canSave ? null : new WorldLog(store.database, worldId)
  // The notes of the former world stay beside its save.
  if (!canSave) store?.database.close()
  truth?.begin(world, worldId, microsOf(beginsNs))
  const isKept = cache !== null && rings === undefined && beginsNs === warmupNs
  const changes = isKept ? new WarmUpChanges() : null
  return new SimulationSource({
    world,
    exposition,
    clock,
    speed,
    warmUpNs: beginsNs - world.nowNs,
    cadenceMs,
    rings,
    keeper:
      state === null || (store !== null && !canSave)
        ? null
        : new WorldKeeper({
            store,
            log,
            identity: state.identity,
            worldId,
            world: () => world.savedWorld(),
            publishSeq: session?.publishSeq ?? 0,
            hasUnsavedSteps: warmUp !== null,
            report,
            nowMs: clock.nowMs,
          }),
    actions: openActions(spec, world, log, report, truth),
    changeFeed: worldChangeFeed(world, {
      worldId,
      figures: {
        seed: String(spec.seed),
        scale: String(spec.scale),
        scenario: blind ? '' : (scenario?.name ?? ''),
        speed,
      },
      warmUpChanges: warmUp ?? [],
      ...(changes !== null && { keep: (parts) => changes.add(parts) }),
    }),
    truth,
    onWarm: isKept ? (ended) => void cache.keep(world, ended, changes!) : undefined,
  })
}

function openActions(
  { gameDay, speed }: SimulationSpec,
  world: BuiltInWorld,
  log: WorldLog | null,
  report: SourceContext['report'],
  truth: TruthKeeper | null,
): ActionsFile | null {
  if (gameDay === undefined || gameDay.actions === null) return null
  const file = new ActionsFile({
    path: gameDay.actions,
    actions: world.actions,
    now: () => world.now,
    speed,
    log,
    report: (isProblem, message) => report({ kind: 'note', isProblem, message }),
    onDone: ({ action, began }, line, text) =>
      truth?.action(began, { did: 'remedy' in action ? 'ordered' : 'injected', text, line }),
  })
  file.open()
  return file
}

function createWorldFrom(
  spec: SimulationSpec,
  truth: TruthKeeper | null,
  store: SessionStore | null,
  found: StateFound,
  cache: WarmUpCache | null,
  beginsAtNs: (session: StateFound['session']) => bigint,
): OpenedWorld {
  const { seed, scale, speed, scenario, warmupNs: warmUpNs, blind = false } = spec
  const withTruth = truth === null ? {} : { truth: truth.options }
  const options = { seed, scale, speed, scenario, blind, warmUpNs, ...withTruth }
  const continued = (saved: SavedState, session: StateFound['session']) => {
    const world = createBuiltInWorld(options, saved.world)
    if (!Array.isArray(saved.rings.entities)) throw new StateMismatch('its history has no entities')
    const readFromNs = beginsAtNs(session)
    const rings = new HistoryRings(world.history, { readFromNs, saved: saved.rings, speed })
    return { world, rings }
  }
  const { session } = found
  let stateFound = found
  if (session !== null) {
    try {
      const { world, rings } = continued(session, session)
      if (world.nowNs !== session.savedNs)
        throw new StateError(`its head is of ${session.savedNs} ns, its world of ${world.nowNs}`)
      return { world, rings, stateFound, warmUp: null }
    } catch (error) {
      stateFound = replacedAfter(store!, error as Error)
    }
  }
  const cached = cache?.find() ?? null
  if (cached !== null) {
    try {
      return { ...continued(cached, null), stateFound, warmUp: cached.warmUpChanges }
    } catch (error) {
      cached.discard((error as Error).message)
    }
  }
  return { world: createBuiltInWorld(options), stateFound, warmUp: null }
}

/** A state of an unexpected shape counts as that of another version; one that fails otherwise counts as damaged. */
const replacedAfter = (store: SessionStore, error: Error): StateFound =>
  error instanceof StateMismatch
    ? replaceWorld(store, 'version', `${store.path} is of another version of the program: ${error.message}`)
    : replaceWorld(store, 'damaged', `The world of ${store.path} cannot be continued: ${error.message}`)
