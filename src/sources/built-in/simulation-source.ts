import type { Clock } from '../../contract/clock.ts'
import type { SnapshotContent } from '../../encoding/frames/frame-builder.ts'
import { allParts } from '../../encoding/frames/frame-parts.ts'
import type { FramePart } from '../../encoding/frames/frame-parts.ts'
import type { Exposition } from '../../metrics/exposition/exposition.ts'
import { HistoryRings } from '../../metrics/history/history-rings.ts'
import { stepNs, stepSeconds } from '../../world/built-in-world.ts'
import type { BuiltInWorld } from '../../world/built-in-world.ts'
import type { ChangeFeed, PublishCost, Source, WarmUp } from '../source.ts'
import type { ActionsFile } from './actions-file.ts'
import type { TruthKeeper } from './truth-keeper.ts'
import type { SessionState, WorldKeeper } from './world-keeper.ts'

/** The part of a simulation that this source uses. */
export type SteppedWorld = Pick<BuiltInWorld, 'nowNs' | 'history' | 'step' | 'snapshot'>

interface SimulationSourceOptions {
  readonly world: SteppedWorld
  readonly exposition: Exposition
  readonly clock: Clock
  /** Simulated seconds per wall second; 0 means paused. */
  readonly speed: number
  /** Simulated time before the first capture. */
  readonly warmUpNs: bigint
  readonly cadenceMs: number
  /** The metric history of a continued world; created if left out. */
  readonly rings?: HistoryRings | undefined
  /** Null if the world is not saved. */
  readonly keeper?: WorldKeeper | null
  /** Null if no actions are injected. */
  readonly actions?: Pick<ActionsFile, 'poll' | 'announce'> | null
  /** Null if no truth is written. */
  readonly truth?: Pick<TruthKeeper, 'caughtUp' | 'refresh' | 'close'> | null
  readonly changeFeed?: ChangeFeed | undefined
  /** Called at the end of the warm-up. */
  readonly onWarm?: ((state: () => SessionState) => void) | undefined
}

/** Interval of checks of the file of actions. */
const pollIntervalMs = 200

/** The maximum backlog in wall time of a world that cannot keep up. */
export const lagMaxMs = 60_000

/** The weight of the newest step in the mean duration of a step. */
const newestStepWeight = 0.1

/** The embedded simulation, driven by wall time. */
export class SimulationSource implements Source {
  readonly history: HistoryRings
  readonly changeFeed?: ChangeFeed
  readonly #options: SimulationSourceOptions
  readonly #beganNs: bigint
  /** The scheduled time of the next step; null until the warm-up is over. */
  #dueMs: number | null = null
  #stepMs = 0
  #polledMs = -Infinity

  constructor(options: SimulationSourceOptions) {
    const { world, speed, warmUpNs, changeFeed, rings } = options
    this.#options = options
    this.#beganNs = world.nowNs
    this.history = rings ?? new HistoryRings(world.history, { readFromNs: world.nowNs + warmUpNs, speed })
    if (changeFeed !== undefined) this.changeFeed = changeFeed
  }

  warmUp(untilMs: number): WarmUp {
    const { world, clock, warmUpNs, truth, keeper, onWarm } = this.#options
    const endNs = this.#beganNs + warmUpNs
    this.#pollActions('the world warms up')
    let nowMs = clock.nowMs()
    while (world.nowNs + stepNs <= endNs && nowMs < untilMs) nowMs = this.#step(nowMs)
    const simTimeNs = world.nowNs
    if (simTimeNs + stepNs > endNs) {
      truth?.caughtUp()
      // From the first publish on, a restart continues the world.
      void keeper?.saveUnsaved(() => this.#sessionState())
      onWarm?.(() => this.#sessionState())
      return { done: 1, simTimeNs }
    }
    return { done: Number(simTimeNs - this.#beganNs) / Number(warmUpNs), simTimeNs }
  }

  advance(untilMs: number): number {
    const { clock, speed, actions = null, truth } = this.#options
    const isPaused = speed === 0
    this.#pollActions(isPaused ? 'the world is paused (--speed 0)' : null)
    if (isPaused) return actions === null ? Infinity : pollIntervalMs
    const stepWallMs = (stepSeconds * 1000) / speed
    let nowMs = clock.nowMs()
    this.#dueMs ??= nowMs + stepWallMs
    if (nowMs - this.#dueMs > lagMaxMs) this.#dueMs = nowMs - lagMaxMs
    while (this.#dueMs <= nowMs && nowMs < untilMs) {
      nowMs = this.#step(nowMs)
      this.#dueMs += stepWallMs
    }
    truth?.refresh()
    const waitMs = Math.max(0, this.#dueMs - nowMs)
    return actions === null ? waitMs : Math.min(waitMs, pollIntervalMs)
  }

  capture(previous: PublishCost | null, parts: readonly FramePart[] = allParts): SnapshotContent {
    const { world, clock, cadenceMs, exposition: metrics, keeper } = this.#options
    const capturedAtMs = clock.nowMs()
    const snapshot = world.snapshot(parts.length > 0)
    const projectMs = clock.nowMs() - capturedAtMs
    const lagMs = this.#dueMs === null ? 0 : Math.max(0, capturedAtMs - this.#dueMs)
    snapshot.diagnostics.publish = {
      cadence_ms: cadenceMs,
      step_ms: tenths(this.#stepMs),
      project_ms: tenths(previous?.projectMs ?? 0),
      encode_ms: tenths(previous?.encodeMs ?? 0),
      records_encoded: previous?.recordsEncoded ?? 0,
      records_total: previous?.recordsTotal ?? 0,
      bytes_total: previous?.bytesTotal ?? 0,
      lag_ms: tenths(lagMs),
    }
    const exposition = parts.includes('samples') ? metrics.render(snapshot) : []
    keeper?.published(snapshot.simTimeNs)
    return { snapshot, parts, exposition, capturedAtMs, projectMs }
  }

  async close(): Promise<void> {
    this.#options.truth?.close()
    await this.#options.keeper?.close(() => this.#sessionState())
  }

  /** `reason` says why no action is taken now; null if actions are. */
  #pollActions(reason: string | null): void {
    const { clock, actions = null } = this.#options
    const nowMs = clock.nowMs()
    if (actions === null || nowMs - this.#polledMs < pollIntervalMs) return
    this.#polledMs = nowMs
    if (reason === null) actions.poll()
    else actions.announce(reason)
  }

  #sessionState(): SessionState {
    return { rings: this.history.saved(), simTimeNs: this.#options.world.nowNs }
  }

  /** Returns the time after the step. */
  #step(beganMs: number): number {
    const { world, clock, keeper } = this.#options
    world.step()
    this.history.record(world.nowNs)
    const nowMs = clock.nowMs()
    this.#stepMs += (nowMs - beganMs - this.#stepMs) * newestStepWeight
    if (keeper?.stepped(nowMs - beganMs) !== true) return nowMs
    void keeper.saveUnsaved(() => this.#sessionState())
    return clock.nowMs()
  }
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10
