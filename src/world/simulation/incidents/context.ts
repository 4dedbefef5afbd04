import type { ObservedWorld } from '../state.ts'
import type { BlastRadius } from './correlation/blast-radius.ts'
import type { CauseCatalog, Telemetry } from './diagnosis/cause-diagnosis.ts'

/** What incident response reads: the observable world, its own measurements, and what is known of causes. */
export interface IncidentContext {
  readonly world: ObservedWorld
  readonly blastRadius: BlastRadius
  readonly telemetry: Telemetry
  readonly catalog: CauseCatalog
}
