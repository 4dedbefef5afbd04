/** What records read of the truth about faults. */
export { touchedBy } from './fault-entities.ts'
export type { FaultRecord } from './fault-log.ts'
export type { Truth } from './truth.ts'
