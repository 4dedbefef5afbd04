/** M/M/1 queueing delay: proportional to load / (1 - load), and bounded by the buffer. */

/** Delay at half load. */
const linkMs = 0.012
const fabricMs = 0.02
const inspectionMs = 0.09
/** Buffer depth as a delay. */
const bufferMs = 6
const fullLoadMin = 0.998
/** Upper limit of the load without queueing. */
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

/** Inspection latency of a packet without load. */
export const inspectionRestMs = 0.06
