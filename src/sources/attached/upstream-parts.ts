import type { Clock } from '../../contract/clock.ts'
import type { UnknownParts } from '../../contract/collections.ts'
import { SourceError, StatusError } from '../source.ts'
import type { UpstreamClient } from './http/http-client.ts'
import { JsonResponse } from './http/json-response.ts'
import { partNames, partPaths } from './publish-pieces.ts'
import type { PartName } from './publish-pieces.ts'

/** A part that an upstream no longer serves keeps its last state for this many cadences: a minute by default. */
const keptCadences = 60

/** A part that cannot be read is tried again after this many cadences, beside the publishes. */
const probeCadences = 5
const probeTimeoutMs = 5_000

/**
 * Parts whose response was lost, or that were read before, cost the publishes of this many cadences in all before they count
 * as unreadable: attempts follow each other sooner, and a list that lags behind the others would outlast a short failure.
 */
const patienceCadences = 3

const absentStatuses: ReadonlySet<number> = new Set([404, 405, 410, 501])

/** Whether an upstream does not have the route at all. */
export const isAbsent = (error: SourceError): boolean =>
  error instanceof StatusError && absentStatuses.has(error.status)

/** Faults of a response that arrived: those of connections come and go. */
const isAnswer = ({ fault }: SourceError): boolean =>
  fault === 'bad_status' || fault === 'not_json' || fault === 'bad_record' || fault === 'too_big'

/** Whether an error says more than the one of before: where nothing responds, or the route is still absent, it does not. */
const isNews = (error: SourceError, before: SourceError | null): boolean =>
  isAnswer(error) && !(isAbsent(error) && before !== null && isAbsent(before))

interface PartState {
  /** Whether it has ever been read. */
  isKnown: boolean
  /** When it failed first since it was read last; null if it did not. */
  failedAtMs: number | null
  error: SourceError | null
  /** Whether it is left out of publishes. */
  isDown: boolean
  probedAtMs: number
  /** The finding of a probe since the publish that is being read began. */
  found: SourceError | 'readable' | null
}

/** Which parts of an upstream can be read. */
export class UpstreamParts {
  readonly #client: UpstreamClient
  readonly #clock: Clock
  readonly #cadenceMs: number
  /** When the first of the attempts failed that led to no publish; null after a publish. */
  #refusedSinceMs: number | null = null
  /** When the publish began that is being read. */
  #nowMs: number
  #isProbing = false
  readonly #states = new Map<PartName, PartState>(
    partNames.map((name) => [
      name,
      {
        isKnown: false,
        failedAtMs: null,
        error: null,
        isDown: false,
        probedAtMs: 0,
        found: null,
      },
    ]),
  )

  constructor(client: UpstreamClient, clock: Clock, cadenceMs: number) {
    this.#client = client
    this.#clock = clock
    this.#cadenceMs = cadenceMs
    this.#nowMs = clock.nowMs()
  }

  /** The parts to read with the next publish. */
  get readable(): readonly PartName[] {
    return partNames.filter((name) => !this.#stateOf(name).isDown)
  }

  published(): void {
    this.#refusedSinceMs = null
  }

  succeeded(name: PartName): void {
    const state = this.#stateOf(name)
    state.isKnown = true
    state.failedAtMs = null
    state.error = null
    state.isDown = false
  }

  /** A part could not be read with a publish. Throws if the whole publish is to be tried again. */
  failed(name: PartName, error: SourceError): void {
    const state = this.#stateOf(name)
    const nowMs = this.#clock.nowMs()
    state.failedAtMs ??= nowMs
    state.error = error
    const mayPass = !isAbsent(error) && (state.isKnown || !isAnswer(error))
    const sinceMs = Math.min(state.failedAtMs, this.#refusedSinceMs ?? nowMs)
    if (mayPass && nowMs - sinceMs < patienceCadences * this.#cadenceMs) {
      this.#refusedSinceMs ??= nowMs
      throw error
    }
    state.isDown = true
    state.probedAtMs = nowMs
  }

  /** Why a part has no state; null if it has one, perhaps its last. */
  reasonOf(name: PartName): SourceError | null {
    const { isDown, isKnown, failedAtMs, error } = this.#stateOf(name)
    const isKept = isKnown && this.#nowMs - (failedAtMs ?? 0) < keptCadences * this.#cadenceMs
    return isDown && !isKept ? error : null
  }

  /** Why nothing can be read, where nothing is readable. */
  get error(): SourceError | null {
    return [...this.#states.values()].find(({ error }) => error !== null)?.error ?? null
  }

  unknown(): UnknownParts {
    const reasons = partNames.flatMap((name): [string, string][] => {
      const error = this.reasonOf(name)
      return error === null ? [] : [[name, error.message]]
    })
    return Object.fromEntries(reasons)
  }

  /**
   * Parts come back between publishes only: here, those that responded to a probe do, which one failure suffices to leave
   * out again. Those that were left out for some time are asked for, without waiting.
   */
  beginPublish(): void {
    this.#nowMs = this.#clock.nowMs()
    for (const state of this.#states.values()) {
      if (state.found === 'readable') state.isDown = false
      else if (state.found !== null && isNews(state.found, state.error)) state.error = state.found
      state.found = null
    }
    if (!this.#isProbing) void this.#probeDue()
  }

  /** One after the other: a simple server refuses connections where many are opened at once. */
  async #probeDue(): Promise<void> {
    this.#isProbing = true
    for (const [name, state] of this.#states) {
      const isDue = this.#clock.nowMs() - state.probedAtMs >= probeCadences * this.#cadenceMs
      if (state.isDown && state.found === null && isDue) await this.#probePart(name, state)
    }
    this.#isProbing = false
  }

  async #probePart(name: PartName, state: PartState): Promise<void> {
    const query = name === 'diagnostics' ? '' : '?limit=1'
    try {
      const options = { timeoutMs: probeTimeoutMs }
      const json = new JsonResponse(await this.#client.get(partPaths[name] + query, options))
      if (name !== 'diagnostics') json.items('items')
      state.found = 'readable'
    } catch (error) {
      if (error instanceof SourceError) state.found = error
    } finally {
      state.probedAtMs = this.#clock.nowMs()
    }
  }

  #stateOf(name: PartName): PartState {
    return this.#states.get(name)!
  }
}
