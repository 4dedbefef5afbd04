import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../fixtures/free-port.ts'
import { hasTool } from '../fixtures/tools.ts'
import { until } from '../metrics/real-prometheus.ts'
import { Nginx, proxyHost } from './nginx.ts'
import { answers, hasGrafana, missing, outerAddresses, RunningStack } from './running-stack.ts'
import { root, stack } from './stack-file.ts'

const why = missing()
if (why !== '') console.warn(`The stack is not tested, as ${why}.`)
else if (!hasGrafana) console.warn('Grafana is left out of the stack under test, as its image is not here.')

const grafana = hasGrafana ? ['grafana'] : []
const usual = ['mirror', 'prometheus', 'alertmanager', 'guard', ...grafana]
const longTerm = [...usual, 'victoria-metrics']

/** Values of series, oldest first, each with its time in milliseconds. */
type Samples = ReadonlyMap<string, readonly (readonly [timeMs: number, value: number])[]>

const seriesName = (metric: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(metric).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** A representative sample of families: a clock, counters, gauges with labels, the target's own state. */
const families = '{__name__=~"up|dcsim_sim_.*|dcsim_az_.*|dcsim_customer_revenue.*",job="dcsim"}'

/**
 * The delay until a sample is stored everywhere: Prometheus may forward it five seconds after the scrape, and
 * VictoriaMetrics may take as long again to write it to disk.
 */
const arrivedMs = 15_000

interface Answer {
  readonly data: {
    readonly result: readonly {
      readonly metric: Record<string, string>
      readonly values?: readonly (readonly [number, string])[]
      readonly value?: readonly [number, string]
    }[]
  }
}

/** An alert in Alertmanager's API. */
interface FiringAlert {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: { readonly dashboard_url: string; readonly runbook_url: string }
  readonly generatorURL: string
}

describe.skipIf(why !== '')('the shipped stack (skipped where there is no engine, Compose or image)', () => {
  let up: RunningStack
  let nginx: Nginx
  /** Where people reach the stack: a proxy with TLS, which docs/address.md describes. */
  let address = ''
  let firing: readonly FiringAlert[] = []
  /** The time from the first command to the last service being healthy. */
  let healthyAfterMs = Infinity
  /** The history ends before it. */
  let firstStartedMs = 0
  /** The time from each start of the mirror's container to its first response. */
  const firstAnswersMs: number[] = []

  /** How much longer a start may take beside the machine's other work. */
  const slowness = (): number => Math.min(6, Math.max(1, loadavg()[0] / availableParallelism()))

  /** Starts services and waits until all are healthy. */
  async function start(services: readonly string[], ...flags: readonly string[]): Promise<void> {
    await up.compose(...flags, 'up', '--detach', '--wait', ...services)
  }

  async function firstAnswer(): Promise<void> {
    await until('the mirror answers', async () => (await up.get<object>('mirror', '/health')) !== null)
    const answeredMs = Date.now()
    const { State: state } = await up.container('mirror')
    firstAnswersMs.push(answeredMs - Date.parse(state.StartedAt))
  }

  const ask = (query: string): Promise<Answer> =>
    up.get('prometheus', `/api/v1/query?${new URLSearchParams({ query }).toString()}`)

  /** Samples in Prometheus between two times. */
  async function stored(fromMs: number, untilMs: number): Promise<Samples> {
    const range = `${Math.ceil((untilMs - fromMs) / 1000)}s`
    const { data } = await ask(`${families}[${range}] @ ${untilMs / 1000}`)
    return new Map(
      data.result.map(({ metric, values }) => [
        seriesName(metric),
        values!
          .map(([seconds, value]) => [Math.round(seconds * 1000), Number(value)] as const)
          .filter(([timeMs]) => timeMs > fromMs),
      ]),
    )
  }

  /** The same samples in the long-term store, which keeps fifteen digits of a value. */
  async function kept(fromMs: number, untilMs: number): Promise<Samples> {
    const query = { 'match[]': families, start: `${(fromMs + 1) / 1000}`, end: `${untilMs / 1000}` }
    const url = `http://guard:8428/api/v1/export?${new URLSearchParams(query).toString()}`
    const lines = (await up.getInside(url)).split('\n').filter((line) => line !== '')
    return new Map(
      lines.map((line) => {
        const { metric, values, timestamps } = JSON.parse(line) as {
          metric: Record<string, string>
          values: (number | null)[]
          timestamps: number[]
        }
        // Null is the mark of an end, as after a scrape that failed.
        const samples = timestamps.flatMap((timeMs, at): [number, number][] => {
          const value = values[at]
          return value === null ? [] : [[timeMs, value]]
        })
        return [seriesName(metric), samples]
      }),
    )
  }

  const rounded = (samples: Samples): object =>
    Object.fromEntries(
      [...samples].map(([name, list]) => [name, list.map(([ms, value]) => `${ms} ${value.toPrecision(12)}`)]),
    )

  beforeAll(async () => {
    const port = await freePort()
    nginx = new Nginx(port)
    address = `https://${proxyHost}:${port}/dc`
    up = await RunningStack.prepare({
      DCSIM_HOST: proxyHost,
      DCSIM_BIND: '127.0.0.1',
      DCSIM_SCHEME: 'https',
      DCSIM_PREFIX: `:${port}/dc`,
    })
    await up.build()
    const beganMs = performance.now()
    const answered = until('the mirror runs', async () => (await up.container('mirror')).State.Pid > 0).then(
      firstAnswer,
    )
    await start(usual)
    healthyAfterMs = performance.now() - beganMs
    await answered
    firstStartedMs = Date.parse((await up.container('mirror')).State.StartedAt)
  }, 600_000)

  afterAll(async () => {
    await up.compose('--profile', '*', 'down', '--volumes', '--timeout', '5')
  }, 120_000)

  test('is healthy within two minutes, or longer by as much as the machine is busy', () => {
    expect(healthyAfterMs).toBeLessThan(120_000 * slowness())
  })

  test('starts with a history, which came with the image, and what recording rules make of it', async () => {
    const past = await stored(firstStartedMs - 3_600_000, firstStartedMs)
    expect(past.size).toBeGreaterThan(100)
    const recorded = `count_over_time(world:dcsim_customers:sum[1h] @ ${firstStartedMs / 1000 - 60})`
    expect(Number((await ask(recorded)).data.result[0].value![1])).toBeGreaterThan(150)
    const { stderr } = await up.compose('logs', '--no-log-prefix', 'backfill', 'mirror')
    expect(stderr).not.toMatch(/Simulating|warming up/)
  })

  test('is valid without a warning, with and without optional services', async () => {
    for (const profile of ['', 'longterm']) {
      const { stderr } = await up.compose('--profile', profile, 'config', '--quiet')
      expect(stderr).toBe('')
    }
  })

  test('has Prometheus scrape, evaluate all rules and notify Alertmanager', async () => {
    await until('all targets are up', async () => (await ask('up == 1')).data.result.length === 3)
    const { data: rules } = await up.get<{ data: { groups: { file: string }[] } }>(
      'prometheus',
      '/api/v1/rules',
    )
    const files = readdirSync(new URL('alerts/generated/', root)).filter((name) =>
      name.endsWith('.rules.yaml'),
    )
    expect(new Set(rules.groups.map(({ file }) => file))).toStrictEqual(
      new Set(files.map((name) => `/etc/prometheus/rules/${name}`)),
    )
    const { data: discovered } = await up.get<{ data: { activeAlertmanagers: { url: string }[] } }>(
      'prometheus',
      '/api/v1/alertmanagers',
    )
    expect(discovered.activeAlertmanagers).toMatchObject([{ url: 'http://alertmanager:9093/api/v2/alerts' }])
  })

  test('has its Prometheus write to no other store', async () => {
    const { data } = await up.get<{ data: { yaml: string } }>('prometheus', '/api/v1/status/config')
    expect(data.yaml).toContain('targets.json')
    expect(data.yaml).not.toContain('remote_write')
  })

  test('fires the alerts of what is broken in Alertmanager', async () => {
    const trouble = 'Misconfiguration Gateway busiest for 30h'
    const { stdout } = await up.compose('exec', '-T', 'mirror', 'node', 'src/main.ts', 'act', trouble)
    expect(stdout).toContain('injected Misconfiguration')
    const incidentsOf = async (kind: string): Promise<(string | undefined)[]> => {
      const { data } = await ask(`dcsim_incident_info{root_kind="${kind}"}`)
      return data.result.map(({ metric }) => metric['incident'])
    }
    let alerts: FiringAlert[] = []
    const isFiring = (name: string): boolean => alerts.some(({ labels }) => labels['alertname'] === name)
    await until(
      'Alertmanager has an alert of the gateway and one of its incident',
      async () => {
        alerts = await up.get('alertmanager', '/api/v2/alerts')
        const [incident] = await incidentsOf('Misconfiguration')
        const hasIncident = alerts.some(
          ({ labels }) => incident !== undefined && labels['incident'] === incident,
        )
        return hasIncident && isFiring('DcsimGatewayAnnouncesNoRoutes')
      },
      240_000,
    )
    for (const { generatorURL: made, annotations } of alerts) {
      expect(made).toMatch(new RegExp(`^http://127.0.0.1:${up.ports.prometheus}/graph`))
      expect(annotations.dashboard_url).toMatch(new RegExp(`^${address}/d/`))
      expect(annotations.runbook_url).toMatch(new RegExp(`^${address}/mirror/runbooks/`))
    }
    firing = alerts
  }, 250_000)

  describe.skipIf(!hasTool('nginx'))(
    'behind the nginx of docs/address.md (skipped where there is none)',
    () => {
      beforeAll(() => nginx.start(up.ports))
      afterAll(() => nginx.stop())

      test('asks for a login', async () => {
        for (const path of ['/dc/', '/dc/mirror/']) expect((await nginx.get(path, {})).status).toBe(401)
      })

      test('shows the page of the mirror, whose links and pictures lead through it', async () => {
        const { status, text } = await nginx.get('/dc/mirror/')
        expect(status).toBe(200)
        const links = [...text.matchAll(/ (?:href|src|srcset)="([^"#:]+)"/g)].map(([, link]) => link)
        expect(links.length).toBeGreaterThan(20)
        for (const link of new Set(links)) {
          const { pathname, search } = new URL(link.replaceAll('&amp;', '&'), `${address}/mirror/`)
          expect([link, (await nginx.get(`${pathname}${search}`)).status]).toStrictEqual([link, 200])
        }
        expect(text).toContain(`<a href="${address}">${address}</a></p>\n<svg`)
        expect((await nginx.get('/dc/mirror/pictures/floor.svg')).text).toContain("href='../tables/rack?")
      })

      test('leads from an alert to its runbook', async () => {
        const { pathname } = new URL(firing[0].annotations.runbook_url)
        const { status, text } = await nginx.get(pathname)
        expect([status, text]).toStrictEqual([200, expect.stringContaining('Mitigation')])
      })

      test.skipIf(!hasGrafana)('shows Grafana, with data, and opens its WebSocket', async () => {
        expect((await nginx.get('/dc/')).text).toContain('"appSubUrl":"/dc"')
        const query = '/dc/api/datasources/proxy/uid/dcsim-prometheus/api/v1/query?query=up'
        expect(JSON.parse((await nginx.get(query)).text)).toMatchObject({ status: 'success' })
        expect((await nginx.get('/dc/api/dashboards/uid/dcsim-session')).status).toBe(200)
        expect(await nginx.webSocket('/dc/api/live/ws')).toBe(101)
      })
    },
  )

  test.skipIf(!hasGrafana)('has Grafana send requests for other names to its address', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const answer = await fetch(`http://${host}:${up.ports.grafana}/login`, { redirect: 'manual' })
      expect([answer.status, answer.headers.get('location')]).toStrictEqual([301, `${address}/login`])
    }
  })

  test('runs nothing as root', async () => {
    const containers = await up.containers()
    for (const container of containers) expect(container.Config.User).toMatch(/^(?!root|0)./)
    const running = containers.filter(({ State: { Status: status } }) => status === 'running')
    expect(running).toHaveLength(usual.length)
    const users = await Promise.all(running.map((container) => up.usersOf(container)))
    expect(users.flat().filter((user) => Number(user) === 0)).toStrictEqual([])
  })

  test('publishes ports on the loopback alone', async () => {
    const published = (await up.containers()).flatMap(({ NetworkSettings: { Ports: ports } }) =>
      Object.values(ports).flatMap((list) => list ?? []),
    )
    // The mirror, Grafana, and the two ports of the guard.
    expect(published).toHaveLength(3 + grafana.length)
    expect(new Set(published.map(({ HostIp: address }) => address))).toStrictEqual(new Set(['127.0.0.1']))
    const doors = outerAddresses().flatMap((host) => published.map(({ HostPort: port }) => ({ host, port })))
    const open = await Promise.all(doors.map(({ host, port }) => answers(host, Number(port))))
    expect(open).not.toContain(true)
    expect(await answers('127.0.0.1', up.ports.mirror)).toBe(true)
  })

  test('has an image of the mirror below 300 MB', () => {
    const format = ['--format', '{{.Size}}', stack.services['mirror'].image]
    const bytes = Number(execFileSync('docker', ['image', 'inspect', ...format], { encoding: 'utf8' }))
    expect(bytes).toBeGreaterThan(1e6)
    expect(bytes).toBeLessThan(300e6)
  })

  test('has the mirror idle below 200 MB with a medium world', async () => {
    await until('there is a world', async () => {
      const { world_ready: isReady } = await up.get<{ world_ready: boolean }>('mirror', '/health')
      return isReady
    })
    // Garbage is collected now and then.
    const readings: number[] = []
    while (readings.length < 12 && !(Math.min(...readings) < 200e6))
      readings.push(await up.memoryOf('mirror'))
    expect(Math.min(...readings)).toBeLessThan(200e6)
  })

  describe('with the profile longterm', () => {
    let sinceMs = 0

    beforeAll(async () => {
      await start(longTerm, '--profile', 'longterm')
      await until('the long-term store has samples', async () => {
        const times = [...(await kept(0, Date.now())).values()].flat().map(([timeMs]) => timeMs)
        sinceMs = Math.min(...times)
        return new Set(times).size >= 4
      })
    }, 120_000)

    test('keeps the same samples as Prometheus, and serves them', async () => {
      const untilMs = Date.now() - arrivedMs
      const [here, there] = [await stored(sinceMs - 1, untilMs), await kept(sinceMs - 1, untilMs)]
      expect(here.size).toBeGreaterThan(100)
      expect(rounded(there)).toStrictEqual(rounded(here))
    })

    test('gets the history that Prometheus began with', async () => {
      const { stdout } = await up.compose('--profile', 'longterm', 'run', '--rm', 'store-backfill')
      expect(stdout).toMatch(/The history is in the long-term store: [\d,]+ samples\./)
      const here = await stored(firstStartedMs - 600_000, firstStartedMs)
      expect(here.size).toBeGreaterThan(100)
      // The store finds samples a moment after it has received them.
      await expect
        .poll(async () => rounded(await kept(firstStartedMs - 600_000, firstStartedMs)), { timeout: 20_000 })
        .toStrictEqual(rounded(here))
    }, 300_000)
  })

  describe('when services fail', () => {
    let span: readonly [fromMs: number, untilMs: number] = [0, 0]
    let before: readonly Samples[] = []

    /** The samples of that time in both stores. */
    const all = async (): Promise<readonly Samples[]> => [await stored(...span), await kept(...span)]

    beforeAll(async () => {
      const untilMs = Date.now() - arrivedMs
      span = [untilMs - 60_000, untilMs]
      before = await all()
    })

    test('there is something to lose', () => {
      expect(before.map(({ size }) => size > 100)).toStrictEqual([true, true])
    })

    test.each([...longTerm.slice(1), 'mirror'])(
      '%s heals by itself after a crash, and no sample is lost',
      async (name) => {
        await up.crash(name)
        const startedMs = Date.now()
        if (name === 'mirror') await firstAnswer()
        await until(`${name} is healthy`, () => up.healthy(name))
        expect(await all()).toStrictEqual(before)
        await until('Prometheus sees the mirror, and the long-term store gets it', async () => {
          const values = [...(await kept(startedMs, Date.now())).values()].flat()
          return values.length > 0 && (await ask('up{job="dcsim"} == 1')).data.result.length === 1
        })
      },
      90_000,
    )

    test('every service ends at the first signal, within its time', async () => {
      await up.compose('--profile', 'longterm', 'stop')
      const codes = (await up.containers()).map(({ Name: name, State: state }) => [name, state.ExitCode])
      // 137 would mean that a container was killed.
      expect(codes.filter(([, code]) => code !== 0)).toStrictEqual([])
    })

    test('down and up again, it has all that it had', async () => {
      await up.compose('--profile', 'longterm', 'down')
      await start(longTerm, '--profile', 'longterm')
      expect(await all()).toStrictEqual(before)
    }, 120_000)
  })

  test('answers within two seconds of its start, or longer by as much as the machine is busy', () => {
    // One start of two suffices: while other work keeps the machine busy, any of them may take longer.
    expect(firstAnswersMs).toHaveLength(2)
    expect(Math.min(...firstAnswersMs)).toBeLessThan(2_000 * slowness())
  })
})
