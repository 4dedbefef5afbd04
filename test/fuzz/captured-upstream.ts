import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '../../src/contract/routes.ts'
import type { Route } from '../../src/contract/routes.ts'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import type { Reply, ReplyFilter } from '../sources/attached/fake-upstream.ts'

const seriesPath = 'fleet/rps/10s'
export const seriesTarget = `${routes.metricSeries.path}?path=${seriesPath}`
const publishEveryMs = 150
const stepNs = 10_000_000_000n

/** The responses of a small world, by target without paging. */
export type CapturedWorld = ReadonlyMap<string, string>

/** Responses that depend on the query; collections are captured completely. */
const targetOf = ({ pathname, searchParams }: URL): string =>
  pathname === routes.metricSeries.path ? `${pathname}?path=${searchParams.get('path')}` : pathname

/** The responses of a real mirror of a small world. */
export async function captureWorld(): Promise<CapturedWorld> {
  const mirror = await MirrorProcess.start(
    '--scale 6 --warmup 8h --speed 0 --scenario ddos-friday'.split(' '),
  )
  const answers = new Map<string, string>()
  for (const { path, answer } of Object.values(routes) as Route[]) {
    if (answer.kind === 'detail' || path === routes.metricSeries.path) continue
    answers.set(path, await mirror.text(answer.kind === 'page' ? `${path}?limit=1000` : path))
  }
  answers.set(seriesTarget, await mirror.text(seriesTarget))
  await mirror.stop()
  return answers
}

/** An upstream that publishes a captured world repeatedly, until a filter makes it misbehave. */
export class CapturedUpstream {
  /** Modifies each reply; null if the filter has responded itself. */
  filter: ReplyFilter = (reply) => reply
  publishSeq = 1
  simTimeNs: bigint
  readonly #world: CapturedWorld
  readonly #server: Server
  readonly #publishing: NodeJS.Timeout

  private constructor(world: CapturedWorld) {
    this.#world = world
    this.simTimeNs = BigInt(/"sim_time_ns":(\d+)/.exec(world.get('/health')!)![1])
    this.#server = createServer((request, response) => {
      void (async () => {
        const url = new URL(request.url!, 'http://upstream')
        const reply = await this.filter(this.#replyTo(url), request, response)
        if (reply === null) return
        response.writeHead(reply.status, {
          'Content-Length': Buffer.byteLength(reply.body),
          ...reply.headers,
        })
        response.end(reply.body)
      })().catch(() => response.destroy())
    })
    this.#server.on('clientError', (_error, socket) => socket.destroy())
    this.#publishing = setInterval(() => this.publish(), publishEveryMs)
  }

  static async start(world: CapturedWorld): Promise<CapturedUpstream> {
    const upstream = new CapturedUpstream(world)
    await new Promise<void>((resolve) => {
      upstream.#server.listen(0, '127.0.0.1', resolve)
    })
    return upstream
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  publish(): void {
    this.publishSeq++
    this.simTimeNs += stepNs
  }

  async close(): Promise<void> {
    clearInterval(this.#publishing)
    this.#server.closeAllConnections()
    await new Promise((resolve) => {
      this.#server.close(resolve)
    })
  }

  #replyTo(url: URL): Reply {
    const headers = { 'X-Sim-Publish-Seq': String(this.publishSeq), 'X-Sim-Age-Ms': '0' }
    const captured = this.#world.get(targetOf(url))
    if (captured === undefined) return { status: 404, body: '{}', headers }
    // /health has the numbers in its meta and beside it; elsewhere they are in the meta only, which comes
    // first.
    const everywhere = url.pathname === routes.health.path ? 'g' : ''
    const body = captured
      .replace(
        new RegExp(/"age_ms":\d+,"publish_seq":\d+/, everywhere),
        `"age_ms":0,"publish_seq":${this.publishSeq}`,
      )
      .replace(new RegExp(/"sim_time_ns":\d+/, everywhere), `"sim_time_ns":${this.simTimeNs}`)
    return { status: 200, body, headers }
  }
}
