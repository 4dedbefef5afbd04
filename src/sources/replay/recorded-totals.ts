import { defineRecord, int, list, listOf, num, str } from '../../contract/fields.ts'
import { timeToResolveBuckets } from '../../contract/totals.ts'
import type { WorldTotals } from '../../contract/totals.ts'
import { DecodeError } from '../../encoding/record-reader.ts'
import { recordReader } from '../../encoding/record-reader.ts'

const count = int('Since the world began.')
const band = str('The band at opening, or the highest band.')

const EventTotalSchema = defineRecord('EventTotal', 'Events of a kind.', {
  kind: str('Kind of the events.'),
  severity: str('Severity of the events.'),
  count,
})
const OpenedTotalSchema = defineRecord('OpenedTotal', 'Incidents opened.', {
  band,
  symptom_kind: str('Kind of the first symptom.'),
  count,
})
const ResolvedTotalSchema = defineRecord('ResolvedTotal', 'Incidents resolved.', {
  band,
  root_kind: str('The confirmed kind of fault.'),
  count,
})
const TimeToResolveSchema = defineRecord('TimeToResolve', 'Durations of resolved incidents.', {
  band,
  counts: list(count, 'A count per bucket, and one for longer durations.'),
  seconds: num('Sum of the durations.', 's'),
})
const TotalsSchema = defineRecord('Totals', 'Counters since the world began.', {
  events: listOf(EventTotalSchema, 'By kind and severity.'),
  incidentsOpened: listOf(OpenedTotalSchema, 'By band and symptom.'),
  incidentsResolved: listOf(ResolvedTotalSchema, 'By band and fault.'),
  timeToResolve: listOf(TimeToResolveSchema, 'By band.'),
})

const readTotals = recordReader(TotalsSchema)

const noTotals: WorldTotals = { events: [], incidentsOpened: [], incidentsResolved: [], timeToResolve: [] }

/** Decodes the totals of a recorded frame; none where the recording lacks them. Throws a DecodeError for others. */
export function decodeTotals(json: Buffer): WorldTotals {
  if (json.length === 0) return noTotals
  const totals = readTotals(json.toString()) as WorldTotals
  const { events, incidentsOpened, incidentsResolved, timeToResolve } = totals
  for (const { counts } of timeToResolve) {
    if (counts.length !== timeToResolveBuckets.length + 1)
      throw new DecodeError(`timeToResolve.counts has ${counts.length} buckets`)
  }
  const counters = [
    ...[...events, ...incidentsOpened, ...incidentsResolved].map((total) => total.count),
    ...timeToResolve.flatMap(({ counts, seconds }) => counts.concat(seconds)),
  ]
  // The record reader takes null for a value that is not known, and a counter is always known.
  if (!counters.every((value) => value >= 0)) throw new DecodeError('a counter is null or negative')
  return totals
}
