import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { optionalTool } from '../deploy/manifests.ts'
import { freePort } from '../fixtures/free-port.ts'
import { hasPrometheus, RealPrometheus, until } from './real-prometheus.ts'

const thanos = optionalTool('thanos', '--version')
const everySeconds = 2
const spanSeconds = 20

/** A component of Thanos, with addresses of its own. */
class Component {
  readonly http: string
  readonly grpc: string
  readonly #child: ChildProcess

  private constructor(http: string, grpc: string, words: readonly string[]) {
    this.http = http
    this.grpc = grpc
    const addresses = [`--http-address=${http}`, `--grpc-address=${grpc}`]
    this.#child = spawn(thanos!, [...words, ...addresses], { stdio: 'ignore' })
  }

  static async start(...words: readonly string[]): Promise<Component> {
    return new Component(`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`, words)
  }

  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exit
  }
}

describe.skipIf(thanos === null || !hasPrometheus('installed'))(
  'two Prometheus servers that write to the receiver of Thanos (skipped where a program is missing)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'thanos-'))
    const servers: RealPrometheus[] = []
    const components: Component[] = []
    let mirror: MirrorProcess
    let address = ''

    async function values(expr: string, dedup: boolean): Promise<number[]> {
      const asked = new URLSearchParams({ query: expr, dedup: `${dedup}` })
      const response = await fetch(`http://${address}/api/v1/query?${asked.toString()}`)
      const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } }
      return data.result.map(({ value }) => Number(value[1]))
    }

    beforeAll(async () => {
      mirror = await MirrorProcess.start('--scale small --warmup 12h'.split(' '))
      const write = `127.0.0.1:${await freePort()}`
      const storage = [`--tsdb.path=${folder}`, `--remote-write.address=${write}`]
      const receive = await Component.start('receive', ...storage, '--label=receive="1"')
      const query = await Component.start(
        'query',
        `--endpoint=${receive.grpc}`,
        '--query.replica-label=replica',
      )
      components.push(receive, query)
      address = query.http
      for (const replica of ['a', 'b']) {
        const remote = { labels: { cluster: 'east', replica }, urls: [`http://${write}/api/v1/receive`] }
        const dcsim = { url: mirror.origin, labels: { session: 'evening', instance: 'mirror:9740' } }
        servers.push(await RealPrometheus.start('installed', { dcsim }, everySeconds, { remote }))
      }
      const enough = (0.7 * spanSeconds) / everySeconds
      await until(
        'both have written for a while',
        async () => {
          const counts = await values(`count_over_time(dcsim_sim_time_seconds[${spanSeconds}s])`, false)
          return counts.length === 2 && counts.every((count) => count >= enough)
        },
        120_000,
      )
    }, 240_000)

    afterAll(async () => {
      await Promise.all([...servers, ...components].map((program) => program.stop()))
      await mirror?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    test('have the samples of one', async () => {
      const samples = `count_over_time(dcsim_sim_time_seconds{session="evening"}[${spanSeconds}s])`
      const [one, ...more] = await values(samples, true)
      expect(more).toStrictEqual([])
      expect(one).toBeLessThanOrEqual(spanSeconds / everySeconds + 1)
    })

    test('are one session, of which no value is doubled', async () => {
      const { total } = JSON.parse(await mirror.text('/api/v1/hosts?limit=0')) as { total: number }
      expect(await values('sum(dcsim_hosts)', true)).toStrictEqual([total])
      expect(await values('sum(dcsim_hosts)', false)).toStrictEqual([2 * total])
    })
  },
)
