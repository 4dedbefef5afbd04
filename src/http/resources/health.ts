import type { MirrorStatus } from '../../mirror/mirror.ts'
import { jsonMediaType } from '../responses/media-types.ts'
import type { Representation } from '../responses/representation.ts'

/** Omits the simulated time until there is a world. */
export function healthRepresentation({ status, reason }: MirrorStatus, worldReady: boolean): Representation {
  const opening = `"status":${JSON.stringify(status)},"world_ready":${worldReady}`
  return {
    // The reason of the other states contains their duration.
    name: status === 'ok' || status === 'idle' ? `health.${status}` : null,
    mediaType: jsonMediaType,
    head(published, ageMs) {
      const freshness = `"age_ms":${ageMs},"publish_seq":${published.publishSeq}`
      const simTime = worldReady ? `,"sim_time_ns":${published.simTimeNs}` : ''
      return `${published.meta(ageMs)},${opening},${freshness}${simTime},`
    },
    slices: [],
    tail: `"reason":${JSON.stringify(reason)}}`,
  }
}
