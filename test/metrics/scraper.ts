/** A process that scrapes at a steady rate and reads the JSON API concurrently. */
import { Agent, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'

export interface ScrapingTask {
  readonly port: number
  readonly scrapesPerSecond: number
  readonly seconds: number
}

export interface ScrapingReport {
  readonly scrapes: number
  readonly polls: number
  readonly seconds: number
  readonly faults: readonly string[]
  readonly p99AgeMs: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly firstSimSeconds: number
  readonly lastSimSeconds: number
}

const everyMs = 10
const connections = 64
const polled = [
  '/api/v1/hosts?limit=1000 /api/v1/customers?limit=1000 /api/v1/network/switches?limit=1000',
  '/api/v1/incidents?limit=1000 /api/v1/events',
].flatMap((line) => line.split(' '))

async function scrape({ port, scrapesPerSecond, seconds }: ScrapingTask): Promise<ScrapingReport> {
  const scraping = new Agent({ keepAlive: true, maxSockets: connections })
  const polling = new Agent({ keepAlive: true })
  const faults: string[] = []
  const ages: number[] = []
  /** The headers of a complete response. */
  const get = (path: string, agent: Agent): Promise<IncomingHttpHeaders> => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingHttpHeaders>()
    const headers = { 'accept-encoding': 'gzip' }
    request({ port, path, headers, agent }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode !== 200) faults.push(`${path}: status ${response.statusCode}`)
        ages.push(Number(response.headers['x-sim-age-ms']))
        resolve(response.headers)
      })
    })
      .on('error', reject)
      .end()
    return promise
  }
  const simSeconds = async (): Promise<{ seq: number; at: number }> => {
    const headers = await get('/health', polling)
    const health = (await (await fetch(`http://127.0.0.1:${port}/health`)).json()) as { sim_time_ns: number }
    return { seq: Number(headers['x-sim-publish-seq']), at: health.sim_time_ns / 1e9 }
  }

  const first = await simSeconds()
  const beganMs = performance.now()
  const elapsedMs = (): number => performance.now() - beganMs
  let polls = 0
  const poller = (async () => {
    while (elapsedMs() < seconds * 1_000) {
      await get(polled[polls % polled.length], polling)
      polls++
    }
  })()
  const scrapes: Promise<IncomingHttpHeaders>[] = []
  while (elapsedMs() < seconds * 1_000) {
    const due = Math.floor((elapsedMs() / 1_000) * scrapesPerSecond)
    while (scrapes.length < due) scrapes.push(get('/metrics', scraping))
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  await poller
  await Promise.all(scrapes)
  const took = elapsedMs() / 1_000
  const last = await simSeconds()
  scraping.destroy()
  polling.destroy()
  const sorted = ages.toSorted((a, b) => a - b)
  return {
    scrapes: scrapes.length,
    polls,
    seconds: took,
    faults: faults.slice(0, 10),
    p99AgeMs: sorted[Math.floor(sorted.length * 0.99)],
    firstSeq: first.seq,
    lastSeq: last.seq,
    firstSimSeconds: first.at,
    lastSimSeconds: last.at,
  }
}

process.on('message', (task: ScrapingTask) => {
  void scrape(task).then((report) => process.send!(report, () => process.exit(0)))
})
