import { shutdownCelsius, throttleCelsius } from '../../facility/limits.ts'
import type { TenantContext } from '../context.ts'
import type { HostConditions } from '../host-conditions.ts'
import { contentionFactor, diskFactor } from './latency.ts'

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

/** Updates all columns. Returns whether any value has changed. */
export function updateHostConditions({ world, state }: TenantContext, conditions: HostConditions): boolean {
  const { accepted, deliveredIn, deliveredOut, speed, queueMs, inspectionMs, changed } = conditions
  const { hostDeliveredIn, hostDeliveredOut, hostQueueMs, hostInspectionMs } = world.network
  const { contention, iopsUsed } = state.load
  const { hostCelsius } = world.facility
  const { hostDiskBroken, hostMemoryLoss, hostClockOff } = world.condition
  let anyChanged = false
  changed.fill(0)
  for (const host of world.topology.hosts.rows) {
    const demand = contention[host]
    const newSpeed =
      (thermalSpeed(hostCelsius[host]) * (1 - hostMemoryLoss[host])) / (demand > 1 ? demand : 1)
    const newAccepted = 1 - hostClockOff[host]
    const newDiskFactor = diskFactor(iopsUsed[host] / state.capacity.iops[host], hostDiskBroken[host] !== 0)
    if (
      hostDeliveredIn[host] !== deliveredIn[host] ||
      newAccepted !== accepted[host] ||
      hostDeliveredOut[host] !== deliveredOut[host] ||
      newSpeed !== speed[host] ||
      newDiskFactor !== conditions.diskFactor[host] ||
      isNoticeable(hostQueueMs[host], queueMs[host]) ||
      isNoticeable(hostInspectionMs[host], inspectionMs[host])
    ) {
      anyChanged = true
      changed[host] = 1
      deliveredIn[host] = hostDeliveredIn[host]
      accepted[host] = newAccepted
      deliveredOut[host] = hostDeliveredOut[host]
      speed[host] = newSpeed
      conditions.diskFactor[host] = newDiskFactor
      queueMs[host] = hostQueueMs[host]
      inspectionMs[host] = hostInspectionMs[host]
    }
    conditions.contentionFactor[host] = contentionFactor(demand)
  }
  return anyChanged
}
