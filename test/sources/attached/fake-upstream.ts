import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { collectionNames } from '../../../src/contract/collections.ts'
import type { CollectionName } from '../../../src/contract/collections.ts'
import { routes } from '../../../src/contract/routes.ts'
import type { Route } from '../../../src/contract/routes.ts'
import { listening } from '../../fixtures/listening.ts'

/** A publish in the form of a foreign upstream: every record is plain JSON. */
export interface UpstreamPublish {
  readonly publishSeq: number
  readonly simTimeNs: bigint
  readonly ageMs?: number
  readonly collections?: Partial<Record<CollectionName, readonly string[]>>
  /** Events with their times, oldest first. */
  readonly events?: readonly { readonly atNs: bigint; readonly json: string }[]
  readonly newestEvictedNs?: bigint
  /** Without meta. */
  readonly diagnostics?: string
}

export interface Reply {
  status: number
  body: string
  headers: Record<string, string>
}

/** A test's modification of a reply; null if the filter has written the response itself. */
export type ReplyFilter = (
  reply: Reply,
  request: IncomingMessage,
  response: ServerResponse,
) => Reply | null | Promise<Reply | null>

const paths = new Map<string, CollectionName>(
  (Object.values(routes) as Route[]).flatMap(({ path, answer }) =>
    answer.kind === 'page' ? [[path, answer.collection] as const] : [],
  ),
)

function pageOf(items: readonly string[], query: URLSearchParams): string {
  const offset = Math.min(Number(query.get('offset') ?? 0), items.length)
  const count = Math.min(Number(query.get('limit') ?? 100), 1000, items.length - offset)
  const slice = items.slice(offset, offset + count).join(',')
  return `"items":[${slice}],"total":${items.length},"offset":${offset},"count":${count}}`
}

function eventsOf({ events = [], newestEvictedNs = -1n }: UpstreamPublish, query: URLSearchParams): string {
  const sinceNs = query.has('since_ns') ? BigInt(query.get('since_ns')!) : null
  const limit = Math.min(Number(query.get('limit') ?? 100), 1000)
  const newer = events.filter(({ atNs }) => sinceNs === null || atNs > sinceNs).slice(0, limit)
  const next = newer.at(-1)?.atNs ?? sinceNs ?? 0n
  const gap = sinceNs !== null && newestEvictedNs > sinceNs
  return [
    `"items":[${newer.map(({ json }) => json).join(',')}]`,
    `"next_since_ns":${next}`,
    `"oldest_retained_ns":${events[0]?.atNs ?? 0n}`,
    `"possible_gap":${gap}`,
    `"count":${newer.length}}`,
  ].join(',')
}

/** A server with the minimal behavior of the specification. */
export class FakeUpstream {
  publish: UpstreamPublish | null = null
  filter: ReplyFilter = (reply) => reply
  /** Requested paths with their queries. */
  readonly requestedPaths: string[] = []
  readonly #server: Server
  port = 0

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  static async start(publish: UpstreamPublish | null, port = 0): Promise<FakeUpstream> {
    const server = new FakeUpstream()
    server.publish = publish
    server.port = await listening(server.#server, port)
    return server
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => {
      this.#server.close(resolve)
    })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requestedPaths.push(request.url!)
    const reply = await this.filter(this.#reply(new URL(request.url!, this.origin)), request, response)
    if (reply === null) return
    response.writeHead(reply.status, { 'Content-Length': Buffer.byteLength(reply.body), ...reply.headers })
    response.end(reply.body)
  }

  #reply({ pathname, searchParams }: URL): Reply {
    const { publish } = this
    const ageMs = publish?.ageMs ?? 0
    const seq = publish?.publishSeq ?? 0
    const headers = { 'X-Sim-Publish-Seq': String(seq), 'X-Sim-Age-Ms': String(ageMs) }
    const ok = (body: string): Reply => ({ status: 200, body, headers })
    const fresh = `"age_ms":${ageMs},"publish_seq":${seq}`
    if (pathname === '/health') {
      const time = publish === null ? '' : `,"sim_time_ns":${publish.simTimeNs}`
      return ok(`{"status":"up","world_ready":${publish !== null},${fresh}${time}}`)
    }
    if (publish === null) return { status: 503, body: '{}', headers }
    const meta = `{"meta":{${fresh},"sim_time_ns":${publish.simTimeNs}}`
    const collection = paths.get(pathname)
    if (collection !== undefined) {
      return ok(`${meta},${pageOf(publish.collections?.[collection] ?? [], searchParams)}`)
    }
    if (pathname === '/api/v1/events') return ok(`${meta},${eventsOf(publish, searchParams)}`)
    if (pathname === '/api/v1/diagnostics')
      return ok(`${meta},${(publish.diagnostics ?? '{"up":true}').slice(1)}`)
    return { status: 404, body: '{}', headers }
  }
}

export const allCollections = collectionNames
export const pathOf = new Map([...paths].map(([path, collection]) => [collection, path]))
