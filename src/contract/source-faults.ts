/** Reasons why a source could not provide a frame: the label values of the fault counter. */
const sourceFaults = {
  crashed: 'The world itself broke down.',
  unreachable: 'No connection came about.',
  cut_off: 'A connection ended before the answer did.',
  timed_out: 'An answer did not come, or did not go on.',
  bad_status: 'An answer was no success.',
  no_world: 'The server has no world yet.',
  stale: 'The server has published nothing new for too long.',
  not_json: 'An answer was not JSON.',
  bad_record: 'An answer was JSON, but not what the contract says.',
  too_big: 'An answer passed its bound.',
  torn: 'Answers from one and the same publish could not be had.',
  ended: 'A recording came to its end.',
} as const

export type SourceFault = keyof typeof sourceFaults
export const sourceFaultNames = Object.keys(sourceFaults) as SourceFault[]
