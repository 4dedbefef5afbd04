import type { Simulation } from '../../world/records/simulation.ts'
import { type Micros, second } from '../../world/simulation/time.ts'
import type { FaultLogOptions } from '../../world/simulation/world.ts'
import type { SourceContext } from '../source-kind.ts'
import type { SimulationSpec } from './kind.ts'
import { TruthFile } from './truth-file.ts'

/** Writes the truth about a world that follows wall time. */
export interface TruthKeeper {
  readonly faultLog: FaultLogOptions
  /** Tells it the world, and when that will have caught up with wall time. */
  begin(simulation: Simulation, worldId: string, caughtUpAt: Micros): void
  close(): void
}

/** Null if no truth is written. */
export function openTruth(
  { gameDay, speed }: SimulationSpec,
  report: SourceContext['report'],
): TruthKeeper | null {
  if (gameDay === undefined || gameDay.truth === null) return null
  const path = gameDay.truth
  let file: TruthFile | null = null
  let simulation: Simulation | null = null
  let caughtUpAt: Micros = 0
  return {
    faultLog: {
      // What happened before the session began did so at its speed.
      wallOf(at) {
        const now = Math.max(simulation?.state.now ?? at, caughtUpAt)
        return Date.now() / 1000 - (speed === 0 ? 0 : (now - at) / second / speed)
      },
      onComplete(record) {
        if (simulation !== null) file?.write(simulation.world, record)
      },
    },
    begin(created, worldId, catchesUpAt) {
      simulation = created
      file = new TruthFile({
        path,
        worldId,
        onProblem: (message) => report({ kind: 'note', isProblem: true, message }),
      })
      caughtUpAt = catchesUpAt
    },
    close() {
      if (simulation !== null) file?.close(simulation.world)
    },
  }
}
