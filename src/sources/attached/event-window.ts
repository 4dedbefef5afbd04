import type { Clock } from '../../contract/clock.ts'
import { bool, record } from '../../contract/fields.ts'
import { routes } from '../../contract/routes.ts'
import type { ReadItems } from '../../encoding/read-list.ts'
import { Body } from './body.ts'
import type { Exchange } from './exchange.ts'

/** How long the server may be asked for what has left its window, before the answer is a bound instead. */
export const searchWithinMs = 500

const Gap = record('Gap', 'Whether events are gone.', { possible_gap: bool('Whether any newer has left.') })

/**
 * Follows a server's window of events: it is taken as it is, so that nothing in it is lost or doubled, tied moments
 * included. What has left it is known from the window before, or found by asking about gaps.
 */
export class EventWindow {
  readonly #exchange: Exchange
  readonly #clock: Clock
  #last: ReadItems | null = null
  #newestEvictedNs = -1n

  constructor(exchange: Exchange, clock: Clock) {
    this.#exchange = exchange
    this.#clock = clock
  }

  forget(): void {
    this.#last = null
    this.#newestEvictedNs = -1n
  }

  /** `at_ns` of the newest event that has left the window, now that it is this. */
  async evictedBefore(window: ReadItems, simTimeNs: bigint, signal: AbortSignal): Promise<bigint> {
    const last = this.#last
    if (window === last) return this.#newestEvictedNs
    const gone = last === null ? null : goneBetween(last, window)
    if (gone === null) this.#newestEvictedNs = await this.#searched(last, window, simTimeNs, signal)
    else if (gone > 0) this.#newestEvictedNs = last!.keys[gone - 1]
    this.#last = window
    return this.#newestEvictedNs
  }

  /** The lowest moment after which nothing is missing, between what is known and where the window begins. */
  async #searched(
    last: ReadItems | null,
    window: ReadItems,
    simTimeNs: bigint,
    signal: AbortSignal,
  ): Promise<bigint> {
    const newestSeen = last === null || last.count === 0 ? this.#newestEvictedNs : last.keys[last.count - 1]
    let complete = window.count > 0 ? window.keys[0] : simTimeNs
    let missing = newestSeen < 0n ? 0n : newestSeen
    const byMs = this.#clock.nowMs() + searchWithinMs
    // Nothing newer than what was seen is gone: then that is the newest that is.
    if (complete <= missing || !(await this.#isGapAfter(missing, signal))) return newestSeen
    while (complete - missing > 1n && this.#clock.nowMs() < byMs) {
      const middle = (missing + complete) / 2n
      // Each answer decides the next question.
      // oxlint-disable-next-line no-await-in-loop
      if (await this.#isGapAfter(middle, signal)) missing = middle
      else complete = middle
    }
    return complete
  }

  async #isGapAfter(sinceNs: bigint, signal: AbortSignal): Promise<boolean> {
    const answer = await this.#exchange.get(`${routes.events.path}?since_ns=${sinceNs}&limit=0`, { signal })
    try {
      return new Body(answer).read(Gap).possible_gap
    } finally {
      answer.free()
    }
  }
}

/** How many of the events before have left since; null where none of them is there any more to tell. */
function goneBetween(before: ReadItems, after: ReadItems): number | null {
  if (before.count === 0 || after.count === 0) return null
  const first = Buffer.from(after.item(0))
  for (let gone = 0; gone < before.count; gone++) {
    if (first.equals(before.item(gone)) && continues(before, gone, after)) return gone
  }
  return null
}

function continues(before: ReadItems, gone: number, after: ReadItems): boolean {
  for (let at = gone; at < before.count && at - gone < after.count; at++) {
    if (!Buffer.from(before.item(at)).equals(after.item(at - gone))) return false
  }
  return true
}
