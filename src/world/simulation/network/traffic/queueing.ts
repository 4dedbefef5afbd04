/**
 * Queueing delay of a single server with random arrivals: proportional to load / (1 - load), and bounded by the
 * buffer.
 */

/** Milliseconds at half load. */
const linkMs = 0.012
const fabricMs = 0.02
const inspectionMs = 0.09
/** Milliseconds of traffic that a buffer holds. */
const bufferMs = 6
const fullLoadMin = 0.998
/** Below this load there is no queue. */
const queuelessLoadMax = 0.25

const queueMs = (atHalfLoad: number, gbps: number, capacityGbps: number): number => {
  if (gbps < capacityGbps * queuelessLoadMax) return 0
  if (gbps >= capacityGbps * fullLoadMin) return bufferMs
  const wait = (atHalfLoad * gbps) / (capacityGbps - gbps)
  return wait < bufferMs ? wait : bufferMs
}

export const linkQueueMs = (gbps: number, capacityGbps: number): number => queueMs(linkMs, gbps, capacityGbps)
export const fabricQueueMs = (gbps: number, capacityGbps: number): number =>
  queueMs(fabricMs, gbps, capacityGbps)
export const inspectionQueueMs = (gbps: number, capacityGbps: number): number =>
  queueMs(inspectionMs, gbps, capacityGbps)

/** Milliseconds that inspecting a packet takes without load. */
export const inspectionRestMs = 0.06
