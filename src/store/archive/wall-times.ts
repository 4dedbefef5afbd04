/** Wall times of what happened at simulated times. */
import type { DatabaseSync } from 'node:sqlite'
import { archivedKinds } from '../../contract/archive.ts'
import type { Int64 } from '../../contract/fields.ts'
import type { Changes } from '../../encoding/frames/changes.ts'
import { openMs } from '../schema.ts'
import { statementOf } from '../statements.ts'

export const nsPerMs = 1e6

/** A world that states a speed beyond these is taken to run as fast as the wall clock. */
const [speedMin, speedMax] = [1e-3, 1e9]

const paceOf = ({ figures: { speed } }: Changes): number =>
  nsPerMs * (speed >= speedMin && speed <= speedMax ? speed : 1)

/** Bounded, as an upstream may state times that are centuries apart. */
const [wallMsMin, wallMsMax] = [1 - openMs, openMs - 1]

/** By a pair of such times; null during the warm-up. */
export const wallTimeOf = (changes: Changes, ns: Int64): number | null =>
  changes.wallMs === null
    ? null
    : Math.round(
        Math.max(
          wallMsMin,
          Math.min(wallMsMax, changes.wallMs - Number(changes.simTimeNs - BigInt(ns)) / paceOf(changes)),
        ),
      )

/** A simulated time and the wall time at which it was. */
interface TimePair {
  readonly simNs: bigint
  readonly wallMs: number
  /** Simulated nanoseconds per millisecond of wall time. */
  readonly pace: number
}

export const timePairOf = (changes: Changes, wallMs: number): TimePair => ({
  simNs: changes.simTimeNs,
  wallMs,
  pace: paceOf(changes),
})

/** Gives the records of a warm-up their wall times. */
export function placeInTime(database: DatabaseSync, world: number, { simNs, wallMs, pace }: TimePair): void {
  const isMissing = statementOf(
    database,
    'SELECT 1 FROM record WHERE world = ? AND kind = ? AND to_ms IS NULL LIMIT 1',
  )
  if (archivedKinds.every((kind) => isMissing.get(world, kind) === undefined)) return
  const placed = (ns: string): string =>
    `CAST(max(:min, min(:max, :wallMs - (:simNs - ${ns}) / :pace)) AS INTEGER)`
  statementOf(
    database,
    `
      UPDATE record SET
        from_ms = ${placed('from_ns')},
        to_ms = CASE WHEN to_ns IS NULL THEN :openMs ELSE ${placed('to_ns')} END
      WHERE world = :world AND to_ms IS NULL`,
  ).run({ wallMs, simNs, pace, openMs, world, min: wallMsMin, max: wallMsMax })
}
