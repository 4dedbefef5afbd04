import type { ObservedWorld } from '../state.ts'
import type { BlastRadius } from './correlation/blast-radius.ts'
import type { CauseCatalog, Telemetry } from './diagnosis/cause-diagnosis.ts'

/** The inputs of incident response: the observable world, its telemetry, and the catalog of causes. */
export interface IncidentContext {
  readonly world: ObservedWorld
  readonly blastRadius: BlastRadius
  readonly telemetry: Telemetry
  readonly catalog: CauseCatalog
}

/** Whether operators only observe: they inspect nothing, and symptoms alone open and resolve incidents. */
export const isHandedOver = ({ world: { now, handover } }: Pick<IncidentContext, 'world'>): boolean =>
  handover !== null && now >= handover
