import type { Condition, Fault, FaultTarget } from '../state.ts'
import { sameTarget } from './targets.ts'

/**
 * What is broken follows from the faults that are active: whenever one begins or ends, the marks of its target
 * are made anew from all that hold it, so that overlapping faults never leave or lose a mark. The magnitude of a
 * power supply failure says which supplies are gone: 1 that on feed A, 2 that on feed B, 3 both.
 */
export function settleMarks(condition: Condition, target: FaultTarget, active: readonly Fault[]): void {
  condition.version++
  const here = active.filter((fault) => sameTarget(fault.target, target))
  const count = (kind: Fault['kind']): number => here.filter((fault) => fault.kind === kind).length
  const share = (kind: Fault['kind']): number =>
    1 - here.reduce((left, fault) => (fault.kind === kind ? left * (1 - fault.magnitude) : left), 1)
  const bits = (kind: Fault['kind']): number =>
    here.reduce(
      (set, fault) => (fault.kind === kind ? set | Math.min(3, Math.max(1, fault.magnitude)) : set),
      0,
    )
  switch (target.kind) {
    case 'Host':
      condition.hostBroken[target.row] = count('HostFailure')
      condition.hostDiskBroken[target.row] = count('DiskFailure')
      condition.hostFanBroken[target.row] = count('FanFailure')
      condition.hostSupplyBroken[target.row] = bits('PowerSupplyFailure')
      break
    case 'Switch':
      condition.switchBroken[target.row] = count('SwitchFailure')
      condition.switchSupplyBroken[target.row] = bits('PowerSupplyFailure')
      condition.switchFabricLost[target.row] = share('FirmwareFault')
      condition.switchStorm[target.row] = count('BroadcastStorm')
      break
    case 'Gateway':
      condition.gatewayBroken[target.row] = count('GatewayFailure')
      condition.gatewayWithdrawn[target.row] = count('Misconfiguration')
      condition.gatewayThrottle[target.row] = share('AddonThrottling')
      break
    case 'Appliance':
      condition.applianceBroken[target.row] = count('ApplianceFailure')
      condition.applianceMisrule[target.row] = share('Misconfiguration')
      break
    case 'PowerFeed':
      condition.feedBroken[target.row] = count('PowerFeedLoss')
      break
    case 'CoolingUnit':
      condition.coolingBroken[target.row] = count('CoolingFailure')
      break
    case 'Cable':
      condition.cableCut[target.row] = count('CableCut')
      break
    case 'Port':
      condition.portLoss[target.row] = share('TransceiverFailure')
      condition.portFlapping[target.row] = count('PortFlap')
      break
    case 'Customer':
    case 'Pool':
      break
  }
}
