import { shutdownCelsius, throttleCelsius } from '../../facility/limits.ts'
import type { TenantContext } from '../context.ts'
import { condition, conditionCount } from '../host-conditions.ts'
import type { HostConditions } from '../host-conditions.ts'
import { diskFactor } from './latency.ts'

/** CPU speed of a host at the shutdown temperature. */
const throttledSpeed = 0.45

/** Smaller changes of a delay are ignored. */
export const isNoticeable = (ms: number, lastMs: number): boolean =>
  Math.abs(ms - lastMs) > 0.02 + 0.03 * lastMs

/** CPU speed by temperature: falls linearly between the throttle and the shutdown temperature. */
export function thermalSpeed(celsius: number): number {
  if (celsius <= throttleCelsius) return 1
  const excess = Math.min(celsius, shutdownCelsius) - throttleCelsius
  return 1 - (1 - throttledSpeed) * (excess / (shutdownCelsius - throttleCelsius))
}

/** Updates the conditions of all hosts. Returns whether any has changed. */
export function updateHostConditions(
  { world, state }: TenantContext,
  { rows, changed }: HostConditions,
): boolean {
  const { hostDeliveredIn, hostDeliveredOut, hostQueueMs, hostInspectionMs } = world.network
  const { contention, iopsUsed } = state.load
  const { hostCelsius } = world.facility
  const { hostDiskBroken, hostMemoryLoss, hostClockOff } = world.condition
  let anyChanged = false
  changed.fill(0)
  for (const host of world.topology.hosts.rows) {
    const row = host * conditionCount
    const demand = contention[host]
    const speed = (thermalSpeed(hostCelsius[host]) * (1 - hostMemoryLoss[host])) / (demand > 1 ? demand : 1)
    const accepted = 1 - hostClockOff[host]
    const disk = diskFactor(iopsUsed[host] / state.capacity.iops[host], hostDiskBroken[host] !== 0)
    if (
      hostDeliveredIn[host] !== rows[row + condition.deliveredIn] ||
      accepted !== rows[row + condition.accepted] ||
      hostDeliveredOut[host] !== rows[row + condition.deliveredOut] ||
      speed !== rows[row + condition.speed] ||
      disk !== rows[row + condition.diskFactor] ||
      isNoticeable(hostQueueMs[host], rows[row + condition.queueMs]) ||
      isNoticeable(hostInspectionMs[host], rows[row + condition.inspectionMs])
    ) {
      anyChanged = true
      changed[host] = 1
      rows[row + condition.deliveredIn] = hostDeliveredIn[host]
      rows[row + condition.accepted] = accepted
      rows[row + condition.deliveredOut] = hostDeliveredOut[host]
      rows[row + condition.speed] = speed
      rows[row + condition.diskFactor] = disk
      rows[row + condition.queueMs] = hostQueueMs[host]
      rows[row + condition.inspectionMs] = hostInspectionMs[host]
    }
    rows[row + condition.contention] = demand
  }
  return anyChanged
}
