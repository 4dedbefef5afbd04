/** The interface of faults to records, for the truth and the condition of equipment. */
export { coolingConditionPct, hostConditionPct } from './hazards/wear.ts'
export type { Fault } from './model.ts'
