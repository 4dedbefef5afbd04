import type { Frame } from '../../encoding/frame.ts'
import { expositionMediaType } from '../media-types.ts'
import { wholeOf } from '../representation.ts'
import type { Representation } from '../representation.ts'

/** The text of the service's own families as they are now: of those named, or of all where none is. */
export type OwnMetrics = (familyNames: readonly string[]) => Promise<string>

/** The world's families as they were rendered, then the service's own. Nothing at all before the first publish. */
export async function exposition(
  frame: Frame | null,
  familyNames: readonly string[],
  ownMetrics: OwnMetrics,
): Promise<Representation> {
  const wanted = new Set(familyNames)
  const chunks = frame?.exposition ?? []
  const chosen = wanted.size === 0 ? chunks : chunks.filter(({ family }) => wanted.has(family))
  const own = frame === null ? '' : await ownMetrics(familyNames)
  return {
    // The service's own metrics move with every scrape.
    name: null,
    mediaType: expositionMediaType,
    head: () => '',
    slices: [...chosen.map(({ bytes }) => bytes), Buffer.from(own)].map(wholeOf),
    tail: '',
  }
}
