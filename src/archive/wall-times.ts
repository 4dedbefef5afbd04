/** Wall times of what happened at simulated times. */
import type { DatabaseSync } from 'node:sqlite'
import { archivedKinds } from '../contract/archive.ts'
import type { Int64 } from '../contract/fields.ts'
import type { Story } from '../encoding/frames/story.ts'
import { openMs } from '../store/schema.ts'
import { writing } from '../store/writing.ts'

export const nsPerMs = 1e6

/** A world that states a speed beyond these is taken to run as fast as the wall clock. */
const [speedMin, speedMax] = [1e-3, 1e9]

const paceOf = ({ figures: { speed } }: Story): number =>
  nsPerMs * (speed >= speedMin && speed <= speedMax ? speed : 1)

/** Bounded, as an upstream may state times that are centuries apart. */
const [wallMsMin, wallMsMax] = [1 - openMs, openMs - 1]

/** By a pair of such times; null during the warm-up. */
export const wallTimeOf = (story: Story, ns: Int64): number | null =>
  story.wallMs === null
    ? null
    : Math.round(
        Math.max(
          wallMsMin,
          Math.min(wallMsMax, story.wallMs - Number(story.simTimeNs - BigInt(ns)) / paceOf(story)),
        ),
      )

interface Moment {
  readonly simNs: bigint
  readonly wallMs: number
  /** Simulated nanoseconds per millisecond of wall time. */
  readonly pace: number
}

export const storyMoment = (story: Story, wallMs: number): Moment => ({
  simNs: story.simTimeNs,
  wallMs,
  pace: paceOf(story),
})

/** Gives the records of a warm-up their wall times. */
export function placeInTime(database: DatabaseSync, world: number, { simNs, wallMs, pace }: Moment): void {
  const isMissing = database.prepare(
    'SELECT 1 FROM record WHERE world = ? AND kind = ? AND to_ms IS NULL LIMIT 1',
  )
  if (archivedKinds.every((kind) => isMissing.get(world, kind) === undefined)) return
  const placed = (ns: string): string =>
    `CAST(max(:min, min(:max, :wallMs - (:simNs - ${ns}) / :pace)) AS INTEGER)`
  writing(
    database,
    `
      UPDATE record SET
        from_ms = ${placed('from_ns')},
        to_ms = CASE WHEN to_ns IS NULL THEN :openMs ELSE ${placed('to_ns')} END
      WHERE world = :world AND to_ms IS NULL`,
  ).run({ wallMs, simNs, pace, openMs, world, min: wallMsMin, max: wallMsMax })
}
