/** Whole services with 10,000 hosts: memory, a mirror of a mirror, and latency of requests. */
import { setTimeout as pause } from 'node:timers/promises'
import { routes } from '../../../src/contract/routes.ts'
import type { Route } from '../../../src/contract/routes.ts'
import type { Finding, Row } from '../harness/finding.ts'
import { estimateOf, median, quantile } from '../harness/statistics.ts'
import { roundsMin, threadCpuMs } from '../harness/turns.ts'
import { startBare } from '../support/bare-process.ts'
import { probedLatencies } from '../support/probing-client.ts'
import type { Waits } from '../support/probing-client.ts'
import { get, metaOf, processorMs, residentMib, startService } from '../support/service.ts'

const fleetHosts = 10_000
const fleetFlags = ['--scale', String(fleetHosts), '--warmup', '1h']
const pageSize = 1_000
const bytesPerMib = 2 ** 20

/** Every page of every collection. */
async function pagesOf(origin: string): Promise<string[]> {
  const pages: string[] = []
  for (const { path, answer } of Object.values<Route>(routes)) {
    if (answer.kind !== 'page') continue
    for (let offset = 0, total = 1; offset < total; offset += pageSize) {
      const page = (await get(`${origin}${path}?limit=${pageSize}&offset=${offset}`)).toString()
      pages.push(page)
      total = (JSON.parse(page) as { readonly total: number }).total
    }
  }
  return pages
}

const memory: Row = {
  name: 'memory',
  async measure(progress) {
    progress(`starting the service with ${fleetHosts} hosts`)
    const { origin, process: service } = await startService(fleetFlags)
    try {
      const pages = await pagesOf(origin)
      const text = await get(`${origin}/metrics`)
      const heldMib = (text.length + Buffer.byteLength(pages.join(''))) / bytesPerMib
      progress('polling it for 20 seconds')
      const resident: number[] = []
      for (let poll = 0; poll < 40; poll++) {
        await get(`${origin}/api/v1/hosts?limit=${pageSize}&offset=${(poll % 10) * pageSize}`)
        await get(`${origin}/metrics`)
        resident.push(residentMib(service.pid!))
        await pause(500)
      }
      const most = residentMib(service.pid!, 'VmHWM')
      return [
        {
          row: 'memory',
          measured: 'resident memory, 10,000 hosts, polled and scraped',
          against: 'the bytes of its records and exposition',
          ...estimateOf(resident.slice(10).map((mib) => mib / heldMib)),
          unit: '× them',
          better: 'lower',
          floor: 10.5,
          medians: `${(median(resident) / 1_024).toFixed(2)} GiB, at most ${(most / 1_024).toFixed(2)} : ${heldMib.toFixed(0)} MiB`,
        },
      ]
    } finally {
      service.kill()
    }
  },
}

const publishesPerRound = 2
const withinMs = 300_000

/** Waits for a number of publishes after one. Returns how many there were. */
async function publishes(origin: string, from: number, count: number): Promise<number> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const done = (await metaOf(origin)).publish_seq - from
    if (done >= count) return done
    if (performance.now() > endMs)
      throw new Error(`Only ${done} of ${count} publishes within ${withinMs / 1_000} s.`)
    await pause(50)
  }
}

function parseMs(pages: readonly string[]): number {
  const began = threadCpuMs()
  let members = 0
  for (const page of pages) members += Object.keys(JSON.parse(page) as object).length
  if (members === 0) throw new Error('There is nothing to parse.')
  return threadCpuMs() - began
}

const attached: Row = {
  name: 'attached',
  async measure(progress) {
    progress(`starting a server with ${fleetHosts} hosts, and a mirror of it`)
    const server = await startService(fleetFlags)
    await publishes(server.origin, 0, 1)
    const { origin, process: mirror } = await startService(['--source', server.origin])
    try {
      await publishes(origin, 0, 6)
      const pages = await pagesOf(server.origin)
      progress(`${roundsMin} rounds of ${publishesPerRound} publishes`)
      const costs: number[] = []
      const parses: number[] = []
      for (let round = 0; round < roundsMin; round++) {
        const from = (await metaOf(origin)).publish_seq
        const before = processorMs(mirror.pid!)
        const done = await publishes(origin, from, publishesPerRound)
        costs.push((processorMs(mirror.pid!) - before) / done)
        parses.push(parseMs(pages))
      }
      return [
        {
          row: 'attached',
          measured: 'processor time of a publish of a mirror of 10,000 hosts',
          against: 'JSON.parse of the pages that it reads',
          ...estimateOf(costs.map((cost, round) => cost / parses[round])),
          unit: 'of it',
          better: 'lower',
          floor: 3,
          medians: `${median(costs).toFixed(0)} ms : ${median(parses).toFixed(0)} ms`,
        },
      ]
    } finally {
      mirror.kill()
      server.process.kill()
    }
  },
}

const paths = ['/health', '/api/v1/hosts/5'] as const
const names = ['health', 'record'] as const
const parts = 5

/** The ratio of 99th percentiles over the whole time, with quartiles over parts of it. */
function latencyOf(at: number, ours: Waits, theirs: Waits): Finding {
  const p99 = (values: readonly number[], part: number, of: number): number =>
    quantile(values.slice((part * values.length) / of, ((part + 1) * values.length) / of), 0.99)
  const ratios = Array.from(
    { length: parts },
    (_, part) => p99(ours.cpuMs, part, parts) / p99(theirs.cpuMs, part, parts),
  )
  const [own, other] = [ours, theirs].map(({ cpuMs }) => p99(cpuMs, 0, 1))
  const [ownWall, otherWall] = [ours, theirs].map(({ wallMs }) => p99(wallMs, 0, 1).toFixed(1))
  return {
    row: `latency-${names[at]}-p99`,
    measured: `processor time of the serving thread while ${paths[at]} waits, p99`,
    against: 'bare node:http, loaded likewise',
    ...estimateOf(ratios),
    value: own / other,
    unit: 'of it',
    better: 'lower',
    floor: 7,
    medians: `${own.toFixed(2)} ms : ${other.toFixed(2)} ms; wall time ${ownWall} ms : ${otherWall} ms`,
  }
}

const latency: Row = {
  name: 'latency',
  async measure(progress) {
    progress(`starting the service with ${fleetHosts} hosts`)
    const service = await startService(fleetFlags)
    const slowTargets = ['/metrics', '/api/v1/hosts?limit=1000', '/api/v1/network/cables?limit=1000']
    const bare = await startBare({ origin: service.origin, targets: [...paths, ...slowTargets] })
    try {
      progress('asking both for 45 s, each with a scraper and four slow readers')
      const [ours, theirs] = await probedLatencies({
        servers: [service, bare].map(({ origin, process: { pid } }) => ({
          pid: pid!,
          port: Number(new URL(origin).port),
        })),
        paths,
        durationMs: 45_000,
        slowReaders: 4,
        slowBytesPerSecond: 400_000,
      })
      return paths.map((_, at) => latencyOf(at, ours[at], theirs[at]))
    } finally {
      service.process.kill()
      bare.process.kill()
    }
  },
}

export const fleetServices: readonly Row[] = [memory, attached, latency]
