import type { Clock } from '../../contract/clock.ts'
import { routes } from '../../contract/routes.ts'
import { SourceError } from '../source.ts'
import { isAbsent } from './upstream-parts.ts'
import { anyPublish, envelopeOf } from './http/envelope.ts'
import type { Envelope } from './http/envelope.ts'
import { recordBytesMax } from './http/http-client.ts'
import type { UpstreamClient, HttpResponse } from './http/http-client.ts'
import { JsonResponse } from './http/json-response.ts'

/** Concurrent health requests; the oldest is aborted for the next. */
const concurrentHealthRequestsMax = 10

const healthTimeoutMs = 10_000

/**
 * The longest wait for the next request is at least this: with shorter ones, requests of a short cadence would be abandoned
 * before an upstream that is slow for a moment responds to any.
 */
const waitMaxMs = healthTimeoutMs / concurrentHealthRequestsMax

/**
 * This many failed responses decide, although further requests are open: the upstream responds, but not with its
 * health. One that takes longer to fail than the next request waits would otherwise count as silent.
 */
const failuresMax = 3

export interface UpstreamHealth {
  /** Null until the upstream has a world. */
  readonly envelope: Envelope | null
  /** As in the upstream's response; empty if it is missing. */
  readonly status: string
  readonly reason: string
  /** Whether the upstream has the route. */
  readonly isServed: boolean
}

/** The health of an upstream that does not serve it: its lists show whether it has a world. */
const healthNotServed = (nowMs: number): UpstreamHealth => ({
  envelope: { publishSeq: anyPublish, simTimeNs: null, capturedAtMs: nowMs },
  status: '',
  reason: '',
  isServed: false,
})

/** A mirror's reason quotes that of its own upstream: in a cycle of mirrors it would grow without bound. */
const reasonLengthMax = 300

const truncated = (reason: string): string =>
  reason.length > reasonLengthMax ? `${reason.slice(0, reasonLengthMax)} …` : reason

function healthOf(response: HttpResponse): UpstreamHealth {
  const json = new JsonResponse(response)
  return {
    envelope: json.boolean('world_ready') === false ? null : envelopeOf(json),
    status: json.text('status') ?? '',
    reason: truncated(json.text('reason') ?? ''),
    isServed: true,
  }
}

/**
 * Reads the upstream's health. A request without a response does not block the others: further ones follow on other
 * connections, at first quickly and in the end every `intervalMs` or `waitMaxMs`, whichever is longer, and the first
 * response counts. If all fail, the error is that of the last request, or of the last of `failuresMax`.
 */
export async function fetchHealth(
  client: UpstreamClient,
  clock: Clock,
  intervalMs: number,
): Promise<UpstreamHealth> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
  const deadlineMs = clock.nowMs() + healthTimeoutMs
  const open: AbortController[] = []
  let waitMs = intervalMs / 3
  let failures = 0
  let stopTimer = (): void => {}
  const request = (): void => {
    if (clock.nowMs() >= deadlineMs) {
      const seconds = healthTimeoutMs / 1000
      return reject(new SourceError('timed_out', `The upstream did not respond within ${seconds} s.`))
    }
    if (open.length === concurrentHealthRequestsMax) open.shift()!.abort()
    const control = new AbortController()
    open.push(control)
    client
      .get(routes.health.path, { isUrgent: true, signal: control.signal, bodyBytesMax: recordBytesMax })
      .then(resolve, (error: unknown) => {
        if (control.signal.aborted) return
        failures++
        if (control === open.at(-1) || failures === failuresMax) reject(error)
      })
    stopTimer = clock.after(waitMs, request)
    waitMs = Math.min(1.5 * waitMs, Math.max(intervalMs, waitMaxMs))
  }
  request()
  try {
    const response = await promise.catch((error: unknown) => {
      if (error instanceof SourceError && isAbsent(error)) return null
      throw error
    })
    if (response === null) return healthNotServed(clock.nowMs())
    try {
      return healthOf(response)
    } finally {
      response.free()
    }
  } finally {
    stopTimer()
    for (const control of open) control.abort()
  }
}
