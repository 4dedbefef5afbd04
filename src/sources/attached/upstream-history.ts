import { metricPathsMax, routes } from '../../contract/routes.ts'
import { comma, skipBlanks } from '../../text/json-scan.ts'
import { HistoryUnavailable } from '../../metrics/history/history-reader.ts'
import type { HistoryReader, PathList, Series } from '../../metrics/history/history-reader.ts'
import { SourceError } from '../source.ts'
import { seriesTimes, totalPathsOf } from './http/envelope.ts'
import type { UpstreamClient, HttpResponse } from './http/http-client.ts'
import { JsonResponse } from './http/json-response.ts'

/** Timeout of a client's request for history. */
const historyTimeoutMs = 5_000

/** The history at an upstream, requested on behalf of clients. */
export class UpstreamHistory implements HistoryReader {
  readonly #client: UpstreamClient

  constructor(client: UpstreamClient) {
    this.#client = client
  }

  paths(prefix: string): Promise<PathList> {
    const query = prefix === '' ? '' : `?prefix=${encodeURIComponent(prefix)}`
    return this.#request(`${routes.metricPaths.path}${query}`, (json) => pathsOf(json, prefix))
  }

  /** From an upstream that sends no times, the whole series. */
  async series(path: string, atNs: bigint): Promise<Series | null> {
    const target = `${routes.metricSeries.path}?path=${encodeURIComponent(path)}`
    const series = await this.#request(target, seriesOf)
    return series === null ? null : seriesUntil(series, atNs)
  }

  async #request<T>(target: string, read: (json: JsonResponse | null) => T): Promise<T> {
    let response: HttpResponse | null = null
    try {
      response = await this.#client.get(target, { timeoutMs: historyTimeoutMs, mayBeMissing: true })
      return read(response.isMissing ? null : new JsonResponse(response))
    } catch (error) {
      if (error instanceof SourceError) throw new HistoryUnavailable(error.message)
      throw error
    } finally {
      response?.free()
    }
  }
}

/** An upstream that does not support `prefix` lists everything. */
function pathsOf(json: JsonResponse | null, prefix: string): PathList {
  if (json === null) return { paths: [], total: 0 }
  const paths = json.strings('paths')
  const total = totalPathsOf(json)
  const matching = paths.filter((path) => path.startsWith(prefix))
  return {
    paths: matching.slice(0, metricPathsMax),
    total: matching.length === paths.length ? Math.max(total, paths.length) : matching.length,
  }
}

/** A series whose values are the upstream's bytes. */
interface UpstreamSeries extends Series {
  readonly values: Buffer
  readonly stepNs: bigint
}

function seriesOf(json: JsonResponse | null): UpstreamSeries | null {
  if (json === null) return null
  const areValid = (): boolean => areFiniteNumbers(json.items('values'))
  if (!areValid() && !(json.rescan() && areValid()))
    throw json.error('bad_record', 'is refused: values are not all finite numbers')
  return {
    values: Buffer.concat([Buffer.from('['), json.items('values'), Buffer.from(']')]),
    scale: json.string('scale') as Series['scale'],
    unit: json.string('unit') as Series['unit'],
    ...seriesTimes(json),
  }
}

/** A series up to a simulated time: the upstream is ahead of the mirror's snapshot. */
function seriesUntil(series: UpstreamSeries, atNs: bigint): UpstreamSeries {
  const { values, stepNs, lastNs } = series
  if (lastNs <= atNs || stepNs <= 0n) return series
  const laterMax = (lastNs - atNs + stepNs - 1n) / stepNs
  let end = values.length - 1
  let later = 0n
  for (; later < laterMax && end > 0; later++) end = values.lastIndexOf(comma, end - 1)
  const isEmpty = end <= 0
  return {
    ...series,
    values: isEmpty ? Buffer.from('[]') : Buffer.concat([values.subarray(0, end), Buffer.from(']')]),
    lastNs: isEmpty ? 0n : lastNs - later * stepNs,
  }
}

/** The bytes of a list that are parsed at once: a long list takes no more memory than a short one. */
const pieceBytes = 64 * 1024

/** Whether a list's items are finite JSON numbers. */
function areFiniteNumbers(items: Buffer): boolean {
  if (skipBlanks(items, 0, items.length) === items.length) return true
  for (let at = 0; at <= items.length; ) {
    const commaAt = items.indexOf(comma, at + pieceBytes)
    const end = commaAt < 0 ? items.length : commaAt
    if (!isListOfNumbers(`[${items.toString('latin1', at, end)}]`)) return false
    at = end + 1
  }
  return true
}

function isListOfNumbers(text: string): boolean {
  try {
    const values = JSON.parse(text) as unknown[]
    return values.length > 0 && values.every((value) => Number.isFinite(value))
  } catch {
    return false
  }
}
