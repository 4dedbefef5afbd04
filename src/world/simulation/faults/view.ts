/** The interface of faults to records, for truth files and the condition of equipment. */
export { coolingConditionPct, hostConditionPct } from './hazards/wear.ts'
export type { Fault } from './model.ts'
