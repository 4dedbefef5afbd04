import { routes } from '../../contract/routes.ts'
import { timeToResolveBuckets } from '../../contract/totals.ts'
import type { TimeToResolve, WorldTotals } from '../../contract/totals.ts'
import type { incidentFamilies, eventFamilies } from '../../metrics/families/operations.ts'
import type { HttpResponse } from './http/http-client.ts'
import { parseSample } from './http/exposition-sample.ts'
import type { Sample } from './http/exposition-sample.ts'
import { shortened } from '../../text/quoted.ts'

type CountedFamily = keyof typeof incidentFamilies | keyof typeof eventFamilies

const events: CountedFamily = 'dcsim_events_total'
const opened: CountedFamily = 'dcsim_incidents_opened_total'
const resolved: CountedFamily = 'dcsim_incidents_resolved_total'
const timeToResolve: CountedFamily = 'dcsim_incidents_time_to_resolve_seconds'
const countedFamilies = [events, opened, resolved, timeToResolve] as const

/** The path of another mirror's counters. An upstream that does not know these families exposes its own instead. */
export const totalsPath = `${routes.metrics.path}?${countedFamilies.map((name) => `name[]=${name}`).join('&')}`

/** Label values come from small vocabularies: counters with more samples are invalid. */
const totalsSamplesMax = 10_000

const maxCount = Number.MAX_SAFE_INTEGER

/** The samples of the counted families in an exposition. */
function* countedSamples(text: string): Generator<Sample> {
  let samples = 0
  for (const line of text.split('\n')) {
    if (!countedFamilies.some((name) => line.startsWith(name))) continue
    const sample = parseSample(line)
    if (sample === null || !(sample.value >= 0 && sample.value <= maxCount)) throw new TotalsError(line)
    if (++samples > totalsSamplesMax) throw new TotalsError(`more than ${totalsSamplesMax} samples`)
    yield sample
  }
}

/** The upstream's counters are invalid. */
export class TotalsError extends Error {
  override readonly name = 'TotalsError'

  constructor(got: string) {
    super(`got ${shortened(got)}, expected a sample from 0 to ${maxCount}`)
  }
}

/** Adds a sample of the histogram of times to resolve, whose buckets are cumulative. */
function addTimeToResolve(times: Map<string, TimeToResolve>, { name, labels, value }: Sample): void {
  const band = labels.get('band') ?? ''
  const le = labels.get('le')
  const time = times.get(band) ?? { band, counts: timeToResolveBuckets.map(() => 0).concat(0), seconds: 0 }
  times.set(band, time)
  if (name.endsWith('_sum')) time.seconds = value
  if (le === undefined) return
  const bucket =
    le === '+Inf'
      ? timeToResolveBuckets.length
      : (timeToResolveBuckets as readonly number[]).indexOf(Number(le))
  if (bucket >= 0) time.counts[bucket] = value
}

function subtractLowerBuckets(counts: number[]): void {
  for (let i = counts.length - 1; i > 0; i--) counts[i] = Math.max(0, counts[i] - counts[i - 1])
}

/**
 * The counters of an upstream since its world began, from its exposition; null if it exposes no counted family. Throws
 * a `TotalsError` for an invalid sample.
 */
export function readTotals(text: string): WorldTotals | null {
  const totals = { events: [], incidentsOpened: [], incidentsResolved: [] } as {
    [K in 'events' | 'incidentsOpened' | 'incidentsResolved']: WorldTotals[K][number][]
  }
  const times = new Map<string, TimeToResolve>()
  let samples = 0
  for (const sample of countedSamples(text)) {
    const { name, labels, value: count } = sample
    const label = (of: string): string => labels.get(of) ?? ''
    samples++
    if (name.startsWith(timeToResolve)) addTimeToResolve(times, sample)
    else if (count === 0) continue
    else if (name === events) totals.events.push({ kind: label('kind'), severity: label('severity'), count })
    else if (name === opened)
      totals.incidentsOpened.push({ band: label('band'), symptom_kind: label('symptom_kind'), count })
    else if (name === resolved)
      totals.incidentsResolved.push({ band: label('band'), root_kind: label('root_kind'), count })
  }
  for (const { counts } of times.values()) subtractLowerBuckets(counts)
  const nonEmpty = [...times.values()].filter(({ counts }) => counts.some((count) => count > 0))
  return samples === 0 ? null : { ...totals, timeToResolve: nonEmpty }
}

/** The counters in a response, which is freed; null if it has none, or an invalid one. */
export function countersOf({ body, free }: HttpResponse): WorldTotals | null {
  try {
    return readTotals(body.toString())
  } catch (error) {
    if (!(error instanceof TotalsError)) throw error
    return null
  } finally {
    free()
  }
}
