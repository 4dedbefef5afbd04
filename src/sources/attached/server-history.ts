import type { Clock } from '../../contract/clock.ts'
import { ns, record } from '../../contract/fields.ts'
import { MetricPaths, MetricSeries } from '../../contract/records/service.ts'
import { routes } from '../../contract/routes.ts'
import { HistoryUnavailable } from '../../metrics/series-reader.ts'
import type { HistoryReader, PathList, Series } from '../../metrics/series-reader.ts'
import { SourceTrouble } from '../source.ts'
import { Body } from './body.ts'
import type { Answer, Exchange } from './exchange.ts'

/** This many of the server's answers are kept; those that nobody has asked for for the longest time go first. */
export const answersKept = 256

/** Whoever asks for history waits this long at most. */
export const historyWithinMs = 5_000

const Times = record('Times', 'When values were taken.', {
  step_ns: ns('From one value to the next.'),
  last_ns: ns('Of the newest value.'),
})

interface Kept {
  /** The publish at which the server was asked. */
  publishSeq: number
  value: Promise<unknown>
}

export interface ServerHistoryOptions {
  readonly exchange: Exchange
  readonly clock: Clock
  /** The mirror's present publish. */
  readonly publishSeq: () => number
}

/**
 * The history that a server keeps, asked for as readers ask: once a publish for each path, and from what was got last
 * while the server does not answer.
 */
export class ServerHistory implements HistoryReader {
  readonly #exchange: Exchange
  readonly #clock: Clock
  readonly #publishSeq: () => number
  /** The longest unasked first. */
  readonly #kept = new Map<string, Kept>()

  constructor({ exchange, clock, publishSeq }: ServerHistoryOptions) {
    this.#exchange = exchange
    this.#clock = clock
    this.#publishSeq = publishSeq
  }

  paths(prefix: string): Promise<PathList> {
    const query = prefix === '' ? '' : `?prefix=${encodeURIComponent(prefix)}`
    return this.#fresh(`${routes.metricPaths.path}${query}`, (body) => pathsIn(body, prefix))
  }

  series(path: string): Promise<Series | null> {
    return this.#fresh(`${routes.metricSeries.path}?path=${encodeURIComponent(path)}`, seriesIn)
  }

  async #fresh<T>(target: string, read: (body: Body | null) => T): Promise<T> {
    const publishSeq = this.#publishSeq()
    const before = this.#kept.get(target)
    this.#kept.delete(target)
    if (before?.publishSeq === publishSeq) {
      this.#kept.set(target, before)
      return before.value as Promise<T>
    }
    const value = this.#asked(target, read).catch((error: unknown) => {
      if (before !== undefined) return before.value as Promise<T>
      this.#kept.delete(target)
      throw error
    })
    this.#kept.set(target, { publishSeq, value })
    if (this.#kept.size > answersKept) this.#kept.delete(this.#kept.keys().next().value!)
    return value
  }

  async #asked<T>(target: string, read: (body: Body | null) => T): Promise<T> {
    const control = new AbortController()
    const stopWaiting = this.#clock.after(historyWithinMs, () => control.abort())
    let answer: Answer | null = null
    try {
      answer = await this.#exchange.get(target, { signal: control.signal, mayBeMissing: true })
      return read(answer.isMissing ? null : new Body(answer))
    } catch (error) {
      if (error instanceof SourceTrouble) throw new HistoryUnavailable(error.message)
      throw error
    } finally {
      stopWaiting()
      answer?.free()
    }
  }
}

/** A server that knows no prefix lists everything. */
function pathsIn(body: Body | null, prefix: string): PathList {
  if (body === null) return { paths: [], total: 0 }
  const { paths, total_paths: total } = body.read(MetricPaths)
  const matching = paths.filter((path) => path.startsWith(prefix))
  return { paths: matching, total: matching.length === paths.length ? total : matching.length }
}

function seriesIn(body: Body | null): Series | null {
  if (body === null) return null
  const { values, scale, unit } = body.read(MetricSeries)
  const times = body.told(Times)
  return {
    values,
    scale,
    unit,
    stepNs: times === null ? 0 : Number(times.step_ns),
    lastNs: times === null ? 0n : BigInt(times.last_ns),
  }
}
