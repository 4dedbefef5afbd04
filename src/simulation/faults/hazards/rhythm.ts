import type { RandomStream } from '../../random.ts'
import { type Micros, minute, stepLength } from '../../time.ts'

/**
 * Intermittent faults come and go by themselves. While one rests it has no effect, shows no evidence, and an
 * inspection finds nothing.
 */

/** Mean lengths of the phases of an intermittent fault. */
export interface Rhythm {
  readonly shows: Micros
  readonly rests: Micros
}

export const rhythm = (showsMinutes: number, restsMinutes: number): Rhythm => ({
  shows: showsMinutes * minute,
  rests: restsMinutes * minute,
})

/** Draws the length of a phase, in whole steps. */
export function phaseLength({ shows, rests }: Rhythm, isDormant: boolean, stream: RandomStream): Micros {
  const mean = isDormant ? rests : shows
  return Math.max(1, Math.round((mean * stream.uniform(0.5, 1.5)) / stepLength)) * stepLength
}
