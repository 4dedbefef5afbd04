import { metricPathsMax, routes } from '../../contract/routes.ts'
import { HistoryUnavailable } from '../../metrics/history/history-reader.ts'
import type { HistoryReader, PathList, Series } from '../../metrics/history/history-reader.ts'
import { SourceError } from '../source.ts'
import { seriesTimes, totalPathsOf } from './http/envelope.ts'
import type { UpstreamClient } from './http/http-client.ts'
import { JsonResponse } from './http/json-response.ts'

/** Cached responses; the least recently used are evicted first. */
const historyCacheEntriesMax = 256

/** Larger responses are not cached, so that all together stay within 64 MiB. */
const historyCacheEntryBytesMax = 256 * 1024

/** A request for history, on behalf of a client. */
const historyRequest = { timeoutMs: 5_000, bodyBytesMax: 16 * 2 ** 20, mayBeMissing: true } as const

interface CacheEntry {
  /** The publish at the time of the request to the upstream. */
  publishSeq: number
  value: Promise<unknown>
}

interface UpstreamHistoryOptions {
  readonly client: UpstreamClient
  /** The current publish. */
  readonly publishSeq: () => number
}

/**
 * The history at an upstream, requested on behalf of clients: once per publish for each path. While the upstream does
 * not respond, its last response is used.
 */
export class UpstreamHistory implements HistoryReader {
  readonly #client: UpstreamClient
  readonly #publishSeq: () => number
  /** Least recently used first. */
  readonly #cache = new Map<string, CacheEntry>()

  constructor({ client, publishSeq }: UpstreamHistoryOptions) {
    this.#client = client
    this.#publishSeq = publishSeq
  }

  paths(prefix: string): Promise<PathList> {
    const query = prefix === '' ? '' : `?prefix=${encodeURIComponent(prefix)}`
    const target = `${routes.metricPaths.path}${query}`
    return this.#cached(target, (json) => pathsOf(json, prefix))
  }

  /** From an upstream that sends no times, the whole series. */
  async series(path: string, atNs: bigint): Promise<Series | null> {
    const target = `${routes.metricSeries.path}?path=${encodeURIComponent(path)}`
    const series = await this.#cached(target, seriesOf)
    return series === null ? null : seriesUntil(series, atNs)
  }

  async #cached<T>(target: string, read: (json: JsonResponse | null) => T): Promise<T> {
    const publishSeq = this.#publishSeq()
    const before = this.#cache.get(target)
    this.#cache.delete(target)
    if (before?.publishSeq === publishSeq) {
      this.#cache.set(target, before)
      return before.value as Promise<T>
    }
    const entry: CacheEntry = { publishSeq, value: Promise.resolve() }
    const drop = (): void => {
      if (this.#cache.get(target) === entry) this.#cache.delete(target)
    }
    const value = this.#request(target, read, drop).catch((error: unknown) => {
      if (before !== undefined) return before.value as Promise<T>
      drop()
      throw error
    })
    entry.value = value
    this.#cache.set(target, entry)
    if (this.#cache.size > historyCacheEntriesMax) this.#cache.delete(this.#cache.keys().next().value!)
    return value
  }

  async #request<T>(target: string, read: (json: JsonResponse | null) => T, onLarge: () => void): Promise<T> {
    try {
      const response = await this.#client.get(target, historyRequest)
      if (response.body.length > historyCacheEntryBytesMax) onLarge()
      return read(response.isMissing ? null : new JsonResponse(response))
    } catch (error) {
      if (error instanceof SourceError) throw new HistoryUnavailable(error.message)
      throw error
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

interface UpstreamSeries extends Series {
  readonly stepNs: bigint
}

function seriesOf(json: JsonResponse | null): UpstreamSeries | null {
  if (json === null) return null
  return {
    values: json.numbers('values'),
    scale: json.string('scale') as Series['scale'],
    unit: json.string('unit') as Series['unit'],
    ...seriesTimes(json),
  }
}

/** A series up to a simulated time: the upstream is ahead of the mirror's snapshot. */
function seriesUntil(series: UpstreamSeries, atNs: bigint): UpstreamSeries {
  const { values, stepNs, lastNs } = series
  if (lastNs <= atNs || stepNs <= 0n) return series
  const later = (lastNs - atNs + stepNs - 1n) / stepNs
  if (later >= values.length) return { ...series, values: [], lastNs: 0n }
  return { ...series, values: values.slice(0, -Number(later)), lastNs: lastNs - later * stepNs }
}
