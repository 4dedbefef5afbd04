import { isNoisy, type Estimate } from './statistics.ts'

/** What a row measured, and what is asked of it. */
export interface Finding extends Estimate {
  /** Tells the findings of one row apart. */
  readonly part?: string
  readonly measured: string
  /** The yardstick, measured in the same run. */
  readonly against: string
  readonly unit: string
  readonly better: 'higher' | 'lower'
  /** Beyond this the bench fails. */
  readonly floor: number
  /** Null where no aim was set. */
  readonly aim: number | null
  /** What lies behind the value, for people. */
  readonly medians: string
}

export interface RowFinding extends Finding {
  readonly row: string
}

export interface Row {
  readonly name: string
  /** Measures; `progress` is called with what is being done. */
  readonly measure: (progress: (what: string) => void) => Promise<Finding | readonly Finding[]>
}

/** Thrown by a row that needs a program that is not installed. */
export class MissingProgram extends Error {
  override readonly name = 'MissingProgram'
}

export const isMet = ({ value, better, floor }: Finding): boolean =>
  better === 'higher' ? value >= floor : value <= floor

export const reachesAim = ({ value, better, aim }: Finding): boolean =>
  aim === null || (better === 'higher' ? value >= aim : value <= aim)

export function verdictOf(finding: Finding): string {
  const verdict = isMet(finding) ? (reachesAim(finding) ? 'ok' : 'ok, below aim') : 'FAILS'
  return isNoisy(finding) ? `${verdict}, noisy` : verdict
}
