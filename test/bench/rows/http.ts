import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HostRecord } from '../../../src/contract/collections.ts'
import { busyHost } from '../../fixtures/busy-hosts.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import { DescribedFleet } from '../support/metrics-fleet.ts'
import { TestService } from '../../http/test-service.ts'
import type { Served } from '../../http/test-service.ts'
import { snapshotWith } from '../../fixtures/handmade-snapshot.ts'
import { createServiceMetrics } from '../../../src/metrics/service-metrics.ts'
import type { ServiceMetrics } from '../../../src/metrics/service-metrics.ts'
import type { Finding, Row } from '../harness/finding.ts'
import { estimateOf, median } from '../harness/statistics.ts'
import { threadCpuMs } from '../harness/turns.ts'
import { LoadClient } from '../support/load-client.ts'
import type { Load, Served as Amounts } from '../support/load-client.ts'

const hostCount = 2_000
const rounds = 31
/** Rounds until the code of both is compiled as in a long-running server. */
const warmUps = 15
/** One publish lasts for the whole measurement. */
const cadenceMs = 3_600_000

/** A host with two ports makes a record of about 2 KB. */
function leanHost(id: number): HostRecord {
  const host = busyHost(id)
  return { ...host, ports: host.ports.slice(0, 2) }
}

interface LoadRow {
  readonly name: string
  /** The measured quantity per second of the serving thread's processor time, which other programs affect least. */
  readonly measured: string
  readonly against: string
  readonly target: string
  /** Sends the entity tag of the previous response. */
  readonly conditional?: boolean
  readonly connections: number
  readonly sleepMs?: number
  /** Responses in a round. */
  readonly responses: number
  readonly amount: (served: Amounts) => number
  readonly unit: string
  readonly floor: number
  readonly aim: number
}

const responsesOf = ({ responses }: Amounts): number => responses
const megabytesOf = ({ bytes }: Amounts): number => bytes / 1e6

/** `amount` per second of this thread's processor time. */
async function perProcessorSecond(client: LoadClient, load: Load, { amount }: LoadRow): Promise<number> {
  const beganMs = threadCpuMs()
  const served = await client.run(load)
  return (1_000 * amount(served)) / (threadCpuMs() - beganMs)
}

const rows: readonly LoadRow[] = [
  {
    name: 'http-record',
    measured: 'requests per CPU second, one record of 2 KB',
    against: 'bare node:http with the same headers and a prebuilt buffer',
    target: '/api/v1/hosts/5',
    connections: 32,
    sleepMs: 3,
    responses: 640,
    amount: responsesOf,
    unit: '/s',
    floor: 0.7,
    aim: 0.8,
  },
  {
    name: 'http-not-modified',
    measured: 'requests per CPU second, 304',
    against: 'bare node:http with the same headers',
    target: '/api/v1/hosts/5',
    conditional: true,
    connections: 32,
    sleepMs: 3,
    responses: 640,
    amount: responsesOf,
    unit: '/s',
    floor: 0.69,
    aim: 0.75,
  },
  {
    name: 'http-page',
    measured: 'MB per CPU second, page of 1,000 hosts',
    against: 'bare node:http with the same headers and the page prebuilt',
    target: '/api/v1/hosts?limit=1000',
    connections: 4,
    responses: 30,
    amount: megabytesOf,
    unit: 'MB/s',
    floor: 0.74,
    aim: 0.9,
  },
  {
    name: 'scrape-http',
    measured: 'scrapes per CPU second, 100k series',
    against: 'bare node:http with the same headers and the text prebuilt',
    target: '/metrics',
    connections: 4,
    responses: 24,
    amount: responsesOf,
    unit: '/s',
    floor: 0.66,
    aim: 0.9,
  },
]

async function listening(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

/** Headers that Node adds. */
const nodeHeaders = new Set(['date', 'connection', 'keep-alive'])

/** The yardstick: Node's server with the same bytes, prepared in advance. */
function bare({ status, headers, bytes }: Served): RequestListener {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !nodeHeaders.has(name)))
  return (_request, response) => response.writeHead(status, own).end(status === 304 ? undefined : bytes)
}

/** Requests are counted as in the whole service. */
const countedRequests = (): ServiceMetrics['requestAnswered'] =>
  createServiceMetrics({
    version: '0.0.0',
    nowMs: () => 0,
    gauges: () => ({ worldReady: true, paused: false, ageSeconds: 0, frameBytes: 0, sourceUp: true }),
  }).requestAnswered

async function measure(row: LoadRow, progress: (activity: string) => void): Promise<Finding[]> {
  const isScrape = row.target === '/metrics'
  const hosts = Array.from({ length: hostCount }, (_, index) => leanHost(index + 1))
  const world = isScrape ? new DescribedFleet().snapshot : snapshotWith({ hosts })
  const exposition = isScrape ? createExposition({ collectors: ['hosts'] }).render(world) : []
  const service = await TestService.start({
    onResponse: countedRequests(),
    world,
    exposition,
    cadenceMs,
  })
  const first = await service.get(row.target)
  const conditions = row.conditional === true ? { 'if-none-match': first.headers.etag! } : {}
  const yardstick = await listening(bare(await service.get(row.target, conditions)))
  const condition = row.conditional === true ? `If-None-Match: ${first.headers.etag}\r\n` : ''
  const request = `GET ${row.target} HTTP/1.1\r\nHost: localhost\r\n${condition}\r\n`
  const client = new LoadClient()
  const { connections, responses, sleepMs } = row
  const load: Omit<Load, 'port'> = {
    request,
    connections,
    responses,
    ...(sleepMs === undefined ? {} : { sleepMs }),
  }
  const ours: number[] = []
  const theirs: number[] = []
  progress(`${first.bytes.length} bytes, ${row.connections} connections, ${rounds} rounds`)
  for (let round = 0; round < warmUps + rounds; round++) {
    const own = await perProcessorSecond(client, { ...load, port: service.port }, row)
    const other = await perProcessorSecond(client, { ...load, port: yardstick.port }, row)
    if (round < warmUps) continue
    ours.push(own)
    theirs.push(other)
  }
  client.close()
  yardstick.server.close()
  yardstick.server.closeAllConnections()
  await service.stop()
  const ratio = estimateOf(ours.map((own, round) => own / theirs[round]))
  const medians = `${median(ours).toFixed(0)} and ${median(theirs).toFixed(0)} ${row.unit}`
  const { name, measured, against, floor, aim } = row
  return [{ row: name, measured, against, ...ratio, unit: '×', better: 'higher', floor, aim, medians }]
}

export const http: readonly Row[] = rows.map((row) => ({
  name: row.name,
  measure: (progress) => measure(row, progress),
}))
