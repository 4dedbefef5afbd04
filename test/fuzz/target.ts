import { SeededRandom } from '../fixtures/seeded-random.ts'

export interface FuzzCase {
  readonly number: number
  /** Follows from the seed and the number alone, so that one case can be repeated. */
  readonly random: SeededRandom
  /** Which of the cases that run at a time this is. */
  readonly lane: number
}

/** One part of the program, with the cases that attack it. */
export interface Target {
  /** How many cases run at a time. */
  readonly lanes: number
  /** Runs a case; returns its failures. */
  run(one: FuzzCase): Promise<readonly string[]> | readonly string[]
  /** The resident memory of the attacked process; left out for this process. */
  readonly residentMb?: () => Promise<number>
  close(): Promise<void>
}

/** Every text that the program returns passes through this, so that a test can plant a fault in it. */
export type Observe = (text: string) => string

export type OpenTarget = (seed: number, observe: Observe) => Promise<Target>

/** The stack trace in the log of a program, if any: what users did wrong has a sentence instead. */
export function stackTraces(log: string): string[] {
  const at = log.search(/^\s+at .*:\d+:\d+\)?$/m)
  return at < 0 ? [] : [`a stack trace:\n${log.slice(Math.max(0, at - 500), at + 1_500)}`]
}

/** Neighboring numbers have unrelated cases. */
export const randomOf = (seed: number, number: number): SeededRandom =>
  new SeededRandom(Math.imul(seed ^ Math.imul(number + 1, 0x9e3779b1), 0x85ebca6b))
