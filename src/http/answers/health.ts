import type { MirrorStatus } from '../../mirror/mirror.ts'
import { jsonMediaType } from '../media-types.ts'
import type { Representation } from '../representation.ts'

/** Simulated time is left out until there is a world. */
export function health({ status, reason }: MirrorStatus, worldReady: boolean): Representation {
  const opening = `"status":${JSON.stringify(status)},"world_ready":${worldReady}`
  return {
    // The reason of the other states tells how long they have lasted.
    name: status === 'ok' || status === 'idle' ? `health.${status}` : null,
    mediaType: jsonMediaType,
    head(edition, ageMs) {
      const freshness = `"age_ms":${ageMs},"publish_seq":${edition.publishSeq}`
      const simTime = worldReady ? `,"sim_time_ns":${edition.simTimeNs}` : ''
      return `${edition.meta(ageMs)},${opening},${freshness}${simTime},`
    },
    slices: [],
    tail: `"reason":${JSON.stringify(reason)}}`,
  }
}
