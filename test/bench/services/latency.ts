import type { Finding, Row } from '../harness/finding.ts'
import { quantile } from '../harness/statistics.ts'
import { startBare } from '../support/bare-process.ts'
import { probedLatencies, type Waits } from '../support/probing-client.ts'
import { startService } from '../support/service.ts'

const fleetHosts = 10_000
const durationMs = 45_000
const parts = 5
const slowReaders = 4
const slowBytesPerSecond = 400_000
const shares = [
  { share: 0.99, name: 'p99' },
  { share: 0.999, name: 'p999' },
] as const
const paths = ['/health', '/api/v1/hosts/5'] as const
const names = ['health', 'record'] as const
const floors = { p99: 7, p999: 7 }

/** The quantile's ratio over everything, and its quartiles over parts of the time. */
function ratioOf(ours: readonly number[], theirs: readonly number[], share: number) {
  const between = (values: readonly number[], part: number): number[] =>
    values.slice((part * values.length) / parts, ((part + 1) * values.length) / parts)
  const ratios = Array.from(
    { length: parts },
    (_, part) => quantile(between(ours, part), share) / quantile(between(theirs, part), share),
  )
  return {
    value: quantile(ours, share) / quantile(theirs, share),
    low: quantile(ratios, 0.25),
    high: quantile(ratios, 0.75),
    rounds: ours.length,
  }
}

function findingOf(
  at: number,
  { share, name }: (typeof shares)[number],
  ours: Waits,
  theirs: Waits,
): Finding {
  const [own, other] = [ours, theirs].map(({ cpuMs }) => quantile(cpuMs, share).toFixed(2))
  const [ownWall, otherWall] = [ours, theirs].map(({ wallMs }) => quantile(wallMs, share).toFixed(1))
  return {
    part: `${names[at]}-${name}`,
    measured: `processor time of the serving thread while ${paths[at]} waits, ${name}`,
    against: 'bare node:http, loaded likewise',
    ...ratioOf(ours.cpuMs, theirs.cpuMs, share),
    unit: 'of it',
    better: 'lower',
    floor: floors[name],
    aim: null,
    medians: `${own} ms : ${other} ms; wall time ${ownWall} ms : ${otherWall} ms`,
  }
}

const latency: Row = {
  name: 'latency',
  async measure(progress) {
    progress(`starting the service with ${fleetHosts} hosts`)
    const service = await startService(['--scale', String(fleetHosts), '--warmup', '1h'])
    const slowTargets = ['/metrics', '/api/v1/hosts?limit=1000', '/api/v1/network/cables?limit=1000']
    const bare = await startBare(service.origin, [...paths, ...slowTargets])
    try {
      progress(`asking both for ${durationMs / 1_000} s, each with a scraper and ${slowReaders} slow readers`)
      const [ours, theirs] = await probedLatencies({
        servers: [service, bare].map(({ origin, process: { pid } }) => ({
          pid: pid!,
          port: Number(new URL(origin).port),
        })),
        paths,
        durationMs,
        slowReaders,
        slowBytesPerSecond,
      })
      return paths.flatMap((_, at) => shares.map((asked) => findingOf(at, asked, ours[at], theirs[at])))
    } finally {
      service.process.kill()
      bare.process.kill()
    }
  },
}

export const latencies: readonly Row[] = [latency]
