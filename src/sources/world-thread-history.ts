import type { MessagePort } from 'node:worker_threads'
import type { Clock } from '../contract/clock.ts'
import { HistoryUnavailable } from '../metrics/history/history-reader.ts'
import type { HistoryReader, PathList, Series } from '../metrics/history/history-reader.ts'

/** A request for history, from another thread. */
interface HistoryRequest {
  readonly id: number
  readonly method: 'paths' | 'series'
  readonly argument: string
  readonly atNs: bigint
}

type HistoryResult = PathList | Series | null

type HistoryResponse =
  | { readonly id: number; readonly result: HistoryResult }
  | { readonly id: number; readonly unavailable: string }

/** Longer than the timeout of a source, so that the source's own error arrives. */
export const historyTimeoutMs = 6_000

/** Answers requests from the other end of a port. */
export function serveHistory(port: MessagePort, reader: HistoryReader): void {
  const respond = async ({ id, method, argument, atNs }: HistoryRequest): Promise<void> => {
    try {
      const result = await reader[method](argument, atNs)
      port.postMessage({ id, result } satisfies HistoryResponse)
    } catch (error) {
      const unavailable = error instanceof Error ? error.message : String(error)
      port.postMessage({ id, unavailable } satisfies HistoryResponse)
    }
  }
  port.on('message', (request: HistoryRequest) => void respond(request))
}

interface PendingRequest {
  readonly resolve: (result: HistoryResult) => void
  readonly reject: (error: HistoryUnavailable) => void
  readonly stopTimer: () => void
}

/** Reads history through a port that `serveHistory` serves. */
export class WorldThreadHistory implements HistoryReader {
  readonly #port: MessagePort
  readonly #clock: Clock
  readonly #pending = new Map<number, PendingRequest>()
  #lastId = 0

  constructor(port: MessagePort, clock: Clock) {
    this.#port = port
    this.#clock = clock
    port.on('message', (response: HistoryResponse) => this.#settle(response))
    port.on('close', () => {
      for (const id of this.#pending.keys()) this.#settle({ id, unavailable: 'The world thread ended.' })
    })
  }

  paths(prefix: string, atNs: bigint): Promise<PathList> {
    return this.#request('paths', prefix, atNs) as Promise<PathList>
  }

  series(path: string, atNs: bigint): Promise<Series | null> {
    return this.#request('series', path, atNs) as Promise<Series | null>
  }

  #request(method: HistoryRequest['method'], argument: string, atNs: bigint): Promise<HistoryResult> {
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<HistoryResult>()
    const stopTimer = this.#clock.after(historyTimeoutMs, () =>
      this.#settle({ id, unavailable: 'The world thread did not respond.' }),
    )
    this.#pending.set(id, { resolve, reject, stopTimer })
    this.#port.postMessage({ id, method, argument, atNs } satisfies HistoryRequest)
    return promise
  }

  #settle(response: HistoryResponse): void {
    const pending = this.#pending.get(response.id)
    if (pending === undefined) return
    this.#pending.delete(response.id)
    pending.stopTimer()
    if ('result' in response) pending.resolve(response.result)
    else pending.reject(new HistoryUnavailable(response.unavailable))
  }
}
