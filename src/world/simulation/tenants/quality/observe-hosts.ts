import { shutdownCelsius, throttleCelsius } from '../../facility/limits.ts'
import type { TenantContext } from '../context.ts'
import { conditionAt, conditionCount } from '../host-conditions.ts'
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
      hostDeliveredIn[host] !== rows[row + conditionAt.deliveredIn] ||
      accepted !== rows[row + conditionAt.accepted] ||
      hostDeliveredOut[host] !== rows[row + conditionAt.deliveredOut] ||
      speed !== rows[row + conditionAt.speed] ||
      disk !== rows[row + conditionAt.diskFactor] ||
      isNoticeable(hostQueueMs[host], rows[row + conditionAt.queueMs]) ||
      isNoticeable(hostInspectionMs[host], rows[row + conditionAt.inspectionMs])
    ) {
      anyChanged = true
      changed[host] = 1
      rows[row + conditionAt.deliveredIn] = hostDeliveredIn[host]
      rows[row + conditionAt.accepted] = accepted
      rows[row + conditionAt.deliveredOut] = hostDeliveredOut[host]
      rows[row + conditionAt.speed] = speed
      rows[row + conditionAt.diskFactor] = disk
      rows[row + conditionAt.queueMs] = hostQueueMs[host]
      rows[row + conditionAt.inspectionMs] = hostInspectionMs[host]
    }
    rows[row + conditionAt.contention] = demand
  }
  return anyChanged
}
