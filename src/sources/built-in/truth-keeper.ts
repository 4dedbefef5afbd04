import { second } from '../../world/built-in-world.ts'
import type { BuiltInWorld, FaultTruth, Micros, TruthOptions } from '../../world/built-in-world.ts'
import type { TruthMoment, TruthSession } from '../../contract/game-days/truth-line.ts'
import type { SourceContext } from '../source-kind.ts'
import type { SimulationSpec } from './kind.ts'
import { TruthFile } from './truth-file.ts'

/** Writes the truth file of a world that follows wall time. */
export interface TruthKeeper {
  readonly options: TruthOptions
  /** Sets the world, and the simulated time at which it will have caught up with wall time. */
  begin(world: BuiltInWorld, worldId: string, caughtUpAt: Micros): void
  /** Called when the world has caught up: what happened before is dated back from now. */
  caughtUp(): void
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

/** Null if no truth is written. */
export function openTruth(
  { gameDay, speed }: SimulationSpec,
  { report, clock }: Pick<SourceContext, 'report' | 'clock'>,
): TruthKeeper | null {
  if (gameDay === undefined || gameDay.truth === null) return null
  const path = gameDay.truth
  let file: TruthFile | null = null
  let world: BuiltInWorld | null = null
  const warmUp = new WarmUpTimes(speed)
  const held: FaultTruth[] = []

  const caughtUp = (): void => {
    warmUp.endWallSeconds ??= clock.wallMs() / 1000
    for (const fault of held.splice(0)) file?.write(warmUp.dated(fault), sessionNow(false))
  }
  const sessionNow = (isOver: boolean): TruthSession | null => {
    if (world === null || warmUp.endWallSeconds === null) return null
    return {
      began: { sim_s: warmUp.to, wall_s: tenths(warmUp.endWallSeconds) },
      ended: isOver ? { sim_s: world.now / second, wall_s: tenths(clock.wallMs() / 1000) } : null,
    }
  }
  const writeOpen = (isOver: boolean): void => {
    if (world === null) return
    const faults = world.openFaults().filter((fault) => isOver || isLasting(fault))
    file?.writeOpen(
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
        else file?.write(warmUp.dated(fault), sessionNow(false))
      },
    },
    begin(created, worldId, catchesUpAt) {
      world = created
      file = new TruthFile({
        path,
        worldId,
        onProblem: (message) => report({ kind: 'note', isProblem: true, message }),
      })
      warmUp.from = created.now / second
      warmUp.to = catchesUpAt / second
    },
    caughtUp,
    refresh() {
      const nowMs = clock.nowMs()
      if (nowMs - refreshedMs < refreshIntervalMs) return
      refreshedMs = nowMs
      writeOpen(false)
    },
    close() {
      caughtUp()
      writeOpen(true)
    },
  }
}
