import type { Micros } from '../../time.ts'
import { minute, stepLength } from '../../time.ts'

/**
 * An intermittent fault alternates between active and dormant phases. A dormant fault has no effect and no evidence,
 * and an inspection finds nothing.
 */

/** Mean phase lengths of an intermittent fault. */
export interface Rhythm {
  readonly shows: Micros
  readonly rests: Micros
}

export const rhythm = (showsMinutes: number, restsMinutes: number): Rhythm => ({
  shows: showsMinutes * minute,
  rests: restsMinutes * minute,
})

/** Length of a phase in whole steps, from half to one and a half times the mean by `variation` in 0…1. */
export function phaseLength({ shows, rests }: Rhythm, isDormant: boolean, variation: number): Micros {
  const mean = isDormant ? rests : shows
  return Math.max(1, Math.round((mean * (0.5 + variation)) / stepLength)) * stepLength
}
