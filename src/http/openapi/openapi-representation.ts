import { jsonMediaType } from '../responses/media-types.ts'
import { wholeSlice } from '../responses/representation.ts'
import type { Representation } from '../responses/representation.ts'
import { openApiDocument } from './document.ts'

/** Has no `meta`: OpenAPI admits no foreign members. */
export const openApiRepresentation = (productVersion: string): Representation => ({
  name: 'openapi',
  mediaType: jsonMediaType,
  head: () => '',
  slices: [wholeSlice(Buffer.from(JSON.stringify(openApiDocument(productVersion))))],
  tail: '',
})
