import type { ExpositionChunk } from '../../contract/exposition-chunk.ts'
import type { Frame } from '../../encoding/frames/frame.ts'
import { expositionMediaType } from '../responses/media-types.ts'
import { wholeBody, wholeSlice } from '../responses/representation.ts'
import type { Representation, Slice } from '../responses/representation.ts'

/** The current chunks of the service's own families. */
export type OwnExposition = () => Promise<readonly ExpositionChunk[]>

interface WholeScrape {
  readonly own: readonly ExpositionChunk[]
  readonly slices: readonly Slice[]
}

const slicesOf = (chunks: readonly ExpositionChunk[]): readonly Slice[] =>
  chunks.map(({ bytes }) => wholeSlice(bytes))

/** All scrapes between two changes of either exposition share one list, which is compressed once. */
const wholeScrapes = new WeakMap<readonly ExpositionChunk[], WholeScrape>()

function wholeScrape(world: readonly ExpositionChunk[], own: readonly ExpositionChunk[]): readonly Slice[] {
  const cached = wholeScrapes.get(world)
  if (cached?.own === own) return cached.slices
  const slices = slicesOf([...world, ...own])
  wholeScrapes.set(world, { own, slices })
  return slices
}

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
  const slices =
    names.size === 0
      ? wholeScrape(world, own)
      : slicesOf([...world, ...own].filter(({ family }) => names.has(family)))
  // The service's own metrics change between scrapes of one publish.
  return wholeBody(null, expositionMediaType, slices)
}
