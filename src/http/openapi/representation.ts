import { jsonMediaType } from '../media-types.ts'
import { wholeOf } from '../representation.ts'
import type { Representation } from '../representation.ts'
import { openApiDocument } from './document.ts'

/** The one JSON body without `meta`: the format of such descriptions admits no foreign member. */
export const openApiRepresentation = (): Representation => ({
  name: 'openapi',
  mediaType: jsonMediaType,
  head: () => '',
  slices: [wholeOf(Buffer.from(JSON.stringify(openApiDocument())))],
  tail: '',
})
