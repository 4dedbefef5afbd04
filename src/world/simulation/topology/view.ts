/** The equipment as records read it: tables, names and places. */
export { nameOf, placeOf, portOwnerName, rackOf, targetId } from './entities.ts'
export type { FaultTarget } from './fault-target.ts'
export { isOptical } from './optics.ts'
