import type { Micros } from '../../time.ts'
import { minute, stepLength } from '../../time.ts'

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

/** The length of a phase in whole steps. `variation` is from 0 to 1: from half of the mean to one and a half. */
export function phaseLength({ shows, rests }: Rhythm, isDormant: boolean, variation: number): Micros {
  const mean = isDormant ? rests : shows
  return Math.max(1, Math.round((mean * (0.5 + variation)) / stepLength)) * stepLength
}
