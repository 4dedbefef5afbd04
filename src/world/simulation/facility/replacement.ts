import type { FaultTarget } from '../topology/fault-target.ts'
import type { FacilityWorld } from '../state.ts'

/** Resets the age of a replaced device. Targets other than devices have no age. */
export function replaceDevice({ topology, facility, now }: FacilityWorld, target: FaultTarget): void {
  if (target.kind === 'Host') {
    topology.hosts.installed[target.row] = now
    facility.hostDarkMinutes[target.row] = 0
  } else if (target.kind === 'Switch') {
    topology.switches.installed[target.row] = now
    facility.switchDarkMinutes[target.row] = 0
  } else if (target.kind === 'Gateway') topology.gateways.installed[target.row] = now
  else if (target.kind === 'Appliance') topology.appliances.installed[target.row] = now
}
