import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../fixtures/free-port.ts'
import { until } from './real-prometheus.ts'

/** VictoriaMetrics as a store that several Prometheus servers write to. */
export class RealStore {
  readonly url: string
  readonly #child: ChildProcess
  readonly #folder: string

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url
    this.#child = child
    this.#folder = folder
  }

  static async start(flags: readonly string[] = []): Promise<RealStore> {
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'store-'))
    const words = [
      `-storageDataPath=${folder}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      '-retentionPeriod=1d',
      ...flags,
    ]
    const url = `http://127.0.0.1:${port}`
    const store = new RealStore(url, spawn('victoria-metrics', words, { stdio: 'ignore' }), folder)
    await until('the store is ready', async () => (await fetch(`${url}/health`)).ok)
    return store
  }

  get writeUrl(): string {
    return `${this.url}/api/v1/write`
  }

  async stop(): Promise<void> {
    this.#child.kill()
    await once(this.#child, 'exit')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
