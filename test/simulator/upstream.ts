import { collectionNames } from '../../src/contract/collections.ts'
import type { CollectionName } from '../../src/contract/collections.ts'
import { routes } from '../../src/contract/routes.ts'
import type { Route } from '../../src/contract/routes.ts'
import type { OpenConnections } from '../../src/sources/attached/http/http-client.ts'
import type { SeededRandom } from '../fixtures/seeded-random.ts'
import type { Place, Scheduler } from './scheduler.ts'
import { MarkedWorld, upstreamState } from './world.ts'
import type { UpstreamState } from './world.ts'

const hugeBytes = 2 ** 29

/** Faults of the responses of an upstream, or of its publishes. */
export const networkFaults = [
  'silent',
  'refused',
  'reset',
  'cut',
  'stalled',
  'slow',
  'status',
  'garbage',
  'frozen',
  'torn',
  'huge',
] as const
export type NetworkFault = (typeof networkFaults)[number]

const paths = new Map(
  (Object.values(routes) as Route[]).flatMap(({ path, answer }) =>
    answer.kind === 'page' ? [[path, answer.collection] as const] : [],
  ),
)

interface Reply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

interface UpstreamOptions {
  readonly scheduler: Scheduler
  readonly place: Place
  readonly random: SeededRandom
  readonly cadenceMs: number
  readonly latencyMs: number
  /** Simulated time between publishes. */
  readonly stepNs: bigint
  /** Collections whose route it has. */
  readonly served: ReadonlySet<CollectionName>
  readonly earlierEvents: number
  readonly fail: (what: string) => void
}

/** The game that a mirror is attached to, and the network between them. */
export class Upstream {
  readonly #options: UpstreamOptions
  #world: MarkedWorld
  #state: UpstreamState
  #publishSeq = 0
  #publishedMs = 0
  fault: { readonly kind: NetworkFault; readonly oneIn: number } | null = null
  /** Node keeps a signal with listeners. */
  readonly #closed = new AbortController()
  /** Requests that are not answered yet, on connections that no ordinary response blocks. */
  open = 0

  constructor(options: UpstreamOptions) {
    this.#options = options
    this.#world = this.#worldOf(1)
    this.#world.burst(options.earlierEvents)
    this.#state = upstreamState(this.#world)
    this.#advance()
  }

  /** Nothing is left of it, though some requests were never answered. */
  close(): void {
    this.#closed.abort()
  }

  restart(): void {
    this.#world = this.#worldOf(this.#world.life + 1)
    this.#publishSeq = 0
    this.#publish()
  }

  #worldOf(life: number): MarkedWorld {
    const { random, stepNs } = this.#options
    return new MarkedWorld(life, random, { hasTies: true, stepNs })
  }

  burst(count: number): void {
    this.#world.burst(count)
  }

  #advance(): void {
    if (this.fault?.kind !== 'frozen') this.#publish()
    const { scheduler, place, cadenceMs } = this.#options
    scheduler.after(cadenceMs, place, () => this.#advance())
  }

  #publish(): void {
    this.#world.step()
    this.#publishSeq++
    this.#publishedMs = this.#options.scheduler.nowMs()
    this.#state = upstreamState(this.#world)
  }

  #reply(path: string): Reply {
    const { pathname, searchParams } = new URL(path, 'http://upstream')
    const ageMs = Math.floor(this.#options.scheduler.nowMs() - this.#publishedMs)
    const [seq, time] = [this.#publishSeq, this.#state.simTimeNs]
    const headers = { 'x-sim-publish-seq': String(seq), 'x-sim-age-ms': String(ageMs) }
    const fresh = `"age_ms":${ageMs},"publish_seq":${seq},"sim_time_ns":${time}`
    const reply = (status: number, body: string): Reply => ({ status, headers, body })
    if (pathname === '/health') return reply(200, `{"status":"ok","world_ready":true,${fresh}}`)
    if (pathname === '/api/v1/events') return reply(200, `{"meta":{${fresh}},${this.#events(searchParams)}}`)
    if (pathname === '/api/v1/diagnostics')
      return reply(200, `{"meta":{${fresh}},"simulation":{"sim_time_ns":${time},"seed":7}}`)
    const collection = paths.get(pathname)
    if (collection === undefined || !this.#options.served.has(collection)) return reply(404, '{}')
    const items = this.#state.lists[collection] ?? []
    const page = `"items":[${items.join(',')}],"total":${items.length},"offset":0,"count":${items.length}`
    return reply(200, `{"meta":{${fresh}},${page}}`)
  }

  #events(query: URLSearchParams): string {
    const { lists, eventTimes, newestEvictedNs } = this.#state
    const since = query.has('since_ns') ? BigInt(query.get('since_ns')!) : null
    const from = since === null ? 0 : eventTimes.filter((atNs) => atNs <= since).length
    const items = query.get('limit') === '0' ? [] : lists.events!.slice(from)
    const gap = since !== null && newestEvictedNs > since
    return `"items":[${items.join(',')}],"next_since_ns":0,"oldest_retained_ns":${eventTimes[0] ?? 0},"possible_gap":${gap},"count":${items.length}`
  }

  #drawFault(): NetworkFault | null {
    const { fault } = this
    return fault !== null && this.#options.random.oneIn(fault.oneIn) ? fault.kind : null
  }

  /** Connections of a mirror's thread to the upstream. */
  connections(place: Place): OpenConnections {
    const { scheduler, random, latencyMs } = this.#options
    const pause = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        scheduler.after(ms, place, resolve)
      })
    const latency = (): number => (latencyMs * (1 + random.below(8))) / 4
    return (_origin, { connections }) => {
      const free = { count: connections!, queue: [] as (() => void)[] }
      const acquire = (): Promise<void> | void => {
        if (free.count > 0) free.count--
        else return new Promise<void>((resolve) => free.queue.push(resolve))
      }
      const release = (): unknown => (free.queue.shift() ?? (() => free.count++))()
      const exchange = async (path: string, signal: AbortSignal): Promise<Awaited<Answer>> => {
        signal.throwIfAborted()
        const fault = this.#drawFault()
        await abortable(signal, pause(fault === 'slow' ? 40 * latency() + random.below(3_000) : latency()))
        if (fault === 'silent') await abortable(signal, new Promise(() => {}))
        if (fault === 'refused') throw failure('ECONNREFUSED')
        if (fault === 'reset') throw failure('UND_ERR_SOCKET')
        if (fault === 'torn') this.#publish()
        const { status, headers, body } = this.#reply(path)
        if (fault === 'status') return { statusCode: random.pick([500, 503, 429]), headers, body: bodyOf([]) }
        const sent = fault === 'garbage' ? body.replaceAll('}', '') : body
        const half = Buffer.from(sent.slice(0, sent.length / 2))
        const rest = async (): Promise<Buffer> => {
          await abortable(signal, pause(fault === 'stalled' ? 1e9 : latency()))
          if (fault === 'cut') throw failure('UND_ERR_SOCKET')
          return Buffer.from(sent.slice(sent.length / 2))
        }
        if (fault === 'huge') {
          const read = async (): Promise<Buffer> => {
            this.#options.fail(`${hugeBytes} bytes of ${path} are read`)
            return half
          }
          const length = { ...headers, 'content-length': String(hugeBytes) }
          return { statusCode: status, headers: length, body: bodyOf([read]) }
        }
        const length = { ...headers, 'content-length': String(Buffer.byteLength(sent)) }
        return { statusCode: status, headers: length, body: bodyOf([async () => half, rest]) }
      }
      return {
        request: async ({ path, signal: given }) => {
          const signal = given as AbortSignal
          this.open++
          await acquire()
          const own = new AbortController()
          const end = (): void => {
            if (own.signal.aborted) return
            own.abort(signal.reason)
            this.open--
            release()
          }
          if (signal.aborted) end()
          // The client aborts a response when it has it, or no longer wants it.
          signal.addEventListener('abort', end, { once: true, signal: this.#closed.signal })
          try {
            return await exchange(path, own.signal)
          } catch (error) {
            end()
            throw error
          }
        },
        destroy: async () => {},
      }
    }
  }
}

type Answer = ReturnType<ReturnType<OpenConnections>['request']>

const failure = (code: string): Error => Object.assign(new Error(code), { code })

async function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** A body whose chunks arrive one after the other. */
function bodyOf(chunks: readonly (() => Promise<Buffer>)[]): Awaited<Answer>['body'] {
  const body = {
    on: () => body,
    async *[Symbol.asyncIterator]() {
      for (const chunk of chunks) yield await chunk()
    },
  }
  return body as unknown as Awaited<Answer>['body']
}

export const servedAlways: readonly CollectionName[] = [
  'hosts',
  'customers',
  'incidents',
  'resolvedIncidents',
]
export const servedSometimes: readonly CollectionName[] = collectionNames.filter(
  (name) => !servedAlways.includes(name),
)
