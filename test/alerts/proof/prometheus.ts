import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RangeSeries } from '../../../src/practice/grading/evaluate.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { until } from '../../metrics/real-prometheus.ts'
import { scrapeSeconds } from './play.ts'

/** The folder in which Prometheus expects console templates. */
export const consolesIn = (folder: string): string => join(folder, 'consoles')

/** A Prometheus on a folder of blocks, without scrape targets. */
export class PastPrometheus {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(url: string, child: ChildProcess) {
    this.url = url
    this.#child = child
  }

  static async start(folder: string, content = 'scrape_configs: []\n'): Promise<PastPrometheus> {
    const port = await freePort()
    const configuration = join(folder, 'prometheus.yml')
    writeFileSync(configuration, content)
    const child = spawn(
      'prometheus',
      [
        `--config.file=${configuration}`,
        `--storage.tsdb.path=${folder}`,
        '--storage.tsdb.retention.time=100y',
        // Blocks from promtool contain no staleness markers: each sample counts until the next scrape, so
        // that a series without further scrapes ends when a marker would end it.
        `--query.lookback-delta=${scrapeSeconds * 1000 - 1}ms`,
        '--query.max-samples=500000000',
        `--web.console.templates=${consolesIn(folder)}`,
        '--query.timeout=10m',
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const prometheus = new PastPrometheus(`http://127.0.0.1:${port}`, child)
    await until('prometheus is ready', async () => (await fetch(`${prometheus.url}/-/ready`)).ok)
    return prometheus
  }

  async range(query: string, start: number, end: number): Promise<readonly RangeSeries[]> {
    const body = new URLSearchParams({ query, start: `${start}`, end: `${end}`, step: `${scrapeSeconds}` })
    const answer = await fetch(`${this.url}/api/v1/query_range`, { method: 'POST', body })
    const { data, error } = (await answer.json()) as { data?: { result: RangeSeries[] }; error?: string }
    if (data === undefined) throw new Error(`${query}: ${error}`)
    return data.result
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#child.once('exit', () => resolve())
    this.#child.kill()
    await promise
  }
}
