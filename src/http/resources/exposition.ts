import type { ExpositionChunk } from '../../contract/exposition-chunk.ts'
import type { Frame } from '../../encoding/frames/frame.ts'
import { expositionMediaType } from '../responses/media-types.ts'
import { wholeBody, wholeSlice } from '../responses/representation.ts'
import type { Representation } from '../responses/representation.ts'

/** The current chunks of the service's own families. */
export type OwnExposition = () => Promise<readonly ExpositionChunk[]>

/**
 * The named families, or all if none is named: first the world's, then the service's own. Empty before the first
 * publish.
 */
export async function expositionRepresentation(
  frame: Frame | null,
  familyNames: readonly string[],
  ownExposition: OwnExposition,
): Promise<Representation> {
  const world = frame?.exposition ?? []
  const own = frame === null ? [] : await ownExposition()
  const names = new Set(familyNames)
  const chunks = [...world, ...own].filter(({ family }) => names.size === 0 || names.has(family))
  // The service's own metrics change between scrapes of one publish.
  return wholeBody(
    null,
    expositionMediaType,
    chunks.map(({ bytes }) => wholeSlice(bytes)),
  )
}
