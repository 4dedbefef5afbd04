import { second } from '../../world/built-in-world.ts'
import type { BuiltInWorld, FaultTruth, Micros, TruthOptions } from '../../world/built-in-world.ts'
import type { SessionAction } from '../../contract/game-days/session-line.ts'
import type { TruthMoment } from '../../contract/game-days/truth-line.ts'
import type { SourceContext } from '../source-kind.ts'
import type { SimulationSpec } from './simulation-spec.ts'
import { TruthRows } from './truth-rows.ts'

const refreshIntervalMs = 5_000

/** Others are about to be complete: only then is it known that no incident follows. */
const isLasting = ({ end, incidents }: FaultTruth): boolean =>
  end === null || incidents.some(({ resolved_after_s: after }) => after === null)

const tenths = (seconds: number): number => Math.round(seconds * 10) / 10

/** Null if no truth is written. */
export function openTruth(spec: SimulationSpec, context: TruthContext): TruthKeeper | null {
  const path = spec.gameDay?.truth ?? null
  return path === null ? null : new TruthKeeper(spec, path, context)
}

type TruthContext = Pick<SourceContext, 'report' | 'clock'>

/** Keeps the truth about a world that follows wall time. */
export class TruthKeeper {
  readonly options: TruthOptions
  readonly #spec: SimulationSpec
  readonly #path: string
  readonly #context: TruthContext
  #world: BuiltInWorld | null = null
  #rows: TruthRows | null = null
  /** Simulated seconds between which the world catches up with wall time, and the wall time of the end of that. */
  #catchesUp = { from: 0, to: 0 }
  #caughtUpSeconds: number | null = null
  /** Faults that are over before the world has caught up. */
  readonly #held: FaultTruth[] = []
  #refreshedMs = -Infinity

  constructor(spec: SimulationSpec, path: string, context: TruthContext) {
    this.#spec = spec
    this.#path = path
    this.#context = context
    const { speed } = spec
    this.options = {
      // Wall times of events from before the session are extrapolated at its speed.
      wallOf: (at) => {
        const now = Math.max(this.#world?.now ?? at, this.#catchesUp.to * second)
        return context.clock.wallMs() / 1000 - (speed === 0 ? 0 : (now - at) / second / speed)
      },
      onComplete: (fault) => {
        if (this.#caughtUpSeconds === null) this.#held.push(fault)
        else this.#write([fault], true)
      },
    }
  }

  /** Sets the world, and the simulated time at which it will have caught up with wall time. */
  begin(world: BuiltInWorld, worldId: string, caughtUpAt: Micros): void {
    const { report } = this.#context
    const onProblem = (message: string): void => report({ kind: 'note', isProblem: true, message })
    this.#world = world
    this.#rows = new TruthRows({ path: this.#path, worldId, onProblem })
    this.#catchesUp = { from: world.now / second, to: caughtUpAt / second }
  }

  /** Called when the world has caught up: what happened before is dated back from now. */
  caughtUp(): void {
    if (this.#caughtUpSeconds !== null) return
    const { seed, scale, speed, warmupNs, blind = false, gameDay } = this.#spec
    const [warmUp, scenario] = [Number(warmupNs) / 1e9, gameDay?.scenario ?? '']
    const began = this.#momentAt(this.#catchesUp.to * second)
    this.#rows?.note({
      opened: { seed: String(seed), scale, speed, warmup_s: warmUp, scenario, blind, began },
    })
    this.#caughtUpSeconds = this.#context.clock.wallMs() / 1000
    this.#write(this.#held.splice(0), true)
  }

  /** Notes an action of the session, at a simulated time. */
  action(at: Micros, action: Pick<SessionAction, 'did' | 'text' | 'line'>): void {
    this.#rows?.note({ at: this.#momentAt(at), ...action })
  }

  /** Brings the lines of faults that last up to date, every few seconds. */
  refresh(): void {
    const nowMs = this.#context.clock.nowMs()
    if (nowMs - this.#refreshedMs < refreshIntervalMs) return
    this.#refreshedMs = nowMs
    this.#write(this.#world?.openFaults().filter(isLasting) ?? [], false)
  }

  close(): void {
    this.caughtUp()
    if (this.#world === null) return
    const ended = this.#momentAt(this.#world.now)
    this.#write(this.#world.openFaults(), false, ended)
    this.#rows?.note({ closed: ended })
    this.#rows?.close()
  }

  #momentAt(at: Micros): TruthMoment {
    return { sim_s: at / second, wall_s: tenths(this.#context.clock.wallMs() / 1000) }
  }

  #write(faults: readonly FaultTruth[], isOver: boolean, ended: TruthMoment | null = null): void {
    const began = { sim_s: this.#catchesUp.to, wall_s: tenths(this.#caughtUpSeconds ?? 0) }
    const session = this.#caughtUpSeconds === null ? null : { began, ended }
    const dated = faults.map(({ begin, end, ...fault }) => ({
      ...fault,
      begin: this.#dated(begin),
      end: end === null ? null : this.#dated(end),
    }))
    this.#rows?.write(dated, isOver, session)
  }

  /** Wall time passes slower while the world catches up, so the times noted then are corrected. */
  #dated(moment: TruthMoment): TruthMoment {
    const { from, to } = this.#catchesUp
    const { speed } = this.#spec
    const isMeanwhile = moment.sim_s > from && moment.sim_s <= to
    if (!isMeanwhile || speed === 0 || this.#caughtUpSeconds === null) return moment
    return { ...moment, wall_s: tenths(this.#caughtUpSeconds - (to - moment.sim_s) / speed) }
  }
}
