import { pageLimitMax } from '../../../contract/routes.ts'
import type { HttpResponse } from './http-client.ts'
import type { JsonResponse } from './json-response.ts'

/** The publish of a response, and the time at which the upstream captured it. */
export interface Envelope {
  /** `anyPublish` if the response does not contain it. */
  readonly publishSeq: number
  /** Null if the response does not contain it. */
  readonly simTimeNs: bigint | null
  /** On this process's clock. */
  readonly capturedAtMs: number
}

/** The range of a collection on a page. */
interface PageRange {
  readonly total: number
  readonly offset: number
  readonly count: number
}

/** The number of a response without one, which goes with any publish. */
export const anyPublish = -1

/** A hundred years: the maximum age that is accepted from an upstream. */
const ageMsMax = 100 * 365 * 86_400_000

const publishSeqMax = Number.MAX_SAFE_INTEGER

/** An upper bound for any collection. */
const pagesMax = 1_000
const itemsMax = pagesMax * pageLimitMax

/** The publish of a response, from `meta`, its siblings, or the headers. */
export function envelopeOf(json: JsonResponse): Envelope {
  const header = headerEnvelope(json.response)
  const ageMs = json.metaInteger('age_ms', ageMsMax)
  return {
    publishSeq: json.metaInteger('publish_seq', publishSeqMax) ?? header.publishSeq,
    simTimeNs: json.metaInt64('sim_time_ns'),
    capturedAtMs: ageMs === null ? header.capturedAtMs : json.response.receivedMs - ageMs,
  }
}

/** The publish in a response's headers. */
function headerEnvelope(response: HttpResponse): Envelope {
  const publishSeq = headerInteger(response, 'x-sim-publish-seq', publishSeqMax) ?? anyPublish
  const ageMs = headerInteger(response, 'x-sim-age-ms', ageMsMax) ?? 0
  return { publishSeq, simTimeNs: null, capturedAtMs: response.receivedMs - ageMs }
}

/** The range of a page, which must begin at the requested offset; null if the page does not tell it: it is then whole. */
export function pageRangeOf(json: JsonResponse, askedOffset: number): PageRange | null {
  if (!json.has('total')) return null
  const total = json.integer('total', itemsMax)
  const range = {
    total,
    offset: json.has('offset') ? json.integer('offset', itemsMax) : Math.min(askedOffset, total),
    count: json.has('count')
      ? json.integer('count', pageLimitMax)
      : Math.min(pageLimitMax, Math.max(0, total - askedOffset)),
  }
  const offset = Math.min(askedOffset, range.total)
  const count = Math.min(pageLimitMax, range.total - offset)
  if (range.offset === offset && range.count === count) return range
  const got = `offset ${range.offset} and count ${range.count} of ${range.total} items`
  throw json.error('bad_record', `is refused: got ${got}, expected offset ${offset} and count ${count}`)
}

/** The step and the newest time of a series; 0 for a missing one. */
export const seriesTimes = (json: JsonResponse): { stepNs: bigint; lastNs: bigint } => ({
  stepNs: json.strictMetaInt64('step_ns') ?? 0n,
  lastNs: json.strictMetaInt64('last_ns') ?? 0n,
})

export const totalPathsOf = (json: JsonResponse): number =>
  json.integer('total_paths', Number.MAX_SAFE_INTEGER)

function headerInteger({ headers }: HttpResponse, name: string, max: number): number | null {
  const text = headers[name]
  if (typeof text !== 'string' || !/^\d{1,16}$/.test(text)) return null
  const value = Number(text)
  return value <= max ? value : null
}

/** A response without a number is of a publish of its own. */
export const isSamePublish = (one: Envelope, other: Envelope): boolean =>
  one.publishSeq !== anyPublish && one.publishSeq === other.publishSeq && one.simTimeNs === other.simTimeNs
