import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../fixtures/free-port.ts'
import { hasPrometheus, prometheusImage, until } from '../../metrics/real-prometheus.ts'

/** How an answer was found. */
export interface Answered {
  readonly seconds: number
  /** Seconds of a processor that went by meanwhile: what counts where others use the machine too. */
  readonly busySeconds: number
  readonly series: number
  /** Samples that had to be looked at. */
  readonly samples: number
}

/** A Prometheus that answers from blocks and scrapes nothing. */
export class StoredPrometheus {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(url: string, child: ChildProcess) {
    this.url = url
    this.#child = child
  }

  /** The one of the stack in its container, or else the one that is installed. */
  static async start(folder: string): Promise<StoredPrometheus> {
    const port = await freePort()
    const blocks = join(folder, 'blocks')
    mkdirSync(blocks, { recursive: true })
    writeFileSync(join(folder, 'prometheus.yml'), 'global: {}\n')
    const flags = [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${blocks}`,
      '--storage.tsdb.retention.time=10y',
      // Nothing is to be tidied up while answers are timed.
      '--storage.tsdb.max-block-duration=2h',
      `--web.listen-address=127.0.0.1:${port}`,
    ]
    const inContainer = ['run', '--rm', '--network=host', '--user=0', `--volume=${folder}:${folder}`]
    const child = hasPrometheus('container')
      ? spawn('docker', [...inContainer, prometheusImage, ...flags], { stdio: 'ignore' })
      : spawn('prometheus', flags, { stdio: 'ignore' })
    const url = `http://127.0.0.1:${port}`
    await until('prometheus is ready', async () => (await fetch(`${url}/-/ready`)).ok)
    return new StoredPrometheus(url, child)
  }

  async version(): Promise<string> {
    const answer = (await (await fetch(`${this.url}/api/v1/status/buildinfo`)).json()) as {
      data: { version: string }
    }
    return answer.data.version
  }

  /** The label sets of a selector at a moment. */
  async series(selector: string, atSeconds: number): Promise<Readonly<Record<string, string>>[]> {
    const found = await this.#ask('query', { query: selector, time: String(atSeconds) })
    return found.result.map(({ metric }) => metric)
  }

  async time(query: string, endSeconds: number): Promise<Answered> {
    return this.#timed('query', { query, time: String(endSeconds) })
  }

  async timeOver(query: string, fromSeconds: number, endSeconds: number, step: number): Promise<Answered> {
    const aligned = (at: number): string => String(Math.floor(at / step) * step)
    const range = { start: aligned(fromSeconds), end: aligned(endSeconds), step: String(step) }
    return this.#timed('query_range', { query, ...range })
  }

  async #timed(path: string, parameters: Record<string, string>): Promise<Answered> {
    const busyBefore = await this.#busySeconds()
    const beganMs = performance.now()
    const { result, stats } = await this.#ask(path, { ...parameters, stats: 'all' })
    const seconds = (performance.now() - beganMs) / 1000
    const busySeconds = (await this.#busySeconds()) - busyBefore
    return { seconds, busySeconds, series: result.length, samples: stats!.samples.totalQueryableSamples }
  }

  async #busySeconds(): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text()
    return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)![1])
  }

  async #ask(path: string, parameters: Record<string, string>) {
    const body = new URLSearchParams(parameters)
    const answer = await fetch(`${this.url}/api/v1/${path}`, { method: 'POST', body })
    const { data, error } = (await answer.json()) as {
      data?: {
        result: { metric: Record<string, string> }[]
        stats?: { samples: { totalQueryableSamples: number } }
      }
      error?: string
    }
    if (data === undefined) throw new Error(`${parameters['query']}: ${error}`)
    return data
  }

  async stop(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#child.once('exit', () => resolve())
    this.#child.kill('SIGTERM')
    await promise
  }
}
