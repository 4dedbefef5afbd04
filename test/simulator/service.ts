import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../src/contract/clock.ts'
import { routeNames, routes } from '../../src/contract/routes.ts'
import type { RouteName } from '../../src/contract/routes.ts'
import { segmentWithoutChecksum } from '../../src/http/content-coding/content-coding.ts'
import type { ContentCoding } from '../../src/http/content-coding/content-coding.ts'
import { SegmentCache } from '../../src/http/content-coding/segment-cache.ts'
import { Connections } from '../../src/http/requests/connections.ts'
import { parameterValidator, parseQuery } from '../../src/http/requests/parameters.ts'
import { partsReadBy } from '../../src/http/requests/read-parts.ts'
import type { ParameterValues } from '../../src/http/requests/parameters.ts'
import { resources } from '../../src/http/resources/resources.ts'
import type { Resource, ResourceContext } from '../../src/http/resources/resources.ts'
import { Problem } from '../../src/http/responses/problems.ts'
import { Responder } from '../../src/http/responses/responder.ts'
import type { Exchange } from '../../src/http/responses/responder.ts'
import { noHistory } from '../../src/metrics/history/history-reader.ts'
import type { Mirror } from '../../src/mirror/mirror.ts'
import type { TablesClient } from '../../src/tables/thread/tables-client.ts'
import type { Place, Scheduler } from './scheduler.ts'

/** Smaller than in the service, so that a simulated minute reaches them. */
export const smallSegmentBytes = 4 * 1024
export const smallLimits = {
  pipelinedMax: 8,
  pipelinedInAllMax: 60,
}

const plainRoutes = new Map<string, RouteName>(
  routeNames.filter((name) => !routes[name].path.includes('{')).map((name) => [routes[name].path, name]),
)

function routeOf(path: string): [RouteName, Partial<ParameterValues>] {
  const [, table] = /^\/tables\/(.+)$/.exec(path) ?? []
  if (table !== undefined) return ['table', { table }]
  const name = plainRoutes.get(path)
  if (name === undefined) throw new Problem('NoSuchRoute', path)
  return [name, {}]
}

interface ServiceOptions {
  readonly scheduler: Scheduler
  readonly place: Place
  readonly clock: Clock
  readonly mirror: Mirror
  readonly tables: TablesClient
  readonly codingMs: () => number
  readonly log: (line: string) => void
  readonly fail: (what: string) => void
}

/** The service's answers to parsed requests: all of it but Node's parser, Fastify and compressors. */
export class Service {
  readonly connections: Connections
  readonly segments: SegmentCache
  readonly #responder: Responder
  readonly #context: ResourceContext

  constructor({ scheduler, place, clock, mirror, tables, codingMs, log, fail }: ServiceOptions) {
    this.connections = new Connections((call) => scheduler.after(0, place, call), smallLimits)
    const compressor = (name: string): ContentCoding => ({
      compress: async (plain) => {
        const before = Buffer.from(plain)
        await new Promise<void>((resolve) => scheduler.after(codingMs(), place, resolve))
        if (!before.equals(plain)) fail('bytes changed while they were compressed')
        return segmentWithoutChecksum(Buffer.concat([Buffer.from(`{by ${name}}`), before]))
      },
      assemble: async (head, { bytes }, tail) => [head, bytes, tail],
    })
    const [zstd, gzip, br] = ['zstd', 'gzip', 'br'].map(compressor)
    this.segments = new SegmentCache({ zstd, gzip, br }, smallSegmentBytes)
    const report = (): void => {}
    const options = { mirror, clock, bootId: 'boot', onResponse: report, log, segments: this.segments }
    this.#responder = new Responder(options)
    const own = { family: 'dcsim_mirror_up', bytes: Buffer.from('dcsim_mirror_up 1\n') }
    this.#context = {
      session: '',
      mirrorStatus: () => mirror.status(),
      series: noHistory,
      ownExposition: async () => [own],
      tables,
    } as unknown as ResourceContext
  }

  readonly answer = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = this.#responder.begin(request, response)
    void this.#answer(exchange, request.url!).catch((error: unknown) =>
      this.#responder.respondWithError(exchange, error),
    )
  }

  async #answer(exchange: Exchange, target: string): Promise<void> {
    const [path, query = ''] = target.split('?')
    const [route, named] = routeOf(path)
    exchange.route = route
    if (exchange.published.frame === null && !routes[route].beforeWorld)
      throw new Problem('NoWorldYet', 'No world has been published yet.')
    const read = parameterValidator(route, 'querystring')(parseQuery(query))
    if ('error' in read) throw read.error
    await this.#responder.parts(exchange, partsReadBy(route))
    const resource = resources[route] as Resource<RouteName>
    const parameters = { ...read.value, ...named } as ParameterValues
    const made = resource(exchange.published.frame!, parameters, this.#context, undefined)
    if (made instanceof Promise) await this.#responder.respondLater(exchange, made)
    else await this.#responder.respond(exchange, made)
  }
}
