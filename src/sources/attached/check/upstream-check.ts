/** Holds what an upstream sends against the specification, and tries what a mirror makes of it. */
import type { Clock } from '../../../contract/clock.ts'
import { collections, nothingUnknown } from '../../../contract/collections.ts'
import type { UnknownParts } from '../../../contract/collections.ts'
import type { RecordType } from '../../../contract/fields.ts'
import { DiagnosticsSchema } from '../../../contract/records/diagnostics.ts'
import { EngineEventSchema } from '../../../contract/records/operations.ts'
import { HealthSchema } from '../../../contract/records/service.ts'
import { pageLimitMax, routes } from '../../../contract/routes.ts'
import type { EncodedContent } from '../../../encoding/frames/frame-builder.ts'
import { parseLossless } from '../../../encoding/lossless-json.ts'
import { recordDifferences } from '../../../encoding/record-differences.ts'
import { isObject } from '../../../encoding/record-reader.ts'
import { collectorNames } from '../../../metrics/declaration/collectors.ts'
import { createExposition } from '../../../metrics/exposition/exposition.ts'
import { HistoryUnavailable } from '../../../metrics/history/history-reader.ts'
import { SourceError } from '../../source.ts'
import { pageRangeOf } from '../http/envelope.ts'
import { connect, upstreamTitle } from '../connect.ts'
import type { HttpResponse, UpstreamClient } from '../http/http-client.ts'
import { JsonResponse } from '../http/json-response.ts'
import { partNames, partPaths } from '../publish-pieces.ts'
import type { PartName } from '../publish-pieces.ts'
import { AttachedSource } from '../source.ts'
import { UpstreamHistory } from '../upstream-history.ts'
import { UpstreamList } from '../upstream-list.ts'
import { isAbsent } from '../upstream-parts.ts'
import { FieldReports } from './route-report.ts'
import type { RouteReport } from './route-report.ts'

const cadenceMs = 1_000

/** Attempts to read a publish: a part that is broken may cost the first ones. */
const attemptsMax = 3

/** They are beside the fields of a record, and the reason of a status is one that this project has added. */
const envelopeFields: ReadonlySet<string> = new Set([
  'meta',
  'publish_seq',
  'sim_time_ns',
  'age_ms',
  'reason',
])

export interface UpstreamReport {
  readonly origin: string
  readonly routes: readonly RouteReport[]
  /** The reason why a mirror shows nothing of the upstream; null if it shows it. */
  readonly refusedFor: string | null
  /** The parts that a mirror does not know, with the reasons. */
  readonly unknown: UnknownParts
  /** The metric families of a mirror that have samples now. */
  readonly families: readonly string[]
}

interface CheckOptions {
  readonly origin: URL
  readonly clock: Clock
  /** Ends the check: what was not read by then counts as refused. */
  readonly signal: AbortSignal
}

export async function checkUpstream(options: CheckOptions): Promise<UpstreamReport> {
  const { origin, clock, signal } = options
  const client = connect({ origin, clock })
  const seen = await mirrored(options)
  const refusedFor = typeof seen === 'string' ? seen : null
  const shown = typeof seen === 'string' ? { families: [], unknown: nothingUnknown } : shownOf(seen)
  const found: RouteReport[] = []
  try {
    found.push(await checkRoute(client, signal, routes.health.path, null, checkHealth))
    // Where nothing listens, every route has the same problem.
    if (found[0].problem !== null && found[0].problem === refusedFor)
      return { origin: upstreamTitle(origin), routes: found, refusedFor, ...shown }
    for (const part of partNames)
      found.push(await checkRoute(client, signal, partPaths[part], part, partCheck(part), targetOf(part)))
    found.push(await checkHistory(client))
  } finally {
    client.close()
  }
  return { origin: upstreamTitle(origin), routes: found, refusedFor, ...shown }
}

const shownOf = ({ encoded, exposition }: EncodedContent): Pick<UpstreamReport, 'families' | 'unknown'> => ({
  families: exposition.map(({ family }) => family),
  unknown: encoded.unknown,
})

/** The message of an error that an upstream may cause; any other is a bug. */
function problemOf(error: unknown): string {
  if (error instanceof SourceError || error instanceof HistoryUnavailable) return error.message
  throw error
}

/** Reads what one response has; returns the number of records, and what a mirror does without. */
type Check = (
  response: HttpResponse,
  reports: FieldReports,
) => { readonly records: number | null; readonly problem: string | null }

async function checkRoute(
  client: UpstreamClient,
  signal: AbortSignal,
  path: string,
  part: PartName | null,
  check: Check,
  target = path,
): Promise<RouteReport> {
  const reports = new FieldReports()
  try {
    const response = await client.get(target, { signal })
    return reports.of({ path, part, ...check(response, reports) })
  } catch (error) {
    const problem = problemOf(error)
    return reports.of({ path, part, problem, isAbsent: error instanceof SourceError && isAbsent(error) })
  }
}

const recordOf = (json: JsonResponse): unknown => parsed(json, json.response.body.toString())

const checkHealth: Check = (response, reports) => {
  const json = new JsonResponse(response)
  addRecord(reports, HealthSchema, recordOf(json))
  const isStale = json.text('status') === 'stale'
  return { records: null, problem: isStale ? 'It is stale itself: a mirror shows its last publish.' : null }
}

const checkDiagnostics: Check = (response, reports) => {
  addRecord(reports, DiagnosticsSchema, recordOf(new JsonResponse(response)))
  return { records: null, problem: null }
}

function addRecord(reports: FieldReports, type: RecordType, record: unknown): void {
  const differences = recordDifferences(type, isObject(record) ? record : {})
  reports.addRecord([...differences].filter(({ field }) => !envelopeFields.has(field)))
}

const targetOf = (part: PartName): string =>
  part === 'diagnostics' ? partPaths[part] : `${partPaths[part]}?limit=${pageLimitMax}`

function partCheck(part: PartName): Check {
  if (part === 'diagnostics') return checkDiagnostics
  return part === 'events'
    ? checkList(part, EngineEventSchema, 'at_ns')
    : checkList(part, collections[part], 'id')
}

const checkList =
  (name: PartName, type: RecordType, keyField: 'id' | 'at_ns'): Check =>
  (response, reports) => {
    const json = new JsonResponse(response)
    const items = parsed(json, `[${json.items('items').toString()}]`) as unknown[]
    for (const item of items.slice(0, pageLimitMax))
      reports.addRecord(recordDifferences(type, isObject(item) ? item : {}, keyField))
    if (keyField === 'id') pageRangeOf(json, 0)
    new UpstreamList(name, type, keyField).read([json])
    return { records: items.length, problem: null }
  }

function parsed(json: JsonResponse, text: string): unknown {
  try {
    return parseLossless(text)
  } catch (error) {
    throw json.error('not_json', `is not JSON: ${(error as Error).message}`)
  }
}

/** Clients of a mirror get the history of its upstream, on request. */
async function checkHistory(client: UpstreamClient): Promise<RouteReport> {
  const reports = new FieldReports()
  const { path } = routes.metricSeries
  const history = new UpstreamHistory({ client, publishSeq: () => 0 })
  try {
    const { paths } = await history.paths('')
    const [first] = paths
    if (first !== undefined) await history.series(first, 2n ** 63n - 1n)
    return reports.of({ path, problem: first === undefined ? 'It has no history.' : null })
  } catch (error) {
    return reports.of({ path, problem: problemOf(error) })
  }
}

/** Reads the upstream as a mirror does; the reason if a mirror shows nothing of it. */
async function mirrored({ origin, clock, signal }: CheckOptions): Promise<EncodedContent | string> {
  const source = new AttachedSource({
    origin,
    exposition: createExposition({ collectors: collectorNames }),
    clock,
    cadenceMs,
    isChecked: true,
  })
  const ended = new Promise<never>((_, reject) => {
    const reason = new SourceError('timed_out', 'The time for the check is over.')
    if (signal.aborted) reject(reason)
    signal.addEventListener('abort', () => reject(reason), { once: true })
  })
  ended.catch(() => {})
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        const content = await Promise.race([source.capture(), ended])
        return content ?? 'It publishes nothing.'
      } catch (error) {
        const isOver = signal.aborted || attempt === attemptsMax
        if (isOver || !(error instanceof SourceError)) return problemOf(error)
      }
    }
  } finally {
    source.close()
  }
}
