import type { ExpositionChunk, Frame } from '../../encoding/frame.ts'
import { expositionMediaType } from '../media-types.ts'
import { wholeOf } from '../representation.ts'
import type { Representation } from '../representation.ts'

/** The service's own families as they are now. */
export type OwnMetrics = () => Promise<readonly ExpositionChunk[]>

/** The world's families as they were rendered, then the service's own. Nothing at all before the first publish. */
export async function exposition(
  frame: Frame | null,
  familyNames: readonly string[],
  ownMetrics: OwnMetrics,
): Promise<Representation> {
  const chunks = frame === null ? [] : [...frame.exposition, ...(await ownMetrics())]
  const wanted = new Set(familyNames)
  const chosen = wanted.size === 0 ? chunks : chunks.filter(({ family }) => wanted.has(family))
  return {
    // The service's own metrics move with every scrape.
    name: null,
    mediaType: expositionMediaType,
    head: () => '',
    slices: chosen.map(({ bytes }) => wholeOf(bytes)),
    tail: '',
  }
}
