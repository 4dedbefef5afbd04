import { timeToResolveBuckets, TotalsSchema } from '../../contract/totals.ts'
import type { WorldTotals } from '../../contract/totals.ts'
import { unknownList } from '../../contract/records/unknown.ts'
import { DecodeError } from '../../encoding/record-reader.ts'
import { recordReader } from '../../encoding/record-reader.ts'

const readTotals = recordReader(TotalsSchema)

const noTotals: WorldTotals = { events: [], incidentsOpened: [], incidentsResolved: [], timeToResolve: [] }

/**
 * Decodes the totals of a recorded frame; empty totals if the recording has none. Throws a DecodeError for invalid
 * ones.
 */
export function decodeTotals(json: Buffer): WorldTotals {
  if (json.length === 0) return noTotals
  const totals = readTotals(json.toString()) as WorldTotals
  const { events, incidentsOpened, incidentsResolved, timeToResolve } = totals
  if (Object.values(totals).includes(unknownList)) throw new DecodeError('a list of counters is missing')
  for (const { counts } of timeToResolve) {
    if (counts.length !== timeToResolveBuckets.length + 1)
      throw new DecodeError(`timeToResolve.counts has ${counts.length} buckets`)
  }
  const counters = [
    ...[...events, ...incidentsOpened, ...incidentsResolved].map((total) => total.count),
    ...timeToResolve.flatMap(({ counts, seconds }) => counts.concat(seconds)),
  ]
  // The record reader accepts null as an unknown value, but a counter is always known.
  if (!counters.every((value) => value >= 0)) throw new DecodeError('a counter is null or negative')
  return totals
}
