import type { ObservedWorld } from '../state.ts'
import type { BlastRadius } from './correlation/blast-radius.ts'
import type { CauseCatalog, Telemetry } from './diagnosis/cause-diagnosis.ts'
import type { FaultInspector } from './diagnosis/inspection.ts'

/** The inputs of incident response: the observable world, its telemetry, the catalog of causes, and inspections. */
export interface IncidentContext {
  readonly world: ObservedWorld
  readonly blastRadius: BlastRadius
  readonly telemetry: Telemetry
  readonly catalog: CauseCatalog
  readonly inspector: FaultInspector
}

/** Whether operators only observe: they inspect nothing, and symptoms alone open and resolve incidents. */
export const isHandedOver = ({ world: { now, handover } }: Pick<IncidentContext, 'world'>): boolean =>
  handover !== null && now >= handover
