import { second } from '../../world/built-in-world.ts'
import type { BuiltInWorld, FaultTruth, Micros, TruthOptions } from '../../world/built-in-world.ts'
import type { TruthSession } from '../../contract/game-days/truth-line.ts'
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

/** Null if no truth is written. */
export function openTruth(
  { gameDay, speed }: SimulationSpec,
  { report, clock }: Pick<SourceContext, 'report' | 'clock'>,
): TruthKeeper | null {
  if (gameDay === undefined || gameDay.truth === null) return null
  const path = gameDay.truth
  let file: TruthFile | null = null
  let world: BuiltInWorld | null = null
  /** Simulated seconds between which the world catches up. */
  let catchesUp: readonly [from: number, to: number] = [0, 0]
  let caughtUpWallSeconds: number | null = null
  const held: FaultTruth[] = []

  /** Wall time passes slower while the world catches up, so the times noted meanwhile are corrected. */
  const dated = <M extends { readonly sim_s: number; readonly wall_s: number }>(moment: M): M => {
    const [from, to] = catchesUp
    const isMeanwhile = moment.sim_s > from && moment.sim_s <= to
    if (!isMeanwhile || speed === 0 || caughtUpWallSeconds === null) return moment
    const seconds = caughtUpWallSeconds - (to - moment.sim_s) / speed
    return { ...moment, wall_s: Math.round(seconds * 10) / 10 }
  }
  const datedFault = (fault: FaultTruth): FaultTruth => ({
    ...fault,
    begin: dated(fault.begin),
    end: fault.end === null ? null : dated(fault.end),
  })
  const caughtUp = (): void => {
    caughtUpWallSeconds ??= clock.wallMs() / 1000
    for (const fault of held.splice(0)) file?.write(datedFault(fault), sessionNow(false))
  }
  const sessionNow = (isOver: boolean): TruthSession | null => {
    if (world === null || caughtUpWallSeconds === null) return null
    const wallSeconds = Math.round(clock.wallMs() / 100) / 10
    return {
      began: { sim_s: catchesUp[1], wall_s: Math.round(caughtUpWallSeconds * 10) / 10 },
      ended: isOver ? { sim_s: world.now / second, wall_s: wallSeconds } : null,
    }
  }
  const writeOpen = (isOver: boolean): void => {
    if (world === null) return
    const faults = world.openFaults().filter((fault) => isOver || isLasting(fault))
    file?.writeOpen(faults.map(datedFault), sessionNow(isOver))
  }
  let refreshedMs = -Infinity
  return {
    options: {
      // Wall times of events from before the session are extrapolated at its speed.
      wallOf(at) {
        const now = Math.max(world?.now ?? at, catchesUp[1] * second)
        return clock.wallMs() / 1000 - (speed === 0 ? 0 : (now - at) / second / speed)
      },
      onComplete(fault) {
        if (caughtUpWallSeconds === null) held.push(fault)
        else file?.write(datedFault(fault), sessionNow(false))
      },
    },
    begin(created, worldId, catchesUpAt) {
      world = created
      file = new TruthFile({
        path,
        worldId,
        onProblem: (message) => report({ kind: 'note', isProblem: true, message }),
      })
      catchesUp = [created.now / second, catchesUpAt / second]
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
