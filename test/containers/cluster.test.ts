import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../metrics/real-prometheus.ts'
import { missing, RunningStack } from './running-stack.ts'
import { readStack } from './stack-file.ts'

const override = 'deploy/compose/cluster.yml'
const isThere = (image: string): boolean =>
  spawnSync('docker', ['image', 'inspect', image], { stdio: 'ignore' }).status === 0

const lacking = Object.values(readStack(override).services)
  .flatMap(({ image }) => image ?? [])
  .filter((image) => !isThere(image))
const why = missing() || (lacking.length > 0 ? `these images are missing: ${lacking.join(', ')}` : '')
if (why !== '') console.warn(`The cluster of VictoriaMetrics is not tested, as ${why}.`)

/** A representative sample of families: a clock, counters, gauges with labels, and the target's own state. */
const families = '{__name__=~"up|dcsim_sim_.*|dcsim_az_.*|dcsim_customer_revenue.*",job="dcsim"}'
/** Remote write may take five seconds, and more while the machine is busy. */
const arrivedMs = 15_000
/** A storage node keeps up to ten seconds of samples in memory, which are lost when it is killed. */
const onDiskMs = 30_000

interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly values: readonly (readonly [seconds: number, value: string])[]
}

const isPartialIn = (text: string): boolean =>
  text === '' || (JSON.parse(text) as { isPartial?: boolean }).isPartial === true

/** Samples as sorted lines. Stores keep fifteen digits of a value. */
const lines = (all: readonly Series[]): string[] =>
  all
    .flatMap(({ metric, values }) => {
      const name = JSON.stringify(Object.entries(metric).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      return values.map(([seconds, value]) => `${name} ${seconds} ${Number(value).toPrecision(12)}`)
    })
    .toSorted()

describe.skipIf(why !== '')(`deploy/compose/cluster.yml${why === '' ? '' : ` (skipped: ${why})`}`, () => {
  let stack: RunningStack
  let beganMs = 0
  let killedMs = 0

  const selected = (path: string): Promise<string> => stack.getInside(`http://guard:8428${path}`)

  const rangeQuery = (fromMs: number, untilMs: number): string => {
    const range = `${Math.ceil((untilMs - fromMs) / 1000)}s`
    return `/api/v1/query?${new URLSearchParams({ query: `${families}[${range}]`, time: `${untilMs / 1000}` }).toString()}`
  }

  async function scraped(fromMs: number, untilMs: number): Promise<string[]> {
    const { data } = await stack.get<{ data: { result: Series[] } }>(
      'prometheus',
      rangeQuery(fromMs, untilMs),
    )
    return lines(data.result)
  }

  async function kept(fromMs: number, untilMs: number): Promise<string[]> {
    const { data } = JSON.parse(await selected(`${rangeQuery(fromMs, untilMs)}&nocache=1`)) as {
      data: { result: Series[] }
    }
    return lines(data.result)
  }

  async function sameSamples(fromMs: number, untilMs: number): Promise<number> {
    const expected = await scraped(fromMs, untilMs)
    expect(await kept(fromMs, untilMs)).toStrictEqual(expected)
    return expected.length
  }

  const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

  beforeAll(async () => {
    stack = await RunningStack.prepare({ DCSIM_SCALE: 'small', DCSIM_WARMUP: '12h' }, [
      'docker-compose.yml',
      override,
    ])
    await stack.build()
    await stack.compose('up', '--detach', 'guard', 'prometheus', 'store-backfill')
    await until('the cluster has the clock', async () => {
      const text = await selected('/api/v1/query?query=dcsim_sim_time_seconds')
      return text.includes('"instance"')
    })
    beganMs = Date.now()
    await pause(45_000)
  }, 400_000)

  afterAll(async () => {
    await stack.compose('--profile', '*', 'down', '--volumes', '--timeout', '5')
  })

  test('copies the simulated history into the cluster', async () => {
    const { stdout } = await stack.compose('wait', 'store-backfill').catch(() => ({ stdout: '0' }))
    expect(stdout.trim()).toMatch(/0$/)
    const { stdout: log } = await stack.compose('logs', '--no-log-prefix', 'store-backfill')
    expect(log).toMatch(/The history is in the long-term store: [\d,]{5,} samples\./)
    // A killed node loses samples that are not on disk yet.
    await pause(arrivedMs)
  }, 120_000)

  test('answers all queries while one storage node is down, and accepts new samples', async () => {
    killedMs = Date.now()
    await stack.compose('kill', 'vmstorage-1')
    await pause(30_000)
    const text = await selected(`${rangeQuery(beganMs, Date.now())}&nocache=1`)
    expect(isPartialIn(text)).toBe(false)
    expect(await sameSamples(beganMs, Date.now() - arrivedMs)).toBeGreaterThan(500)
  }, 120_000)

  test('has every sample on the other node too', async () => {
    await stack.compose('start', 'vmstorage-1')
    await pause(10_000)
    await stack.compose('kill', 'vmstorage-2')
    await until('the cluster answers from the other node', async () => {
      const text = await selected(`${rangeQuery(beganMs, killedMs - onDiskMs)}&nocache=1`)
      return !isPartialIn(text)
    })
    expect(await sameSamples(beganMs, killedMs - onDiskMs)).toBeGreaterThan(100)
    const past = await selected('/api/v1/query?query=count(last_over_time(dcsim_hosts_online[2h]+offset+5m))')
    expect(past).toContain('"value"')
  }, 120_000)

  test('finds a difference where there is one', async () => {
    const all = await scraped(beganMs, killedMs - onDiskMs)
    expect(await kept(beganMs, killedMs - onDiskMs - 7_000)).not.toStrictEqual(all)
  })
})
