import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeConfiguration } from '../../../alerts/notifications/configuration.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { until } from '../../metrics/real-prometheus.ts'
import type { Inbox } from './inbox.ts'
import type { Programs } from './program.ts'

/** An alert in the format in which Prometheus posts it. */
export interface PostedAlert {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly startsAt: string
  readonly endsAt: string
}

/** A running Alertmanager with the shipped configuration, in which every channel leads to an inbox. */
export class RealAlertmanager {
  readonly url: string
  readonly #child: ChildProcess
  #log = ''

  private constructor(url: string, child: ChildProcess) {
    this.url = url
    this.#child = child
    child.stderr!.on('data', (chunk: Buffer) => (this.#log += chunk.toString()))
  }

  /** `change` may modify the configuration first. */
  static async start(
    { alertmanager }: Programs,
    folder: string,
    inbox: Inbox,
    change: (configuration: string) => string = (same) => same,
  ): Promise<RealAlertmanager> {
    mkdirSync(folder, { recursive: true })
    writeConfiguration(folder, {
      ...inbox.variables('critical'),
      ...inbox.variables('warning'),
      ...inbox.watchdog,
    })
    const file = join(folder, 'alertmanager.yml')
    writeFileSync(file, change(inbox.redirected(readFileSync(file, 'utf8'))))
    const port = await freePort()
    const words = [
      `--config.file=${file}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.external-url=http://127.0.0.1:9093',
      '--cluster.listen-address=',
      '--log.level=warn',
    ]
    const child = spawn(alertmanager, words, { stdio: ['ignore', 'ignore', 'pipe'] })
    const running = new RealAlertmanager(`http://127.0.0.1:${port}`, child)
    await until('Alertmanager is ready', async () => {
      if (child.exitCode !== null) throw new Error(running.log)
      return (await fetch(`${running.url}/-/ready`)).ok
    })
    return running
  }

  get log(): string {
    return this.#log
  }

  async post(alerts: readonly PostedAlert[]): Promise<void> {
    const answer = await fetch(`${this.url}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alerts),
    })
    if (!answer.ok) throw new Error(`Alertmanager answers ${answer.status}: ${await answer.text()}`)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#child.once('exit', () => resolve())
    // It has nothing to save, and would wait for pending notifications.
    this.#child.kill('SIGKILL')
    await promise
  }
}
