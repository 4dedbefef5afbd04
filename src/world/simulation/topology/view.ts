/** The interface of the topology to records: tables, names and positions. */
export { nameOf, placeOf, portOwnerName, rackOf, targetId, zonesOf } from './entities.ts'
export type { FaultTarget } from './fault-target.ts'
export { isOptical } from './optics.ts'
