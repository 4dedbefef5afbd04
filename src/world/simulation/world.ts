import type { Truth } from './truth/truth.ts'
import { activeTruths } from './truth/truth.ts'
import type { Quests } from './quests/quests.ts'
import { createQuests } from './quests/quests.ts'
import { adoptState } from './adopt-state.ts'
import type { InjectedActions } from './scenarios/injected-actions.ts'
import { createInjectedActions } from './scenarios/injected-actions.ts'
import type { PlotRunner } from './scenarios/plot-runner.ts'
import { createPlotRunner } from './scenarios/plot-runner.ts'
import type { ScenarioRunner } from './scenarios/runner.ts'
import { createScenarioRunner } from './scenarios/runner.ts'
import type { Scenario } from './scenarios/scenario.ts'
import type { BuildableWorld, MutableWorld, Parts } from './step.ts'
import { advanceClock, createParts, createState } from './step.ts'
import type { ScaleName } from './topology/sizing.ts'
import type { SiteState } from './topology/construction/site.ts'
import type { FaultLog, FaultRecord, WallClock } from './truth/fault-log.ts'
import { createFaultLog } from './truth/fault-log.ts'
import { isDue, schedule } from './schedule.ts'
import type { PartViews } from './state.ts'
import type { Micros } from './time.ts'
import { dayNumber } from './time.ts'

export interface WorldOptions {
  readonly seed: bigint
  readonly scale: number | ScaleName
  /** Simulated time before the first snapshot. The times of a scenario count from the end of the warm-up. */
  readonly warmUp: Micros
  readonly scenario: Scenario | null
  /** Whether a team takes over from the operators after the warm-up, and no record names a cause. */
  readonly blind?: boolean
  /** Enables the log of the truth about every fault; the log does not change the world. */
  readonly faultLog?: FaultLogOptions
}

interface FaultLogOptions {
  readonly wallOf: WallClock
  /** Receives each fault once it has ended and its incidents are resolved. */
  readonly onComplete: (record: FaultRecord) => void
}

/** A world with its parts, scenario, injected actions and quests. */
export interface RunningWorld {
  readonly state: BuildableWorld
  readonly parts: Parts
  readonly quests: Quests
  /** Null without a scenario. */
  readonly script: ScenarioRunner | null
  /** Null with a scenario. */
  readonly plots: PlotRunner | null
  readonly injected: InjectedActions
  /** Null unless the truth is logged. */
  readonly faultLog: FaultLog | null
  /** Advances the world by one step. */
  step(): void
  /** The active faults, hidden from records until operators find them. For tests only. */
  truth(): Truth[]
}

/** Creates a world, or continues a saved one, whose seed, scale and scenario are the same. */
export function createWorld(
  { seed, scale, scenario, warmUp, blind = false, faultLog: logging }: WorldOptions,
  saved: SavedWorld | null = null,
): RunningWorld {
  const works = (saved?.blocks['site'] as SiteState | undefined)?.works
  const state = createState(seed, scale, works, blind ? warmUp : null)
  const parts = createParts(state, saved === null)
  const { faults, operations, blastRadius } = parts
  faults.randomFaultRate = scenario?.spontaneity ?? 1
  const quests = createQuests(state, operations)
  const script =
    scenario && createScenarioRunner(state, scenario, scenario.timesCountFrom === 'warm-up' ? warmUp : 0)
  const plots = scenario === null ? createPlotRunner(state, warmUp) : null
  const injected = createInjectedActions(state, warmUp)
  const faultLog = logging === undefined ? null : createFaultLog(state, parts, logging.wallOf)
  if (saved === null) announceStart(state)
  const world: RunningWorld = {
    state,
    parts,
    quests,
    script,
    plots,
    injected,
    faultLog,
    step() {
      if (isDue(schedule.newDay, state.tick) && state.tick > 0) announceDay(state)
      script?.step()
      plots?.step()
      injected.step()
      parts.step()
      quests.step()
      for (const record of faultLog?.step() ?? []) logging?.onComplete(record)
      advanceClock(state)
    },
    truth: () => activeTruths(state, faults, blastRadius),
  }
  if (saved !== null) restore(world, saved)
  return world
}

/** The complete state that determines a world's future, as plain data with references between entities. */
export interface SavedWorld {
  readonly blocks: Readonly<Record<string, unknown>>
  readonly parts: Readonly<Record<string, unknown>>
}

function restore(world: RunningWorld, saved: SavedWorld): void {
  const live = savedWorldOf(world, 'faultLog' in saved.parts)
  adoptState(live, saved, 'world')
  // Containers are shared with the world; plain numbers are copies.
  const numbers = Object.entries(live.blocks).filter(([, value]) => typeof value !== 'object')
  Object.assign(world.state, Object.fromEntries(numbers))
}

/**
 * The state of a world itself, not a copy. Every block, and every part with a property `state`, is saved without code
 * here.
 */
export function savedWorldOf(
  { state, parts, quests, script, plots, injected, faultLog }: RunningWorld,
  withFaultLog = true,
): SavedWorld {
  const blocks = Object.entries(state).flatMap(([name, block]) =>
    name in savedElsewhere ? [] : [[name, hasState(block) ? block.state : block]],
  )
  const owners = Object.entries({
    ...parts,
    quests,
    script,
    plots,
    injected,
    // A restart may turn the log of the truth on or off.
    ...(withFaultLog && { faultLog }),
  }).flatMap(([name, part]) => (hasState(part) ? [[name, part.state]] : []))
  return { blocks: Object.fromEntries(blocks), parts: Object.fromEntries(owners) }
}

const hasState = (owner: unknown): owner is { readonly state: unknown } =>
  typeof owner === 'object' && owner !== null && 'state' in owner

/**
 * Excluded from saved blocks: the topology follows from the site, the handover from the options, and the parts save the
 * state behind their views.
 */
const savedElsewhere: Readonly<Record<keyof PartViews | 'topology' | 'handover', true>> = {
  topology: true,
  handover: true,
  tenants: true,
  faults: true,
  incidents: true,
  incidentControl: true,
  operations: true,
}

function announceDay({ now, events, topology, tenants }: MutableWorld): void {
  events.emit(now, 'DayStarted', 'Info', { kind: 'World', id: null }, 'event.day-started', {
    day: dayNumber(now),
    hosts: topology.hosts.rows.length,
    customers: tenants.active.length,
  })
}

function announceStart({ events, topology, tenants }: MutableWorld): void {
  const counts = { hosts: topology.hosts.rows.length, customers: tenants.active.length }
  events.emit(0, 'WorldStarted', 'Info', { kind: 'World', id: null }, 'event.world-started', counts)
}
