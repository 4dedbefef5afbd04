import type { Matcher } from '../promql/expressions.ts'
import type { Settings } from '../settings.ts'

/** The job as a matcher: a pattern where it is one. */
export const jobOf = ({ job }: Settings): string | Matcher =>
  /^[\w-]+$/.test(job) ? job : { operator: '=~', value: job }
