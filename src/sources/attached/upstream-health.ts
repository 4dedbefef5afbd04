import type { Clock } from '../../contract/clock.ts'
import { routes } from '../../contract/routes.ts'
import { SourceError } from '../source.ts'
import { isAbsent } from './upstream-parts.ts'
import { anyPublish, envelopeOf } from './http/envelope.ts'
import type { Envelope } from './http/envelope.ts'
import { recordBytesMax } from './http/http-client.ts'
import type { UpstreamClient, HttpResponse } from './http/http-client.ts'
import { JsonResponse } from './http/json-response.ts'

/** An upstream that hangs is asked again after this long, which it may take when it is busy. */
const healthTimeoutMs = 5_000

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

export async function fetchHealth(client: UpstreamClient, clock: Clock): Promise<UpstreamHealth> {
  const options = { timeoutMs: healthTimeoutMs, bodyBytesMax: recordBytesMax }
  try {
    return healthOf(await client.get(routes.health.path, options))
  } catch (error) {
    if (error instanceof SourceError && isAbsent(error)) return healthNotServed(clock.nowMs())
    throw error
  }
}
