import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { hasTool } from '../fixtures/tools.ts'
import { RealPrometheus, until } from '../metrics/real-prometheus.ts'
import { RealStore } from '../metrics/real-store.ts'

const nowhere = 'http://127.0.0.1:1'
const script = join(import.meta.dirname, '../../deploy/stack/store-backfill.ts')
const run = promisify(execFile)

const to = Math.floor(Date.now() / 1000) - 600
const from = to - 60
const texts = [
  `dcsim_zone_info{job="dcsim",name="A \\"B\\" \\\\ C"}`,
  'world:dcsim_customers:sum{job="dcsim"}',
]
const past = `# TYPE dcsim_sim_time_seconds gauge
dcsim_sim_time_seconds{job="dcsim"} 100 ${from}
dcsim_sim_time_seconds{job="dcsim"} 1300.5 ${from + 20}
dcsim_sim_time_seconds{job="dcsim"} 2500 ${to}
# TYPE dcsim_zone_info gauge
${texts[0]} 1 ${from + 20}
# TYPE world:dcsim_customers:sum gauge
${texts[1]} 12 ${to}
# TYPE other gauge
other{job="else"} 1 ${to}
# EOF
`

describe.skipIf(!hasTool('prometheus') || !hasTool('promtool') || !hasTool('victoria-metrics'))(
  'copying the history to the long-term store (skipped where Prometheus or VictoriaMetrics is missing)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'store-backfill-'))
    const span = join(folder, 'past-span')
    const password = join(folder, 'password')
    let mirror: MirrorProcess
    let prometheus: RealPrometheus
    let store: RealStore

    const copied = async (file: string): Promise<string> => {
      const words = [prometheus.url, store.url, store.url, file, password]
      const { stdout, stderr } = await run(process.execPath, [script, ...words])
      return stdout + stderr
    }

    /** Every sample of the store, one per line. */
    async function stored(): Promise<string[]> {
      const query = new URLSearchParams({ 'match[]': '{__name__!=""}' }).toString()
      const text = await (await fetch(`${store.url}/api/v1/export?${query}`)).text()
      const series = text
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { metric: object; values: number[]; timestamps: number[] })
      return series
        .flatMap(({ metric, values, timestamps }) =>
          values.map((value, at) => `${JSON.stringify(metric)} ${value} ${timestamps[at] / 1000}`),
        )
        .toSorted()
    }

    beforeAll(async () => {
      const data = join(folder, 'data')
      mkdirSync(data)
      writeFileSync(join(folder, 'past.om'), past)
      writeFileSync(span, `${from} ${to}\n`)
      writeFileSync(password, 'secret')
      execFileSync('promtool', [
        'tsdb',
        'create-blocks-from',
        'openmetrics',
        '-q',
        join(folder, 'past.om'),
        data,
      ])
      mirror = await MirrorProcess.start('--scale small --warmup 1h'.split(' '))
      prometheus = await RealPrometheus.start('installed', { dcsim: mirror.origin }, 1, { data })
      store = await RealStore.start()
    }, 120_000)

    afterAll(async () => {
      await prometheus?.stop()
      await store?.stop()
      await mirror?.stop()
      rmSync(folder, { recursive: true })
    })

    test('without a history there is nothing to copy', async () => {
      expect(await copied(join(folder, 'none'))).toBe('There is no history to copy to the long-term store.\n')
      expect(await stored()).toStrictEqual([])
    })

    test('copies every sample of the job, once', async () => {
      expect(await copied(span)).toBe('The history is in the long-term store: 5 samples.\n')
      const expected = [
        `{"__name__":"dcsim_sim_time_seconds","job":"dcsim"} 100 ${from}`,
        `{"__name__":"dcsim_sim_time_seconds","job":"dcsim"} 1300.5 ${from + 20}`,
        `{"__name__":"dcsim_sim_time_seconds","job":"dcsim"} 2500 ${to}`,
        `{"__name__":"dcsim_zone_info","job":"dcsim","name":"A \\"B\\" \\\\ C"} 1 ${from + 20}`,
        `{"__name__":"world:dcsim_customers:sum","job":"dcsim"} 12 ${to}`,
      ]
      await until('the store shows what it got', async () => (await stored()).length > 0)
      expect(await stored()).toStrictEqual(expected)
      expect(await copied(span)).toBe('The long-term store has the history already.\n')
      expect(await stored()).toStrictEqual(expected)
    })

    test('a store that cannot be reached is reported, and nothing fails', async () => {
      const { stdout, stderr } = await run(process.execPath, [
        script,
        prometheus.url,
        nowhere,
        nowhere,
        span,
        password,
      ])
      expect(stdout).toBe('')
      expect(stderr).toMatch(
        /\nThe history was not copied to the long-term store, which starts with the present\.\n$/,
      )
    })
  },
)
