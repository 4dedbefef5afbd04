/** A process of its own that asks servers in turns and notes how long each answer took; it scrapes them meanwhile. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type RequestOptions } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SlowClients } from '../../soak/slow-clients.ts'

export interface Probing {
  readonly ports: readonly number[]
  readonly paths: readonly string[]
  readonly durationMs: number
  readonly slowReaders: number
  readonly slowBytesPerSecond: number
}

/** Milliseconds of each answer, by port and then by path. */
export type Latencies = readonly (readonly (readonly number[])[])[]

const betweenMs = 2
const scrapeEveryMs = 1_000

const answered = (options: RequestOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', ...options }, (response) => {
      response.on('end', resolve).on('error', reject).resume()
    })
    request.on('error', reject)
  })

async function probe({ ports, paths, durationMs, ...slow }: Probing): Promise<Latencies> {
  const readers = ports.map((port) => new SlowClients(port, slow.slowReaders, slow.slowBytesPerSecond))
  const scraping = setInterval(() => {
    for (const port of ports) void answered({ port, path: '/metrics' }).catch(() => {})
  }, scrapeEveryMs)
  const agents = ports.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  const took = ports.map(() => paths.map((): number[] => []))
  const endMs = performance.now() + durationMs
  while (performance.now() < endMs) {
    for (const [at, path] of paths.entries()) {
      for (const [server, port] of ports.entries()) {
        const beganMs = performance.now()
        await answered({ port, path, agent: agents[server] })
        took[server][at].push(performance.now() - beganMs)
      }
    }
    await pause(betweenMs)
  }
  clearInterval(scraping)
  for (const reader of readers) reader.stop()
  return took
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
