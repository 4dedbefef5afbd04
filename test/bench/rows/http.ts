import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HostRecord } from '../../../src/contract/collections.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import { ServiceMetrics } from '../../../src/metrics/service-metrics.ts'
import { busyHost } from '../../fixtures/busy-hosts.ts'
import { snapshotWith } from '../../fixtures/handmade-snapshot.ts'
import { TestService } from '../../http/test-service.ts'
import type { Served } from '../../http/test-service.ts'
import { atLeast, finding } from '../harness/finding.ts'
import type { Row } from '../harness/finding.ts'
import { takeTurns } from '../harness/turns.ts'
import { LoadClient } from '../support/load-client.ts'
import type { Load } from '../support/load-client.ts'
import { DescribedFleet } from '../support/metrics-fleet.ts'
import { listening } from '../../fixtures/listening.ts'

const hostCount = 2_000
/** Rounds until the code of both is compiled as in a long-running server. */
const [rounds, warmUps] = [15, 7]
/** One publish lasts for the whole measurement. */
const cadenceMs = 3_600_000

/** A host with two ports makes a record of about 2 KB. */
function leanHost(id: number): HostRecord {
  const host = busyHost(id)
  return { ...host, ports: host.ports.slice(0, 2) }
}

async function startService(isScrape: boolean): Promise<TestService> {
  const hosts = Array.from({ length: hostCount }, (_, index) => leanHost(index + 1))
  const world = isScrape ? new DescribedFleet().snapshot : snapshotWith({ hosts })
  const exposition = isScrape ? createExposition({ collectors: ['hosts'] }).render(world) : []
  const gauges = () => ({ worldReady: true, paused: false, ageSeconds: 0, frameBytes: 0, sourceUp: true })
  // Requests are counted as in the whole service.
  const { requestAnswered } = new ServiceMetrics({ version: '0.0.0', nowMs: () => 0, gauges })
  return TestService.start({ onResponse: requestAnswered, world, exposition, cadenceMs })
}

/** Headers that Node adds. */
const nodeHeaders = new Set(['date', 'connection', 'keep-alive'])

/** The yardstick: Node's server with the same bytes, prepared in advance. */
async function startBare({ status, headers, bytes }: Served): Promise<Server> {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !nodeHeaders.has(name)))
  const listener: RequestListener = (_request, response) =>
    response.writeHead(status, own).end(status === 304 ? undefined : bytes)
  const server = createServer(listener)
  await listening(server)
  return server
}

interface Asked extends Omit<Load, 'port' | 'request'> {
  readonly target: string
  /** Sends the entity tag of the previous response. */
  readonly isConditional?: boolean
}

/** Processor time of the serving thread for a round of responses, which other programs affect least. */
const rowOf = (
  name: string,
  what: string,
  bound: ReturnType<typeof atLeast>,
  { target, isConditional = false, ...load }: Asked,
): Row => ({
  name,
  async measure() {
    const service = await startService(target === '/metrics')
    const first = await service.get(target)
    const tag = isConditional ? { 'if-none-match': first.headers.etag! } : {}
    const bare = await startBare(await service.get(target, tag))
    const condition = isConditional ? `If-None-Match: ${first.headers.etag}\r\n` : ''
    const request = `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${condition}\r\n`
    const client = new LoadClient()
    const askedAt = (port: number) => ({ run: () => client.run({ ...load, request, port }) })
    const turns = await takeTurns(
      { ours: askedAt(service.port), bare: askedAt((bare.address() as AddressInfo).port) },
      { rounds, warmUps },
    )
    client.close()
    bare.close().closeAllConnections()
    await service.stop()
    const measured = `${what}, against bare node:http with the same headers and the bytes prebuilt`
    const sides = `${turns.sides('ours', 'bare', 'µs', load.responses)} a response`
    return [finding(name, measured, bound, turns.ratio('bare', 'ours'), sides)]
  },
})

const record = { target: '/api/v1/hosts/5', connections: 32, sleepMs: 3, responses: 640 }
const page = { target: '/api/v1/hosts?limit=1000', connections: 4, responses: 30 }
const scrape = { target: '/metrics', connections: 4, responses: 12 }

export const http: readonly Row[] = [
  rowOf('http-record', 'one record of 2 KB', atLeast(0.55, 1), record),
  rowOf('http-not-modified', 'the same, 304', atLeast(0.55, 0.92), { ...record, isConditional: true }),
  rowOf('http-page', 'a page of 1,000 hosts', atLeast(0.7, 0.93), page),
  rowOf('scrape-http', 'a scrape of 100k series', atLeast(0.66, 0.96), scrape),
]
