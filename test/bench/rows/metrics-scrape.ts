import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { SegmentCache } from '../../../src/http/content-coding/segment-cache.ts'
import { wholeSlice } from '../../../src/http/responses/representation.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import type { ExpositionChunk } from '../../../src/contract/exposition-chunk.ts'
import { TestService } from '../../http/test-service.ts'
import { MissingProgram, type Finding, type Row } from '../harness/finding.ts'
import { takeTurns, threadCpuMs, Turns } from '../harness/turns.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { LoadClient } from '../support/load-client.ts'
import { DescribedFleet } from '../support/metrics-fleet.ts'
import { childrenOf, processorMs } from '../support/process-usage.ts'

const scrape = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'
const scrapesAt = 4
const scrapesPerRound = 24
const settleMs = 30
const rounds = 21

const copyOf = ({ family, bytes }: ExpositionChunk): ExpositionChunk => ({ family, bytes: bytes.slice() })

/** nginx as it serves a file best: from the page cache, by sendfile, one worker, no log. */
class FileServer {
  readonly port: number
  readonly #folder: string
  readonly #process: ChildProcess

  private constructor(port: number, folder: string, process: ChildProcess) {
    this.port = port
    this.#folder = folder
    this.#process = process
  }

  static async start(body: Uint8Array): Promise<FileServer> {
    if (spawnSync('nginx', ['-v']).status !== 0)
      throw new MissingProgram('nginx is missing: install nginx-light.')
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'nginx-'))
    writeFileSync(join(folder, 'metrics'), body)
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; worker_processes 1; pid nginx.pid; error_log stderr; user root;
      events { worker_connections 64; }
      http {
        access_log off; sendfile on; tcp_nopush on; default_type text/plain; keepalive_requests 1000000;
        open_file_cache max=16;
        client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
        uwsgi_temp_path uwsgi; scgi_temp_path scgi;
        server { listen 127.0.0.1:${port}; root .; }
      }`,
    )
    const process = spawn('nginx', ['-p', folder, '-c', 'nginx.conf'], { stdio: 'ignore' })
    for (let attempt = 0; attempt < 100; attempt++) {
      try {
        await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'HEAD' })
        break
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    return new FileServer(port, folder, process)
  }

  /** Processor time of its workers. */
  cpuMs(): number {
    return childrenOf(this.#process.pid!).reduce((sum, pid) => sum + processorMs(pid), 0)
  }

  stop(): void {
    this.#process.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** A server that sends the same bytes, and stops. */
interface Yardstick {
  readonly port: number
  /** Processor time that it has taken so far. */
  cpuMs(): number
  stop(): void
}

async function bareServer(body: Buffer): Promise<Yardstick> {
  const headers = { 'content-type': 'text/plain', 'content-length': body.length }
  const server = createHttpServer((_request, response) => response.writeHead(200, headers).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cpuMs: threadCpuMs,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface ScrapeFinding {
  readonly part?: string
  readonly clock: 'wall' | 'cpu'
  readonly floor: number
  readonly aim: number | null
}

const measuredBy = {
  wall: 'scrape over HTTP, 100k series',
  cpu: 'processor time of a scrape over HTTP, 100k series',
}

const scrapeOverHttp = (
  name: string,
  against: string,
  wanted: readonly ScrapeFinding[],
  serve: (body: Buffer) => Promise<Yardstick>,
): Row => ({
  name,
  async measure(progress) {
    const fleet = new DescribedFleet()
    fleet.changeAll()
    const service = new TestService({ world: fleet.snapshot, cadenceMs: 3_600_000 })
    service.supply.exposition = createExposition({ collectors: ['hosts'] }).render(fleet.snapshot)
    service.mirror.start()
    const { port } = await service.server.listen('127.0.0.1', 0)
    const body = Buffer.from(await (await fetch(`http://127.0.0.1:${port}/metrics`)).arrayBuffer())
    progress(`${fleet.series} series, ${(body.length / 1e6).toFixed(1)} MB, ${scrapesAt} scrapers at a time`)
    const client = new LoadClient()
    const cpu = { ours: [] as number[], other: [] as number[] }
    /** Returns the wall time of a scrape, and notes the processor time. */
    const perScrape = async (who: keyof typeof cpu, at: number, cpuMs: () => number): Promise<number> => {
      const load = { port: at, request: scrape, connections: scrapesAt, responses: scrapesPerRound }
      const beganMs = cpuMs()
      const { responses, seconds } = await client.run(load)
      cpu[who].push((cpuMs() - beganMs) / responses)
      return (1_000 * seconds) / responses
    }
    try {
      const yardstick = await serve(body)
      const wall = await takeTurns(
        {
          ours: { run: () => perScrape('ours', port, threadCpuMs) },
          other: { run: () => perScrape('other', yardstick.port, () => yardstick.cpuMs()) },
        },
        { rounds, warmUps: 1, clock: 'wall' },
      ).finally(() => yardstick.stop())
      const turns = {
        wall,
        cpu: new Turns({ ours: cpu.ours.slice(-rounds), other: cpu.other.slice(-rounds) }),
      }
      return wanted.map(({ clock, ...limits }): Finding => {
        const [ours, other] = [turns[clock].median('ours'), turns[clock].median('other')]
        return {
          ...limits,
          measured: measuredBy[clock],
          against,
          ...turns[clock].ratio('other', 'ours'),
          unit: '×',
          better: 'higher',
          medians: `${ours.toFixed(2)} ms : ${other.toFixed(2)} ms a scrape`,
        }
      })
    } finally {
      client.close()
      await service.stop()
    }
  },
})

const gzipAsync = promisify(gzip)

const gzippedScrape: Row = {
  name: 'scrape-gzip',
  async measure(progress) {
    const fleet = new DescribedFleet()
    // Hosts that are told apart by their ids alone would compress as no real ones do.
    fleet.changeAll()
    const exposition = createExposition({ collectors: ['hosts'] })
    let rendered: readonly ExpositionChunk[] = []
    let chunks: readonly ExpositionChunk[] = []
    /** What the mirror does: what changed comes in a buffer of its own, the rest stays as it was. */
    const publish = (): void => {
      const before = new Map(rendered.map((chunk, index) => [chunk, chunks[index]]))
      rendered = exposition.render(fleet.snapshot)
      chunks = rendered.map((chunk) => before.get(chunk) ?? copyOf(chunk))
    }
    publish()
    const compressed = new SegmentCache()
    const piecewise = (): Promise<unknown> =>
      compressed.segmentOf(
        'gzip',
        chunks.map(({ bytes }) => wholeSlice(bytes)),
      )
    await piecewise()
    progress(`${fleet.series} series, a quarter of the families changed between scrapes`)
    let whole = Buffer.alloc(0)
    const turns = await takeTurns(
      {
        ours: {
          prepare: async () => {
            fleet.changeQuarter()
            publish()
            whole = Buffer.concat(chunks.map(({ bytes }) => bytes))
            // What was left behind is collected by other threads, whose time counts too.
            await pause(settleMs)
          },
          run: async () => void (await piecewise()),
        },
        whole: { run: async () => void (await gzipAsync(whole, { level: 1 })) },
      },
      { rounds: 11, warmUps: 2, clock: 'process' },
    )
    return {
      measured: 'gzip of a scrape, a quarter changed',
      against: 'compressing it whole at level 1',
      ...turns.ratio('whole', 'ours'),
      unit: '×',
      better: 'higher',
      floor: 1.5,
      aim: 4,
      medians: `${turns.median('ours').toFixed(1)} ms : ${turns.median('whole').toFixed(1)} ms`,
    }
  },
}

export const metricsScrape: readonly Row[] = [
  scrapeOverHttp(
    'scrape-http',
    'bare node:http with the text prebuilt',
    [{ clock: 'cpu', floor: 0.66, aim: 0.9 }],
    bareServer,
  ),
  scrapeOverHttp(
    'scrape-nginx',
    'nginx serving the same bytes as a file',
    [
      { clock: 'wall', floor: 1.15, aim: 1 },
      { part: 'processor', clock: 'cpu', floor: 0.2, aim: null },
    ],
    (body) => FileServer.start(body),
  ),
  gzippedScrape,
]
