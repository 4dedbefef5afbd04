import { execFile, spawnSync } from 'node:child_process'
import { createConnection } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { OwnerLock } from '../../src/store/owner-lock.ts'
import { freePort } from '../fixtures/free-port.ts'
import { until } from '../metrics/real-prometheus.ts'
import { lasting, root, stack } from './stack-file.ts'

const run = promisify(execFile)

/** Services that are published: the guard publishes two of them. */
type Name = 'mirror' | 'prometheus' | 'alertmanager' | 'grafana'

const isThere = (image: string): boolean =>
  spawnSync('docker', ['image', 'inspect', image], { stdio: 'ignore' }).status === 0

/** The missing requirements of the stack, in words; empty if all are met. In CI all must be met. */
export function missing(): string {
  const built = stack.services['mirror'].image
  const pulled = lasting.filter(([name, { image }]) => name !== 'grafana' && image !== built)
  const lacking = pulled.map(([, { image }]) => image).filter((image) => !isThere(image))
  const why =
    spawnSync('docker', ['version'], { stdio: 'ignore' }).status !== 0
      ? 'no container engine answers'
      : spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status !== 0
        ? 'there is no docker compose'
        : lacking.length > 0
          ? `these images are missing: ${lacking.join(', ')}`
          : ''
  if (why !== '' && process.env['CI'] !== undefined) throw new Error(`The stack cannot be tested: ${why}.`)
  return why
}

/** Whether Grafana is part of the stack. Where its image is unavailable, everything else is tested without it. */
export const hasGrafana = isThere(stack.services['grafana'].image)

/** A container in the output of `docker inspect`. */
interface Container {
  readonly Name: string
  readonly Image: string
  readonly State: {
    readonly Status: string
    readonly Pid: number
    readonly ExitCode: number
    readonly StartedAt: string
    readonly Health?: { readonly Status: string }
  }
  readonly Config: { readonly User: string }
  readonly NetworkSettings: {
    readonly Networks: Readonly<Record<string, { readonly IPAddress: string }>>
    readonly Ports: Readonly<Record<string, readonly { HostIp: string; HostPort: string }[] | null>>
  }
}

/** The shipped stack, started by Compose itself, with ports and a project name of its own. */
export class RunningStack {
  readonly #project: string
  readonly #files: readonly string[]
  readonly #environment: NodeJS.ProcessEnv
  readonly ports: Readonly<Record<Name, number>>

  private constructor(
    ports: Record<Name, number>,
    files: readonly string[],
    settings: Readonly<Record<string, string>>,
  ) {
    this.ports = ports
    this.#files = files
    this.#project = `dcsim-test-${ports.mirror}`
    this.#environment = {
      ...process.env,
      ...settings,
      DCSIM_PORT: `${ports.mirror}`,
      PROMETHEUS_PORT: `${ports.prometheus}`,
      ALERTMANAGER_PORT: `${ports.alertmanager}`,
      GRAFANA_PORT: `${ports.grafana}`,
    }
  }

  static async prepare(
    settings: Readonly<Record<string, string>>,
    files: readonly string[] = ['docker-compose.yml'],
  ): Promise<RunningStack> {
    const ports = {
      mirror: await freePort(),
      prometheus: await freePort(),
      alertmanager: await freePort(),
      grafana: await freePort(),
    }
    return new RunningStack(ports, files, settings)
  }

  /** Runs docker compose and returns its output; throws all of it on failure. */
  async compose(...words: readonly string[]): Promise<{ stdout: string; stderr: string }> {
    const files = this.#files.flatMap((file) => ['-f', file])
    const own = ['compose', '-p', this.#project, '--ansi', 'never', '--progress', 'plain', ...files]
    // The developer's own .env must not apply.
    return run('docker', [...own, '--env-file', '/dev/null', ...words], {
      cwd: root,
      env: this.#environment,
      maxBuffer: 1 << 26,
    })
  }

  /**
   * Builds the image of the mirror. Test files run concurrently, and if one tags another image with the same name,
   * Compose recreates the containers of all others. So they take turns, and Compose does not build: it would label the
   * image with the name of each stack.
   */
  async build(): Promise<void> {
    const locks: OwnerLock[] = []
    const acquire = async (): Promise<boolean> =>
      locks.push(new OwnerLock(join(tmpdir(), 'dcsim-mirror-image'))) > 0
    await until('no other test builds the image', acquire, 300_000)
    try {
      const { image } = stack.services['mirror']
      await run('docker', ['build', '--tag', image, '.'], { cwd: root, maxBuffer: 1 << 26 })
    } finally {
      for (const lock of locks) lock.release()
    }
  }

  async containers(): Promise<Container[]> {
    const { stdout: ids } = await this.compose('--profile', '*', 'ps', '--all', '--quiet')
    const { stdout } = await run('docker', ['inspect', ...ids.trim().split('\n')], { maxBuffer: 1 << 26 })
    return JSON.parse(stdout) as Container[]
  }

  async container(name: string): Promise<Container> {
    const all = await this.containers()
    const found = all.find((container) => container.Name === `/${this.#project}-${name}-1`)
    if (found === undefined) throw new Error(`No container ${name}.`)
    return found
  }

  /** The address of a container in the network of the stack, which this machine reaches on Linux. */
  async addressOf(name: string): Promise<string> {
    const { NetworkSettings: settings } = await this.container(name)
    return Object.values(settings.Networks)[0].IPAddress
  }

  /** User ids of a container's processes on the host. */
  async usersOf({ Name: name }: Container): Promise<string[]> {
    const { stdout } = await run('docker', ['top', name, '-eo', 'pid,uid'])
    const [, ...processes] = stdout.trim().split('\n')
    return processes.map((line) => line.trim().split(/ +/)[1])
  }

  /** Ends a container as a crash would. (`docker kill` counts as intended, and disables the restart.) */
  async crash(name: string): Promise<void> {
    const { State: before } = await this.container(name)
    const murder = ['--pid', 'host', '--user', 'root', '--entrypoint', 'bash', stack.services['mirror'].image]
    await run('docker', ['run', '--rm', ...murder, '-c', `kill -9 ${before.Pid}`])
    await until(`${name} is started again`, async () => {
      const { State: now } = await this.container(name)
      return now.StartedAt !== before.StartedAt
    })
  }

  async healthy(name: string): Promise<boolean> {
    const { State: state } = await this.container(name)
    return state.Health?.Status === 'healthy'
  }

  /** Memory that a container uses, in bytes, without the page cache. */
  async memoryOf(name: string): Promise<number> {
    const { Name: container } = await this.container(name)
    const format = ['--no-stream', '--format', '{{.MemUsage}}']
    const { stdout } = await run('docker', ['stats', ...format, container])
    const [, amount, unit] = /^([\d.]+)([KMG])iB/.exec(stdout)!
    return Number(amount) * 1024 ** (1 + 'KMG'.indexOf(unit))
  }

  /** The answer to a program in the stack. */
  async getInside(url: string): Promise<string> {
    const script = `fetch(${JSON.stringify(url)}).then(async (got) => console.log(got.ok ? await got.text() : ''))`
    const { stdout } = await this.compose('exec', '-T', 'mirror', 'node', '-e', script)
    return stdout.trim()
  }

  /** The response of a service at its published port. */
  async get<T>(name: Name, path: string): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${this.ports[name]}${path}`)
    if (!answer.ok) throw new Error(`${name} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
}

/** Whether a port accepts connections. */
export async function answers(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = createConnection({ host, port, timeout: 2000 })
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
  socket.on('timeout', () => resolve(false))
  const isListening = await promise
  socket.destroy()
  return isListening
}

/** Addresses of this machine that other machines may reach. */
export const outerAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one !== undefined && !one.internal && one.family === 'IPv4' ? [one.address] : []))
