/** The interface of the truth about faults to records. */
export { touchedBy } from './fault-entities.ts'
export type { FaultRecord } from './fault-log.ts'
export { type Harm, harmOf, type Truth } from './truth.ts'
