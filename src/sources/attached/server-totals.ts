import { routes } from '../../contract/routes.ts'
import { timeToResolveBounds } from '../../contract/totals.ts'
import type { TimeToResolve, WorldTotals } from '../../contract/totals.ts'
import type { incidentFamilies, eventFamilies } from '../../metrics/families/operations.ts'

type CountedFamily = keyof typeof incidentFamilies | keyof typeof eventFamilies

const events: CountedFamily = 'dcsim_events_total'
const opened: CountedFamily = 'dcsim_incidents_opened_total'
const resolved: CountedFamily = 'dcsim_incidents_resolved_total'
const timeToResolve: CountedFamily = 'dcsim_incidents_time_to_resolve_seconds'

/** Where another mirror tells what it has counted. A server that knows no such families answers with its own. */
export const totalsPath = `${routes.metrics.path}?${[events, opened, resolved, timeToResolve]
  .map((family) => `name[]=${family}`)
  .join('&')}`

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Values may be padded. */
const sampleLine = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? +(?<value>\S+)$/
const label = /(?<name>\w+)="(?<value>(?:[^"\\]|\\.)*)"/g

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_whole, character: string) => (character === 'n' ? '\n' : character))

function* samplesIn(text: string): Generator<Sample> {
  for (const line of text.split('\n')) {
    const found = line.startsWith('dcsim_') ? sampleLine.exec(line)?.groups : undefined
    if (found === undefined) continue
    const pairs = [...(found['labels'] ?? '').matchAll(label)].map(({ groups }) => [
      groups!['name'],
      unescaped(groups!['value']),
    ])
    const labels = Object.fromEntries(pairs) as Record<string, string>
    yield { name: found['name'], labels, value: Number(found['value']) }
  }
}

/** The times to resolve of one band, out of its cumulative buckets. */
function takeTime(times: Map<string, TimeToResolve>, { name, labels, value }: Sample): void {
  const { band = '', le } = labels
  const known = times.get(band)
  const time = known ?? { band, counts: timeToResolveBounds.map(() => 0).concat(0), seconds: 0 }
  times.set(band, time)
  if (name.endsWith('_sum')) time.seconds = value
  if (le === undefined) return
  const bucket =
    le === '+Inf'
      ? timeToResolveBounds.length
      : (timeToResolveBounds as readonly number[]).indexOf(Number(le))
  if (bucket >= 0) time.counts[bucket] = value
}

function differences(counts: number[]): void {
  for (let i = counts.length - 1; i > 0; i--) counts[i] = Math.max(0, counts[i] - counts[i - 1])
}

/** What a server has counted since its world began, out of its exposition; null where that has none of it. */
export function readTotals(text: string): WorldTotals | null {
  const totals = { events: [], incidentsOpened: [], incidentsResolved: [] } as {
    [K in 'events' | 'incidentsOpened' | 'incidentsResolved']: WorldTotals[K][number][]
  }
  const times = new Map<string, TimeToResolve>()
  let found = 0
  for (const sample of samplesIn(text)) {
    const { name, labels, value: count } = sample
    const { kind = '', severity = '', band = '', symptom_kind = '', root_kind = '' } = labels
    found++
    if (name.startsWith(timeToResolve)) takeTime(times, sample)
    else if (count === 0) continue
    else if (name === events) totals.events.push({ kind, severity, count })
    else if (name === opened) totals.incidentsOpened.push({ band, symptom_kind, count })
    else if (name === resolved) totals.incidentsResolved.push({ band, root_kind, count })
  }
  for (const { counts } of times.values()) differences(counts)
  const kept = [...times.values()].filter(({ counts }) => counts.some((count) => count > 0))
  return found === 0 ? null : { ...totals, timeToResolve: kept }
}
