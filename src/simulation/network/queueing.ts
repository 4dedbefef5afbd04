/**
 * Time in queues, as of one server with random arrivals: it grows with load / (1 - load), and stops at what the
 * buffer holds.
 */

/** Milliseconds at half load. */
const linkMs = 0.012
const fabricMs = 0.02
const inspectionMs = 0.09
/** Buffers hold so many milliseconds of traffic. */
const bufferMs = 6
const fullFrom = 0.998
/** Below this load nobody waits. */
const freeBelow = 0.25

const queueMs = (atHalfLoad: number, gbps: number, capacityGbps: number): number => {
  if (gbps < capacityGbps * freeBelow) return 0
  if (gbps >= capacityGbps * fullFrom) return bufferMs
  const wait = (atHalfLoad * gbps) / (capacityGbps - gbps)
  return wait < bufferMs ? wait : bufferMs
}

export const linkQueueMs = (gbps: number, capacityGbps: number): number => queueMs(linkMs, gbps, capacityGbps)
export const fabricQueueMs = (gbps: number, capacityGbps: number): number =>
  queueMs(fabricMs, gbps, capacityGbps)
export const inspectionQueueMs = (gbps: number, capacityGbps: number): number =>
  queueMs(inspectionMs, gbps, capacityGbps)

/** What looking into a packet takes at rest. */
export const inspectionRestMs = 0.06
