import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocks, commandsOf } from '../documents/blocks.ts'
import { until } from '../metrics/real-prometheus.ts'
import { hasGrafana, missing, RunningStack } from './running-stack.ts'

const has = (program: string): boolean => spawnSync('which', [program]).status === 0
const why =
  missing() ||
  (process.getuid!() !== 0 || !['unshare', 'dockerd', 'ip'].every(has)
    ? 'a second engine without a network needs root, dockerd, ip and unshare'
    : '')
if (why !== '') console.warn(`The way without a network is not tested, as ${why}.`)

const commands = blocks.filter(({ page }) => page === 'docs/offline.md').flatMap(commandsOf)
const commandOf = (start: string): string => commands.find((command) => command.startsWith(start))!

/** An empty container engine without any network but its own loopback. */
class LonelyEngine {
  readonly address: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'lonely-engine-'))
  #child: ChildProcess | null = null

  constructor() {
    this.address = `unix://${this.#folder}/socket`
  }

  async start(): Promise<void> {
    const options = {
      'data-root': `${this.#folder}/data`,
      'exec-root': `${this.#folder}/exec`,
      pidfile: `${this.#folder}/pid`,
      host: this.address,
      bridge: 'none',
      iptables: 'false',
      ip6tables: 'false',
    }
    const words = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
    const script = 'ip link set lo up && exec dockerd "$@"'
    this.#child = spawn('unshare', ['--net', 'sh', '-c', script, 'sh', ...words], { stdio: 'ignore' })
    await until('the second engine answers', async () => {
      const { status } = spawnSync('docker', ['--host', this.address, 'version'], { stdio: 'ignore' })
      return status === 0
    })
  }

  async stop(): Promise<void> {
    if (this.#child?.kill()) await once(this.#child, 'exit')
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 })
  }
}

describe.skipIf(why !== '')(`without a network${why === '' ? '' : ` (skipped: ${why})`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'offline-'))
  const archive = join(folder, 'dcsim-images.tar')
  const engine = new LonelyEngine()
  let stack: RunningStack

  /** Runs a command of the page in the checkout, with the archive in another folder. */
  function run(command: string, environment: NodeJS.ProcessEnv = {}): string {
    // Grafana's image may be missing.
    const possible = hasGrafana ? command : command.replace(/ grafana\/\S+/, '')
    const here = possible.replaceAll('dcsim-images.tar', archive)
    const { status, stdout, stderr } = spawnSync('sh', ['-c', here], {
      encoding: 'utf8',
      env: { ...process.env, ...environment },
    })
    if (status !== 0) throw new Error(`${here}: ${stderr}`)
    return stdout
  }

  beforeAll(async () => {
    run(commandOf('docker compose build'))
    run(commandOf('docker save'))
    await engine.start()
    stack = await RunningStack.prepare({
      DOCKER_HOST: engine.address,
      DCSIM_SCALE: 'small',
      DCSIM_WARMUP: '12h',
    })
  }, 600_000)

  afterAll(async () => {
    await stack?.compose('--profile', '*', 'down', '--volumes', '--timeout', '2')
    await engine.stop()
    rmSync(folder, { recursive: true })
  }, 120_000)

  test('the archive has the images', () => {
    expect(existsSync(archive)).toBe(true)
    const loaded = run(commandOf('docker load'), { DOCKER_HOST: engine.address })
    expect(loaded).toMatch(/Loaded image: dcsim-mirror:/)
    expect(loaded).toMatch(/Loaded image: prom\/prometheus:/)
  }, 600_000)

  test('everything starts from it, with the history', async () => {
    await stack.compose('up', '--detach', '--wait', 'guard', 'prometheus', 'alertmanager')
    const answered = (query: string): Promise<string> =>
      stack.getInside(`http://guard:9090/api/v1/query?query=${query}`)
    await until('the mirror is scraped', async () => (await answered('up')).includes('mirror:9740'))
    expect(await answered('count(last_over_time(dcsim_hosts_online[2h]+offset+5m))')).toContain('"value"')
  }, 300_000)

  test('there is no network indeed', async () => {
    const script = `fetch('http://1.1.1.1').catch((error) => console.log(error.cause.code))`
    const { stdout } = await stack.compose('exec', '-T', 'mirror', 'node', '-e', script)
    expect(stdout).toMatch(/^E(?:NETUNREACH|HOSTUNREACH|CONN)|TIMEOUT/)
  })
})
