import { second } from '../../world/built-in-world.ts'
import type { BuiltInWorld, FaultTruth, Micros, TruthOptions } from '../../world/built-in-world.ts'
import type { SessionAction } from '../../contract/game-days/session-line.ts'
import type { TruthMoment, TruthSession } from '../../contract/game-days/truth-line.ts'
import type { SourceContext } from '../source-kind.ts'
import type { SimulationSpec } from './simulation-spec.ts'
import { TruthRows } from './truth-rows.ts'

/** Keeps the truth about a world that follows wall time. */
export interface TruthKeeper {
  readonly options: TruthOptions
  /** Sets the world, and the simulated time at which it will have caught up with wall time. */
  begin(world: BuiltInWorld, worldId: string, caughtUpAt: Micros): void
  /** Called when the world has caught up: what happened before is dated back from now. */
  caughtUp(): void
  /** Notes an action of the session, at a simulated time. */
  action(at: Micros, action: Pick<SessionAction, 'did' | 'text' | 'line'>): void
  /** Brings the lines of faults that last up to date, every few seconds. */
  refresh(): void
  close(): void
}

const refreshIntervalMs = 5_000

/** Others are about to be complete: only then is it known that no incident follows. */
const isLasting = ({ end, incidents }: FaultTruth): boolean =>
  end === null || incidents.some(({ resolved_after_s: after }) => after === null)

const tenths = (seconds: number): number => Math.round(seconds * 10) / 10

/**
 * Simulated seconds between which the world catches up with wall time, and the end of that. Wall time passes slower
 * meanwhile, so the times noted then are corrected.
 */
class WarmUpTimes {
  from = 0
  to = 0
  endWallSeconds: number | null = null
  readonly #speed: number

  constructor(speed: number) {
    this.#speed = speed
  }

  dated({ begin, end, ...fault }: FaultTruth): FaultTruth {
    return { ...fault, begin: this.#datedMoment(begin), end: end === null ? null : this.#datedMoment(end) }
  }

  #datedMoment(moment: TruthMoment): TruthMoment {
    const isMeanwhile = moment.sim_s > this.from && moment.sim_s <= this.to
    if (!isMeanwhile || this.#speed === 0 || this.endWallSeconds === null) return moment
    return { ...moment, wall_s: tenths(this.endWallSeconds - (this.to - moment.sim_s) / this.#speed) }
  }
}

const momentOf = (at: Micros, wallMs: number): TruthMoment => ({
  sim_s: at / second,
  wall_s: tenths(wallMs / 1000),
})

/** Null if no truth is written. */
export function openTruth(
  spec: SimulationSpec,
  { report, clock }: Pick<SourceContext, 'report' | 'clock'>,
): TruthKeeper | null {
  const { gameDay, speed } = spec
  const path = gameDay?.truth ?? null
  if (path === null) return null
  let rows: TruthRows | null = null
  let world: BuiltInWorld | null = null
  const warmUp = new WarmUpTimes(speed)
  const held: FaultTruth[] = []
  const momentAt = (at: Micros): TruthMoment => momentOf(at, clock.wallMs())
  const caughtUp = (): void => {
    if (warmUp.endWallSeconds === null) rows?.open(spec, momentAt(warmUp.to * second))
    warmUp.endWallSeconds ??= clock.wallMs() / 1000
    for (const fault of held.splice(0)) rows?.write(warmUp.dated(fault), sessionNow(false))
  }
  const sessionNow = (isOver: boolean): TruthSession | null => {
    if (world === null || warmUp.endWallSeconds === null) return null
    return {
      began: { sim_s: warmUp.to, wall_s: tenths(warmUp.endWallSeconds) },
      ended: isOver ? momentAt(world.now) : null,
    }
  }
  const writeOpen = (isOver: boolean): void => {
    if (world === null) return
    const faults = world.openFaults().filter((fault) => isOver || isLasting(fault))
    rows?.writeOpen(
      faults.map((fault) => warmUp.dated(fault)),
      sessionNow(isOver),
    )
  }
  let refreshedMs = -Infinity
  return {
    options: {
      // Wall times of events from before the session are extrapolated at its speed.
      wallOf(at) {
        const now = Math.max(world?.now ?? at, warmUp.to * second)
        return clock.wallMs() / 1000 - (speed === 0 ? 0 : (now - at) / second / speed)
      },
      onComplete(fault) {
        if (warmUp.endWallSeconds === null) held.push(fault)
        else rows?.write(warmUp.dated(fault), sessionNow(false))
      },
    },
    begin(created, worldId, catchesUpAt) {
      world = created
      const onProblem = (message: string): void => report({ kind: 'note', isProblem: true, message })
      rows = new TruthRows({ path, worldId, onProblem })
      warmUp.from = created.now / second
      warmUp.to = catchesUpAt / second
    },
    caughtUp,
    action: (at, action) => rows?.note({ at: momentAt(at), ...action }),
    refresh() {
      const nowMs = clock.nowMs()
      if (nowMs - refreshedMs < refreshIntervalMs) return
      refreshedMs = nowMs
      writeOpen(false)
    },
    close() {
      caughtUp()
      writeOpen(true)
      if (world !== null) rows?.note({ closed: momentAt(world.now) })
      rows?.close()
    },
  }
}
