/** docker-compose.yml as a release has it: alone in an empty folder, and as an OCI artifact of Compose. */
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from './stack-file.ts'
import { isAvailable } from '../fixtures/tools.ts'
import { OciRegistry } from './oci-registry.ts'

const run = promisify(execFile)
const { status } = spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' })
const hasCompose = isAvailable('docker compose', status === 0)

const image = 'ghcr.io/example/mirror:1.2.3'

interface Service {
  readonly image: string
  readonly build?: object
  readonly env_file?: object
  readonly volumes?: readonly { readonly type: string; readonly source: string; readonly target: string }[]
  readonly ports?: readonly { readonly host_ip: string }[]
  readonly environment?: Readonly<Record<string, string>>
}

interface Addressed {
  readonly settings: NodeJS.ProcessEnv
  readonly bound: string
  /** Of Grafana, the mirror and Alertmanager. */
  readonly addresses: readonly string[]
}

describe.skipIf(!hasCompose)('the Compose file of a release (skipped where there is no Compose)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'artifact-'))
  const empty = join(folder, 'empty')
  const registry = new OciRegistry()

  /** Compose in a folder, without settings but these. */
  async function compose(
    at: string,
    words: readonly string[],
    settings: NodeJS.ProcessEnv = {},
  ): Promise<string> {
    const { PATH, HOME } = process.env
    // Compose's own variable for plain HTTP; it caches artifacts below the other.
    const env = { PATH, HOME, __TEST__INSECURE__REGISTRY__: 'yes', XDG_CACHE_HOME: folder, ...settings }
    const { stdout } = await run('docker', ['compose', ...words], { cwd: at, env })
    return stdout
  }

  async function servicesWith(settings: NodeJS.ProcessEnv = {}): Promise<[string, Service][]> {
    const text = await compose(folder, ['--profile', '*', 'config', '--format', 'json'], settings)
    return Object.entries((JSON.parse(text) as { services: Record<string, Service> }).services)
  }

  beforeAll(() => {
    copyFileSync(new URL('docker-compose.yml', root), join(folder, 'docker-compose.yml'))
    spawnSync('sh', [join(import.meta.dirname, '../../deploy/stack/name-image.sh'), image], { cwd: folder })
    mkdirSync(empty)
  })
  afterAll(() => {
    registry.close()
    rmSync(folder, { recursive: true })
  })

  test('mounts nothing of the machine and builds nothing, so that Compose publishes it', async () => {
    const services = await servicesWith()
    expect(services.length).toBeGreaterThan(10)
    for (const [name, { build, env_file: file, volumes = [] }] of services) {
      expect([name, build, file]).toStrictEqual([name, undefined, undefined])
      expect(volumes.filter(({ type }) => type !== 'volume')).toStrictEqual([])
    }
    const own = services.filter(([, service]) => service.image === image).map(([name]) => name)
    expect(own).toStrictEqual('backfill configuration guard mirror notifications store-backfill'.split(' '))
  })

  test('is the same when it comes from a registry, into an empty folder', async () => {
    const artifact = `${await registry.listen()}/example/mirror-compose:1.2.3`
    await compose(folder, ['publish', '--with-env', '--yes', artifact])
    const words = ['--profile', '*', '-p', 'x', 'config', '--format', 'json']
    const pulled = JSON.parse(await compose(empty, ['-f', `oci://${artifact}`, ...words])) as object
    expect(pulled).toStrictEqual(JSON.parse(await compose(folder, words)))
    expect(readdirSync(empty)).toStrictEqual([])
  })

  const urls = ['DCSIM_GRAFANA_URL', 'DCSIM_PUBLIC_URL', 'DCSIM_ALERTMANAGER_URL'] as const

  const addressed: readonly Addressed[] = [
    {
      settings: {},
      bound: '127.0.0.1',
      addresses: ['http://127.0.0.1:3000/', 'http://127.0.0.1:9740', 'http://127.0.0.1:9093'],
    },
    {
      settings: { DCSIM_HOST: '192.168.1.20', GRAFANA_PORT: '80', ALERTMANAGER_HOST: '10.0.0.5' },
      bound: '192.168.1.20',
      addresses: ['http://192.168.1.20:80/', 'http://192.168.1.20:9740', 'http://10.0.0.5:9093'],
    },
    {
      settings: { DCSIM_HOST: '[fd00::20]' },
      bound: 'fd00::20',
      addresses: ['http://[fd00::20]:3000/', 'http://[fd00::20]:9740', 'http://127.0.0.1:9093'],
    },
    {
      settings: {
        DCSIM_HOST: 'dc.example.net',
        DCSIM_BIND: '127.0.0.1',
        DCSIM_SCHEME: 'https',
        DCSIM_PREFIX: '',
      },
      bound: '127.0.0.1',
      addresses: ['https://dc.example.net/', 'https://dc.example.net/mirror', 'http://127.0.0.1:9093'],
    },
    {
      settings: {
        DCSIM_HOST: 'dc.example.net',
        DCSIM_BIND: '0.0.0.0',
        DCSIM_SCHEME: 'https',
        DCSIM_PREFIX: ':8443/dc',
      },
      bound: '0.0.0.0',
      addresses: [
        'https://dc.example.net:8443/dc/',
        'https://dc.example.net:8443/dc/mirror',
        'http://127.0.0.1:9093',
      ],
    },
  ]

  test.each(addressed)(
    'with $settings it is published at $bound, and people reach it there',
    async ({ settings, bound, addresses }) => {
      const services = new Map(await servicesWith(settings))
      for (const name of ['grafana', 'mirror'])
        expect(services.get(name)!.ports!.map(({ host_ip: at }) => at)).toStrictEqual([bound])
      expect(services.get('guard')!.ports![0].host_ip).toBe('127.0.0.1')
      for (const name of ['mirror', 'configuration', 'notifications', 'guard'])
        expect(urls.map((url) => services.get(name)!.environment![url])).toStrictEqual(addresses)
      expect(services.get('grafana')!.environment).toMatchObject({
        GF_SERVER_ROOT_URL: addresses[0],
        GF_SERVER_DOMAIN: new URL(addresses[0]).hostname,
      })
    },
  )

  test.each(['dc.example.net', '192.168.1.20/x', 'http://192.168.1.20', 'fd00::20'])(
    'Compose refuses to publish ports at %s, which is no address of a machine',
    async (host) => {
      await expect(servicesWith({ DCSIM_HOST: host })).rejects.toThrow(
        /invalid (?:ip address|proto|hostPort|containerPort)/i,
      )
    },
  )

  test('files of the user are in a volume, or in a folder that is named', async () => {
    const at = async (settings: NodeJS.ProcessEnv) =>
      (await servicesWith(settings)).flatMap(([name, { volumes = [] }]) =>
        volumes
          .filter(({ target }) => target === '/sessions')
          .map(({ type, source }) => `${name} ${type} ${source}`),
      )
    const names = ['backfill', 'configuration', 'mirror', 'notifications']
    expect(await at({})).toStrictEqual(names.map((name) => `${name} volume sessions`))
    expect(await at({ DCSIM_FILES: './sessions' })).toStrictEqual(
      names.map((name) => `${name} bind ${join(folder, 'sessions')}`),
    )
  })
})
