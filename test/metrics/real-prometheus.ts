import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GenericContainer, Wait } from 'testcontainers'
import { freePort } from '../fixtures/free-port.ts'
import { hasTool, isAvailable } from '../fixtures/tools.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Polls a condition until it is true. */
export async function until(what: string, isSo: () => Promise<boolean>, withinMs = 100_000): Promise<void> {
  const endMs = performance.now() + withinMs
  for (;;) {
    let cause: unknown
    try {
      if (await isSo()) return
    } catch (error) {
      cause = error
    }
    if (performance.now() > endMs) throw new Error(`Not within ${withinMs} ms: ${what}.`, { cause })
    await pause(100)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const { promise, resolve } = Promise.withResolvers<void>()
  child.once('exit', () => resolve())
  child.kill()
  await promise
}

/** A stored sample. */
export interface Stored {
  readonly metric: Readonly<Record<string, string>>
  readonly value: number
}

/** A running Prometheus: the installed one, or the stack's in its container. */
interface Running {
  log(): string
  stop(): Promise<void>
}

export type PrometheusKind = 'installed' | 'container'

/** The image of the stack. */
export const prometheusImage = 'prom/prometheus:v3.13.5'

/** Whether such a Prometheus can be run here. In CI it must be. */
export function hasPrometheus(kind: PrometheusKind): boolean {
  if (kind === 'installed') return hasTool('prometheus')
  return isAvailable(
    `the image ${prometheusImage}`,
    spawnSync('docker', ['image', 'inspect', prometheusImage]).status === 0,
  )
}

/** The initial state of a Prometheus. */
interface Beginning {
  /** A folder with stored samples; by default an empty one. */
  readonly data?: string
  /** Files of recording and alert rules, by name. */
  readonly rules?: ReadonlyMap<string, string>
  /** External labels, and the stores for remote write. */
  readonly remote?: { readonly labels: Readonly<Record<string, string>>; readonly urls: readonly string[] }
}

function runInstalled(configuration: string, port: number, { data, rules = new Map() }: Beginning): Running {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  writeFileSync(join(folder, 'prometheus.yml'), configuration)
  mkdirSync(join(folder, 'rules'))
  for (const [name, text] of rules) writeFileSync(join(folder, 'rules', name), text)
  const words = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${data ?? join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  // It is scraped and asked for a minute: its garbage may wait.
  const child = spawn('prometheus', words, { env: { ...process.env, GOGC: '400' } })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  return {
    log: () => log,
    async stop() {
      await ended(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function runContainer(
  configuration: string,
  port: number,
  { data, rules = new Map() }: Beginning,
): Promise<Running> {
  process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true'
  let log = ''
  const image = new GenericContainer(prometheusImage).withEnvironment({ GOGC: '400' })
  if (data !== undefined) {
    // Its files belong to the user of the test.
    image.withBindMounts([{ source: data, target: '/prometheus' }]).withUser(String(process.getuid!()))
  }
  // Uses the host's network, to reach services on the loopback.
  const container = await image
    .withNetworkMode('host')
    .withCopyContentToContainer([
      { content: configuration, target: '/etc/prometheus/prometheus.yml' },
      ...[...rules].map(([name, content]) => ({ content, target: `/etc/prometheus/rules/${name}` })),
    ])
    .withCommand([
      '--config.file=/etc/prometheus/prometheus.yml',
      '--storage.tsdb.path=/prometheus',
      `--web.listen-address=127.0.0.1:${port}`,
    ])
    .withLogConsumer((stream) => stream.on('data', (chunk: Buffer) => (log += chunk.toString())))
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
    .start()
  return {
    log: () => log,
    async stop() {
      await container.stop()
    },
  }
}

/** The address of a target, with labels for each of its series. */
type ScrapeTarget = string | { readonly url: string; readonly labels: Readonly<Record<string, string>> }

function targetGroup(target: ScrapeTarget): object {
  const { url, labels } = typeof target === 'string' ? { url: target, labels: {} } : target
  return { targets: [new URL(url).host], labels }
}

/** Prometheus itself, scraping services over the loopback. */
export class RealPrometheus {
  readonly #port: number
  readonly #running: Running

  private constructor(port: number, running: Running) {
    this.#port = port
    this.#running = running
  }

  static async start(
    kind: PrometheusKind,
    targets: Readonly<Record<string, ScrapeTarget | readonly ScrapeTarget[]>>,
    everySeconds: number,
    beginning: Beginning = {},
  ): Promise<RealPrometheus> {
    const port = await freePort()
    const jobs = Object.entries(targets).map(([job, scraped]) => {
      const groups = JSON.stringify([scraped].flat().map(targetGroup))
      return `  - { job_name: ${job}, honor_labels: true, static_configs: ${groups} }\n`
    })
    const every = `${everySeconds}s`
    const times = `{ scrape_interval: ${every}, scrape_timeout: ${every}, evaluation_interval: ${every} }`
    const { remote } = beginning
    const stores = (remote?.urls ?? []).map((url) => ({ url }))
    const sent = stores.length === 0 ? '' : `remote_write: ${JSON.stringify(stores)}\n`
    const external = JSON.stringify({ external_labels: remote?.labels ?? {} }).slice(1, -1)
    const global = times.replace('{', `{ ${external},`)
    const configuration = `global: ${global}\n${sent}rule_files: [rules/*.yaml]\nscrape_configs:\n${jobs.join('')}`
    const run = kind === 'installed' ? runInstalled : runContainer
    const running = await run(configuration, port, beginning)
    const prometheus = new RealPrometheus(port, running)
    await until('prometheus is ready', async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok)
    return prometheus
  }

  /** The latest values, now or at a Unix second. */
  async query(expression: string, atSeconds?: number): Promise<Stored[]> {
    const result = await this.#ask<{ metric: Record<string, string>; value: [number, string] }>(
      expression,
      atSeconds,
    )
    return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }))
  }

  /** Every stored value of each series in a range. */
  async history(
    range: string,
    atSeconds?: number,
  ): Promise<{ metric: Record<string, string>; values: number[] }[]> {
    const result = await this.#ask<{ metric: Record<string, string>; values: [number, string][] }>(
      range,
      atSeconds,
    )
    return result.map(({ metric, values }) => ({ metric, values: values.map(([, value]) => Number(value)) }))
  }

  async #ask<T>(expression: string, atSeconds?: number): Promise<T[]> {
    const time = atSeconds === undefined ? '' : `&time=${atSeconds}`
    const url = `http://127.0.0.1:${this.#port}/api/v1/query?query=${encodeURIComponent(expression)}${time}`
    const answer = (await (await fetch(url)).json()) as { data?: { result: T[] }; error?: string }
    if (answer.data === undefined) throw new Error(`${expression}: ${answer.error}`)
    return answer.data.result
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async version(): Promise<string> {
    const answer = await fetch(`${this.url}/api/v1/status/buildinfo`)
    return ((await answer.json()) as { data: { version: string } }).data.version
  }

  /** Warnings and errors in its log. */
  get complaints(): string[] {
    return this.#running
      .log()
      .split('\n')
      .filter((line) => /level=(?:warn|error)/i.test(line))
  }

  stop(): Promise<void> {
    return this.#running.stop()
  }
}
