import { plainTextMediaType } from '../responses/media-types.ts'
import type { Representation } from '../responses/representation.ts'

/** The answer to a probe, which reads the status and not the text. */
export const probeRepresentation = (state: 'healthy' | 'ready'): Representation => ({
  name: state,
  mediaType: plainTextMediaType,
  head: () => `dcsim-mirror is ${state}.\n`,
  slices: [],
  tail: '',
})
