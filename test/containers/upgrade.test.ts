/**
 * An upgrade: this version starts over a stack that runs and has filled its volumes. It is that of the newest tag below this
 * commit, or of its parent where there is none; DCSIM_UPGRADE_FROM names another commit.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../fixtures/free-port.ts'
import { until } from '../metrics/real-prometheus.ts'
import { hasGrafana, missing } from './running-stack.ts'
import { root } from './stack-file.ts'

const run = promisify(execFile)
const outputMax = 1 << 27
/** Time after which the long-term store has all samples of a moment. */
const storedAfterMs = 30_000

const git = (...words: readonly string[]): string => {
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}

/** The commit to upgrade from; empty without the history of the checkout. */
const before =
  process.env['DCSIM_UPGRADE_FROM'] ??
  (git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^') || git('rev-parse', 'HEAD^'))

const why = missing() || (before === '' ? 'the checkout has no commit before this one' : '')
if (why !== '') console.warn(`The upgrade is not tested, as ${why}.`)

const folder = mkdtempSync(join(tmpdir(), 'dcsim-upgrade-'))
const project = `dcsim-upgrade-${process.pid}`
const services = [
  'mirror',
  'prometheus',
  'alertmanager',
  'victoria-metrics',
  ...(hasGrafana ? ['grafana'] : []),
]

interface Samples {
  readonly data: {
    readonly result: readonly { readonly metric: object; readonly values?: readonly unknown[] }[]
  }
}
type Rows = readonly Readonly<Record<string, unknown>>[]

/** A version of the stack in a folder, on the volumes that all versions share. */
class Version {
  readonly #folder: string
  readonly #environment: NodeJS.ProcessEnv

  constructor(name: string, ports: Readonly<Record<string, string>>) {
    this.#folder = join(folder, name)
    const world = { DCSIM_SCALE: 'small', DCSIM_WARMUP: '12h', COMPOSE_PROFILES: 'longterm' }
    this.#environment = { ...process.env, ...world, ...ports }
  }

  /** Takes files over, and builds their image under a name of its own. */
  async build(archive: Buffer): Promise<void> {
    mkdirSync(this.#folder)
    execFileSync('tar', ['-x', '-C', this.#folder], { input: archive })
    const image = `${project}:${this.#folder.split('/').at(-1)!}`
    await run('docker', ['build', '--tag', image, '.'], { cwd: this.#folder, maxBuffer: outputMax })
    const script = join(import.meta.dirname, '../../deploy/stack/name-image.sh')
    execFileSync('sh', [script, image], { cwd: this.#folder })
  }

  async compose(...words: readonly string[]): Promise<string> {
    const own = [
      'compose',
      '-p',
      project,
      '--ansi',
      'never',
      '--progress',
      'plain',
      '--env-file',
      '/dev/null',
    ]
    const options = { cwd: this.#folder, env: this.#environment, maxBuffer: outputMax }
    return (await run('docker', [...own, ...words], options)).stdout
  }

  /** The guard, through which a version that has one answers queries. */
  #guard: readonly string[] = []

  async start(): Promise<string> {
    const all = await this.compose('--profile', '*', 'config', '--services')
    this.#guard = all.split('\n').filter((name) => name === 'guard')
    return this.compose('up', '--detach', '--wait', '--remove-orphans', ...services, ...this.#guard)
  }

  /** The answer of a service to the mirror, which reaches all of them. */
  async ask(url: string, sent: object | null = null): Promise<string> {
    const request =
      sent === null
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) }
    const server = /(?<=\/\/)(?:prometheus|alertmanager|victoria-metrics)(?=:)/
    const asked = this.#guard.length === 0 ? url : url.replace(server, 'guard')
    const script = `
      const answer = await fetch(${JSON.stringify(asked)}, ${JSON.stringify(request)})
      if (!answer.ok) throw new Error(answer.status + ' ' + (await answer.text()))
      process.stdout.write(await answer.text())`
    return this.compose('exec', '-T', 'mirror', 'node', '--input-type=module', '-e', script)
  }

  async json<T>(url: string, sent: object | null = null): Promise<T> {
    return JSON.parse(await this.ask(url, sent)) as T
  }

  table(path: string): Promise<Rows> {
    return this.json(`http://127.0.0.1:9740/tables/${path}`)
  }

  /** All samples of some families within two minutes before a time, in a stable order. */
  async samples(atSeconds: number): Promise<string[]> {
    const query = `{__name__=~"up|dcsim_sim_.*|dcsim_az_.*|dcsim_hosts_online",job="dcsim"}[2m] @ ${atSeconds}`
    const { data } = await this.json<Samples>(
      `http://prometheus:9090/api/v1/query?${new URLSearchParams({ query }).toString()}`,
    )
    return data.result.map((series) => JSON.stringify(series)).toSorted()
  }

  /** Samples of the same time in the long-term store. */
  async stored(atSeconds: number): Promise<string[]> {
    const query = {
      'match[]': '{__name__=~"up|dcsim_sim_.*"}',
      start: `${atSeconds - 120}`,
      end: `${atSeconds}`,
    }
    const lines = await this.ask(
      `http://victoria-metrics:8428/api/v1/export?${new URLSearchParams(query).toString()}`,
    )
    return lines.trim().split('\n').toSorted()
  }

  /** The files of a folder that Grafana reads, with their content. */
  async shared(path: string): Promise<Readonly<Record<string, string>>> {
    const script = `cd ${path} && for file in *; do echo "=== $file"; cat "$file"; echo; done`
    const text = await this.compose('exec', '-T', 'prometheus', 'sh', '-c', script)
    return Object.fromEntries(
      text
        .split('=== ')
        .slice(1)
        .map((file) => [file.slice(0, file.indexOf('\n')), file.slice(file.indexOf('\n') + 1).trim()]),
    )
  }
}

/** The tracked files of the checkout as they are now. */
function workingTree(): Buffer {
  const files = git('ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate').split('\n')
  const present = files.filter((file) => spawnSync('test', ['-f', file], { cwd: root }).status === 0)
  return execFileSync('tar', ['-c', '--files-from', '-'], {
    cwd: root,
    input: present.join('\n'),
    maxBuffer: outputMax,
  })
}

const dashboards = '/etc/prometheus/grafana/dashboards'
const provisioning = '/etc/prometheus/grafana/provisioning/datasources'
const titleOf = (text: string): string => (JSON.parse(text) as { title: string }).title

describe.skipIf(why !== '')(`an upgrade${why === '' ? ` from ${before}` : ` (skipped: ${why})`}`, () => {
  let old: Version
  let current: Version
  /** A time until which both versions have samples, and what was there before the upgrade. */
  let atSeconds = 0
  let samples: string[] = []
  let stored: string[] = []
  let events: Rows = []
  let worlds: Rows = []
  let health = { publish_seq: 0, sim_time_ns: 0 }
  let silence = ''

  beforeAll(async () => {
    const names = ['DCSIM_PORT', 'PROMETHEUS_PORT', 'ALERTMANAGER_PORT', 'GRAFANA_PORT', 'LONGTERM_PORT']
    const ports = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, `${await freePort()}`])),
    )
    old = new Version('before', ports)
    current = new Version('after', ports)
    await current.build(workingTree())
    await old.build(execFileSync('git', ['archive', before], { cwd: root, maxBuffer: outputMax }))
  }, 1_800_000)

  afterAll(async () => {
    await current?.compose('--profile', '*', 'down', '--volumes', '--remove-orphans', '--timeout', '2')
    spawnSync('docker', ['rmi', `${project}:before`, `${project}:after`])
    rmSync(folder, { recursive: true })
  }, 300_000)

  test('the version before fills its volumes', async () => {
    await old.start()
    await until('the archive has events', async () => (await old.table('events?from=0')).length > 20, 300_000)
    // Files that this version does not have, and one with another content.
    const leave = `
      const { readFileSync, writeFileSync } = require('node:fs')
      const folder = '/configuration/grafana/dashboards/'
      const text = readFileSync(folder + 'dcsim-session.json', 'utf8')
      const session = { ...JSON.parse(text), title: 'Session as it was' }
      writeFileSync(folder + 'dcsim-session.json', JSON.stringify(session))
      writeFileSync(folder + 'dcsim-gone.json', JSON.stringify({ ...session, uid: 'dcsim-gone' }))
      writeFileSync('/configuration/grafana/provisioning/datasources/gone.yaml', 'apiVersion: 1')`
    await old.compose('run', '--rm', '--no-deps', '-T', 'configuration', 'node', '-e', leave)
    await old.compose('exec', '-T', 'mirror', 'sh', '-c', 'echo "of the team" > /sessions/notes.txt')
    const endsAt = new Date(Date.now() + 86_400_000).toISOString()
    const matchers = [{ name: 'alertname', value: 'DcsimHostDown', isRegex: false, isEqual: true }]
    const quiet = {
      matchers,
      startsAt: new Date().toISOString(),
      endsAt,
      createdBy: 'test',
      comment: 'upgrade',
    }
    const { silenceID } = await old.json<{ silenceID: string }>(
      'http://alertmanager:9093/api/v2/silences',
      quiet,
    )
    silence = silenceID
    atSeconds = Math.floor(Date.now() / 1_000)
    // Prometheus sends samples on within seconds, and the store shows those of up to a time once it is 30 seconds past.
    await setTimeout(storedAfterMs)
    samples = await old.samples(atSeconds)
    stored = await old.stored(atSeconds)
    expect(samples.length).toBeGreaterThan(10)
    expect(stored.length).toBeGreaterThan(2)
    expect(titleOf((await old.shared(dashboards))['dcsim-session.json'])).toBe('Session as it was')
    events = await old.table('events?from=0&limit=100000')
    worlds = await old.table('worlds')
    health = await old.json('http://127.0.0.1:9740/health')
  }, 900_000)

  test('this version starts over it', async () => {
    await current.start()
    await until('it is scraped', async () => (await current.samples(Date.now() / 1_000)).length > 10)
    expect(await current.compose('ps', '--format', '{{.Image}}', 'mirror')).toBe(`${project}:after\n`)
  }, 600_000)

  test('the world continues', async () => {
    const now = await current.json<typeof health>('http://127.0.0.1:9740/health')
    expect(now.publish_seq).toBeGreaterThan(health.publish_seq)
    expect(now.sim_time_ns).toBeGreaterThan(health.sim_time_ns)
    const known = await current.table('worlds')
    expect(known.map(({ world, session, seed }) => [world, session, seed])).toStrictEqual(
      worlds.map(({ world, session, seed }) => [world, session, seed]),
    )
  })

  test('nothing is lost: events, samples, silences, files', async () => {
    const key = ({ at, what }: Readonly<Record<string, unknown>>): string => `${String(at)} ${String(what)}`
    const kept = new Set((await current.table('events?from=0&limit=100000')).map(key))
    expect(events.map(key).filter((event) => !kept.has(event))).toStrictEqual([])
    expect(await current.samples(atSeconds)).toStrictEqual(samples)
    expect(await current.stored(atSeconds)).toStrictEqual(stored)
    const { status } = await current.json<{ status: { state: string } }>(
      `http://alertmanager:9093/api/v2/silence/${silence}`,
    )
    expect(status.state).toBe('active')
    expect(await current.compose('exec', '-T', 'mirror', 'cat', '/sessions/notes.txt')).toBe('of the team\n')
  })

  test('dashboards and data sources are those of this version alone', async () => {
    const own = (path: string): string[] => readdirSync(new URL(path, root)).toSorted()
    const shown = await current.shared(dashboards)
    expect(Object.keys(shown).toSorted()).toStrictEqual(own('dashboards/generated/'))
    for (const [name, text] of Object.entries(shown)) {
      const committed = readFileSync(new URL(`dashboards/generated/${name}`, root), 'utf8')
      expect([name, titleOf(text)]).toStrictEqual([name, titleOf(committed)])
    }
    expect(Object.keys(await current.shared(provisioning))).toStrictEqual(
      own('dashboards/provisioning/datasources/'),
    )
  })
})
