import type { Clock } from '../../contract/clock.ts'
import { routes } from '../../contract/routes.ts'
import type { ReadItems } from '../../encoding/record-list-reader.ts'
import { SourceError, StatusError } from '../source.ts'
import type { UpstreamClient } from './http/http-client.ts'
import { JsonResponse } from './http/json-response.ts'

/** Time limit of the search for the newest evicted event; after it, a bound is used instead. */
const searchTimeoutMs = 500

/**
 * Follows the upstream's window of events. The window is used unchanged, so that no event in it is lost or duplicated,
 * ties included. Evicted events are known from the previous window, or found by requests for gaps.
 */
export class EventWindow {
  readonly #client: UpstreamClient
  readonly #clock: Clock
  #last: ReadItems | null = null
  #newestEvictedNs = -1n

  constructor(client: UpstreamClient, clock: Clock) {
    this.#client = client
    this.#clock = clock
  }

  reset(): void {
    this.#last = null
    this.#newestEvictedNs = -1n
  }

  /** Advances to the next window. Returns `at_ns` of the newest event that was evicted from it; -1 if none was. */
  async advance(window: ReadItems, simTimeNs: bigint): Promise<bigint> {
    const last = this.#last
    if (window === last) return this.#newestEvictedNs
    const evicted = last === null ? null : evictedBetween(last, window)
    if (evicted === null) this.#newestEvictedNs = await this.#search(last, window, simTimeNs)
    else if (evicted > 0) this.#newestEvictedNs = last!.keys[evicted - 1]
    this.#last = window
    return this.#newestEvictedNs
  }

  /**
   * Bisects between the newest known event and the beginning of the window for the time after which no event is
   * missing.
   */
  async #search(last: ReadItems | null, window: ReadItems, simTimeNs: bigint): Promise<bigint> {
    const newestSeen = last === null || last.count === 0 ? this.#newestEvictedNs : last.keys[last.count - 1]
    let complete = window.count > 0 ? window.keys[0] : simTimeNs
    let missing = newestSeen < 0n ? 0n : newestSeen
    const deadlineMs = this.#clock.nowMs() + searchTimeoutMs
    // If no newer event was evicted, the newest known event is the newest evicted one.
    if (complete <= missing || !(await this.#isGapAfter(missing))) return newestSeen
    while (complete - missing > 1n && this.#clock.nowMs() < deadlineMs) {
      const middle = (missing + complete) / 2n
      if (await this.#isGapAfter(middle)) missing = middle
      else complete = middle
    }
    return complete
  }

  async #isGapAfter(sinceNs: bigint): Promise<boolean> {
    try {
      const response = await this.#client.get(`${routes.events.path}?since_ns=${sinceNs}&limit=0`)
      return new JsonResponse(response).boolean('possible_gap') === true
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      return !isRefused(error)
    }
  }
}

/** An upstream may not know such a request: no gap is assumed. After a failure, events may be missing. */
const isRefused = (error: SourceError): boolean =>
  error instanceof StatusError && error.status < 500 && error.status !== 429

/** The number of events that the next window has evicted; null if the two windows have no event in common. */
function evictedBetween(before: ReadItems, after: ReadItems): number | null {
  if (before.count === 0 || after.count === 0) return null
  const first = Buffer.from(after.item(0))
  for (let evicted = 0; evicted < before.count; evicted++) {
    if (first.equals(before.item(evicted)) && continues(before, evicted, after)) return evicted
  }
  return null
}

function continues(before: ReadItems, evicted: number, after: ReadItems): boolean {
  for (let at = evicted; at < before.count && at - evicted < after.count; at++) {
    if (!Buffer.from(before.item(at)).equals(after.item(at - evicted))) return false
  }
  return true
}
