import type { ExpositionChunk, Frame } from '../../encoding/frame.ts'
import { expositionMediaType } from '../media-types.ts'
import { wholeOf } from '../representation.ts'
import type { Representation, Slice } from '../representation.ts'

/** The text of the service's own families as they are now: of those named, or of all where none is. */
export type OwnMetrics = (familyNames: readonly string[]) => Promise<string>

/** What all scrapes between two changes of either text are made of: one list, so that it is compressed once. */
const whole = new WeakMap<
  readonly ExpositionChunk[],
  { readonly own: string; readonly slices: readonly Slice[] }
>()

const slicesOf = (chunks: readonly ExpositionChunk[], own: string): readonly Slice[] =>
  [...chunks.map(({ bytes }) => bytes), Buffer.from(own)].map(wholeOf)

function wholeSlices(chunks: readonly ExpositionChunk[], own: string): readonly Slice[] {
  const known = whole.get(chunks)
  if (known?.own === own) return known.slices
  const slices = slicesOf(chunks, own)
  whole.set(chunks, { own, slices })
  return slices
}

/** The world's families as they were rendered, then the service's own. Nothing at all before the first publish. */
export async function exposition(
  frame: Frame | null,
  familyNames: readonly string[],
  ownMetrics: OwnMetrics,
): Promise<Representation> {
  const chunks = frame?.exposition ?? []
  const own = frame === null ? '' : await ownMetrics(familyNames)
  const wanted = new Set(familyNames)
  const slices =
    wanted.size === 0
      ? wholeSlices(chunks, own)
      : slicesOf(
          chunks.filter(({ family }) => wanted.has(family)),
          own,
        )
  return {
    // The service's own metrics move with every scrape.
    name: null,
    mediaType: expositionMediaType,
    head: () => '',
    slices,
    tail: '',
  }
}
