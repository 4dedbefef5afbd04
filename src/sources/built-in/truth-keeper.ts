import { second } from '../../world/built-in-world.ts'
import type { BuiltInWorld, Micros, TruthOptions } from '../../world/built-in-world.ts'
import type { SourceContext } from '../source-kind.ts'
import type { SimulationSpec } from './kind.ts'
import { TruthFile } from './truth-file.ts'

/** Writes the truth file of a world that follows wall time. */
export interface TruthKeeper {
  readonly options: TruthOptions
  /** Sets the world, and the simulated time at which it will have caught up with wall time. */
  begin(world: BuiltInWorld, worldId: string, caughtUpAt: Micros): void
  close(): void
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
  let caughtUpAt: Micros = 0
  return {
    options: {
      // Wall times of events from before the session are extrapolated at its speed.
      wallOf(at) {
        const now = Math.max(world?.now ?? at, caughtUpAt)
        return clock.wallMs() / 1000 - (speed === 0 ? 0 : (now - at) / second / speed)
      },
      onComplete: (fault) => file?.write(fault),
    },
    begin(created, worldId, catchesUpAt) {
      world = created
      file = new TruthFile({
        path,
        worldId,
        onProblem: (message) => report({ kind: 'note', isProblem: true, message }),
      })
      caughtUpAt = catchesUpAt
    },
    close() {
      if (world !== null) file?.close(world.openFaults())
    },
  }
}
