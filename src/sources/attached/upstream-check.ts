/** Holds what an upstream sends against the contract, and tries what a mirror makes of it. */
import type { Clock } from '../../contract/clock.ts'
import { collectionNames, collections } from '../../contract/collections.ts'
import type { RecordType } from '../../contract/fields.ts'
import { DiagnosticsSchema } from '../../contract/records/diagnostics.ts'
import { EngineEventSchema } from '../../contract/records/operations.ts'
import { HealthSchema } from '../../contract/records/service.ts'
import { pageLimitMax, routes } from '../../contract/routes.ts'
import { BufferPool } from '../../encoding/frames/buffer-pool.ts'
import { parseLossless } from '../../encoding/lossless-json.ts'
import { recordDifferences } from '../../encoding/record-differences.ts'
import type { Difference } from '../../encoding/record-differences.ts'
import { isObject } from '../../encoding/record-reader.ts'
import { createExposition } from '../../metrics/exposition/exposition.ts'
import { HistoryUnavailable } from '../../metrics/history/series-reader.ts'
import { SourceError } from '../source.ts'
import { envelopeOf, pageRangeOf } from './http/envelope.ts'
import { HttpClient } from './http/http-client.ts'
import { JsonResponse } from './http/json-response.ts'
import { partPaths } from './publish-pieces.ts'
import { AttachedSource } from './source.ts'
import { UpstreamHistory } from './upstream-history.ts'
import { UpstreamList } from './upstream-list.ts'
import { readTotals, TotalsError, totalsBytesMax, totalsPath } from './upstream-totals.ts'

/** Differences of a route that are told apart; others are counted in `more`. */
const differencesMax = 50
const cadenceMs = 1_000
/** They are beside the fields of a record. */
const envelopeFields: ReadonlySet<string> = new Set(['meta', 'publish_seq', 'sim_time_ns', 'age_ms'])

export interface FieldReport extends Difference {
  /** The number of values that differ in this way. */
  readonly count: number
}

export interface RouteReport {
  readonly path: string
  /** The number of records that were read; null where there are none. */
  readonly records: number | null
  /** The reason why a mirror refuses the response, or does without it; null if it reads it. */
  readonly problem: string | null
  readonly fields: readonly FieldReport[]
  /** The number of fields beyond those listed. */
  readonly more: number
}

export interface UpstreamReport {
  readonly origin: string
  readonly routes: readonly RouteReport[]
  /** The reason why a mirror shows nothing of the upstream; null if it shows it. */
  readonly refusedFor: string | null
}

interface CheckOptions {
  readonly origin: URL
  readonly clock: Clock
  /** Ends the check: what was not read by then counts as refused. */
  readonly signal: AbortSignal
}

/** The differences of records, counted by field. */
class FieldReports {
  readonly #fields = new Map<string, Difference & { count: number }>()
  #more = 0

  add(difference: Difference): void {
    const key = `${difference.field} ${difference.expected} ${difference.effect}`
    const known = this.#fields.get(key)
    if (known !== undefined) known.count++
    else if (this.#fields.size < differencesMax) this.#fields.set(key, { ...difference, count: 1 })
    else this.#more++
  }

  of(path: string, records: number | null, problem: string | null = null): RouteReport {
    return { path, records, problem, fields: [...this.#fields.values()], more: this.#more }
  }
}

export async function checkUpstream(options: CheckOptions): Promise<UpstreamReport> {
  const { origin, clock, signal } = options
  const client = new HttpClient({ origin, clock, pool: new BufferPool() })
  const refusedFor = await refusalOf(options)
  const health = await checkObject(client, routes.health.path, HealthSchema, signal)
  const found = [health]
  try {
    // Where nothing answers, every route has the same problem.
    if (health.problem !== null && health.problem === refusedFor)
      return { origin: origin.origin, routes: found, refusedFor }
    for (const name of collectionNames)
      found.push(await checkList(client, partPaths[name], name, collections[name], 'id', signal))
    found.push(await checkList(client, routes.events.path, 'events', EngineEventSchema, 'at_ns', signal))
    found.push(await checkObject(client, routes.diagnostics.path, DiagnosticsSchema, signal))
    found.push(await checkTotals(client, signal))
    found.push(await checkHistory(client))
  } finally {
    client.close()
  }
  return { origin: origin.origin, routes: found, refusedFor }
}

/** The message of an error that an upstream may cause; any other is a bug. */
function problemOf(error: unknown): string {
  if (error instanceof SourceError || error instanceof HistoryUnavailable || error instanceof TotalsError)
    return error.message
  throw error
}

async function checkObject(
  client: HttpClient,
  path: string,
  type: RecordType,
  signal: AbortSignal,
): Promise<RouteReport> {
  const reports = new FieldReports()
  try {
    const json = new JsonResponse(await client.get(path, { signal }))
    if (path !== routes.health.path || json.boolean('world_ready') !== false) envelopeOf(json)
    const record = parsed(json, json.response.body.toString())
    for (const difference of recordDifferences(type, isObject(record) ? record : {}))
      if (!envelopeFields.has(difference.field) || difference.effect !== 'passed') reports.add(difference)
    const isStale = json.text('status') === 'stale'
    return reports.of(path, 1, isStale ? 'It is stale itself: a mirror shows its last publish.' : null)
  } catch (error) {
    return reports.of(path, null, problemOf(error))
  }
}

async function checkList(
  client: HttpClient,
  path: string,
  name: string,
  type: RecordType,
  keyField: 'id' | 'at_ns',
  signal: AbortSignal,
): Promise<RouteReport> {
  const reports = new FieldReports()
  let records: number | null = null
  try {
    const json = new JsonResponse(await client.get(`${path}?limit=${pageLimitMax}`, { signal }))
    envelopeOf(json)
    const items = parsed(json, `[${json.items('items').toString()}]`) as unknown[]
    records = items.length
    for (const item of items)
      for (const difference of recordDifferences(type, isObject(item) ? item : {}, keyField))
        reports.add(difference)
    if (keyField === 'id') pageRangeOf(json, 0)
    new UpstreamList(name, type, keyField).read([json])
    return reports.of(path, records)
  } catch (error) {
    return reports.of(path, records, problemOf(error))
  }
}

function parsed(json: JsonResponse, text: string): unknown {
  try {
    return parseLossless(text)
  } catch (error) {
    throw json.error('not_json', `is not JSON: ${(error as Error).message}`)
  }
}

/** The counters of an upstream are those of its world since it began; a mirror does without them. */
async function checkTotals(client: HttpClient, signal: AbortSignal): Promise<RouteReport> {
  const reports = new FieldReports()
  const { path } = routes.metrics
  try {
    const { body } = await client.get(totalsPath, { signal, bodyBytesMax: totalsBytesMax })
    const isCounted = readTotals(body.toString()) !== null
    const instead = 'It has no counters of the world: a mirror counts from its first publish on.'
    return reports.of(path, null, isCounted ? null : instead)
  } catch (error) {
    return reports.of(path, null, problemOf(error))
  }
}

/** Clients of a mirror get the history of its upstream, on request. */
async function checkHistory(client: HttpClient): Promise<RouteReport> {
  const reports = new FieldReports()
  const { path } = routes.metricSeries
  const history = new UpstreamHistory({ client, publishSeq: () => 0 })
  try {
    const { paths } = await history.paths('')
    const [first] = paths
    if (first !== undefined) await history.series(first, 2n ** 63n - 1n)
    return reports.of(path, null, first === undefined ? 'It has no history.' : null)
  } catch (error) {
    return reports.of(path, null, problemOf(error))
  }
}

/** Reads the upstream as a mirror does, once. */
async function refusalOf({ origin, clock, signal }: CheckOptions): Promise<string | null> {
  const source = new AttachedSource({
    origin,
    exposition: createExposition({ collectors: [] }),
    clock,
    cadenceMs,
    chance: Math.random,
  })
  const ended = new Promise<never>((_, reject) => {
    const reason = new SourceError('timed_out', 'The time for the check is over.')
    if (signal.aborted) reject(reason)
    signal.addEventListener('abort', () => reject(reason))
  })
  try {
    await Promise.race([source.capture(), ended])
    return null
  } catch (error) {
    return problemOf(error)
  } finally {
    source.close()
  }
}
