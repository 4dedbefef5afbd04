/** A process that sends requests to servers in turns and records their latency; it scrapes them meanwhile. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { RequestOptions } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SlowClients } from '../../soak/slow-clients.ts'
import { firstThreadMs } from './service.ts'

interface Probed {
  readonly pid: number
  readonly port: number
}

interface Probing {
  readonly servers: readonly Probed[]
  readonly paths: readonly string[]
  readonly durationMs: number
  readonly slowReaders: number
  readonly slowBytesPerSecond: number
}

/** Time from each request to its response. */
export interface Waits {
  readonly wallMs: readonly number[]
  /** Processor time of the serving thread, which other programs do not increase. */
  readonly cpuMs: readonly number[]
}

/** By server and then by path. */
type Latencies = readonly (readonly Waits[])[]

const betweenMs = 2
const scrapeEveryMs = 1_000

const answered = (options: RequestOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', ...options }, (response) => {
      response.on('end', resolve).on('error', reject).resume()
    })
    request.on('error', reject)
  })

async function probe({ servers, paths, durationMs, ...slow }: Probing): Promise<Latencies> {
  const readers = servers.map(
    ({ port }) => new SlowClients(port, [''], slow.slowReaders, slow.slowBytesPerSecond),
  )
  const scraping = setInterval(() => {
    for (const { port } of servers) void answered({ port, path: '/metrics' }).catch(() => {})
  }, scrapeEveryMs)
  const agents = servers.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  const waits = servers.map(() => paths.map(() => ({ wallMs: [] as number[], cpuMs: [] as number[] })))
  const endMs = performance.now() + durationMs
  while (performance.now() < endMs) {
    for (const [at, path] of paths.entries()) {
      for (const [server, { pid, port }] of servers.entries()) {
        const [cpuBeganMs, beganMs] = [firstThreadMs(pid), performance.now()]
        await answered({ port, path, agent: agents[server] })
        waits[server][at].wallMs.push(performance.now() - beganMs)
        waits[server][at].cpuMs.push(firstThreadMs(pid) - cpuBeganMs)
      }
    }
    await pause(betweenMs)
  }
  clearInterval(scraping)
  for (const reader of readers) reader.stop()
  return waits
}

export async function probedLatencies(probing: Probing): Promise<Latencies> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: [] })
  child.send(probing)
  const [latencies] = (await once(child, 'message')) as [Latencies]
  child.kill()
  return latencies
}

async function reply(probing: Probing): Promise<void> {
  process.send!(await probe(probing))
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on('message', (probing: Probing) => void reply(probing))
}
