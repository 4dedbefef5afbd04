import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { until } from '../metrics/real-prometheus.ts'
import { answers, missing, outerAddresses, RunningStack } from './running-stack.ts'

const why = missing()

describe.skipIf(why !== '')(
  'deploy/compose/attach.yml (skipped where there is no engine, Compose or image)',
  () => {
    let game: MirrorProcess
    let gamePort: string
    let stack: RunningStack

    /** The response to a container of the stack: status and body. */
    async function fromInside(path: string): Promise<string> {
      const script = `fetch('http://game:9740${path}').then(async (got) => console.log(got.status, await got.text()))`
      const { stdout } = await stack.compose('exec', '-T', 'game', 'node', '-e', script)
      return stdout.trim()
    }

    /** Whether the mirror of the stack is as fresh as its source. */
    const isMirrored = async (): Promise<boolean> =>
      (await stack.get<{ status: string }>('mirror', '/health')).status === 'ok'

    beforeAll(async () => {
      game = await MirrorProcess.start(
        '--scale small --warmup 60s --allow-host host.docker.internal'.split(' '),
      )
      gamePort = new URL(game.origin).port
      stack = await RunningStack.prepare({ DCSIM_GAME_PORT: gamePort }, [
        'docker-compose.yml',
        'deploy/compose/attach.yml',
      ])
      await stack.build()
      await stack.compose('up', '--detach', '--wait', 'mirror')
      await until('the way leads out', async () => (await fromInside('/health')).startsWith('200'))
      await until('the mirror shows the game', isMirrored)
    }, 300_000)

    afterAll(async () => {
      await game.stop()
      await stack.compose('down', '--volumes', '--timeout', '2')
    })

    test('lets the stack read a server on the loopback of the machine, which accepts the host name localhost', async () => {
      expect(await fromInside('/openapi.json')).toBe(`200 ${await game.text('/openapi.json')}`)
    })

    test('has the mirror show the world of the game', async () => {
      const path = '/api/v1/hosts?limit=1000'
      const names = (body: { items: { id: number; display_name: string }[] }): string[] =>
        body.items.map(({ id, display_name: name }) => `${id} ${name}`)
      const original = names(JSON.parse(await game.text(path)) as Parameters<typeof names>[0])
      expect(original).toHaveLength(24)
      expect(names(await stack.get('mirror', path))).toStrictEqual(original)
    })

    test('is not needed for a game on all addresses, which host.docker.internal leads to', async () => {
      const door = createServer((client) => {
        const own = connect(Number(gamePort), '127.0.0.1')
        client.on('error', () => own.destroy()).pipe(own)
        own.on('error', () => client.destroy()).pipe(client)
      }).listen(0, '0.0.0.0')
      await once(door, 'listening')
      const { port } = door.address() as AddressInfo
      const direct = await RunningStack.prepare({ DCSIM_SOURCE: `http://host.docker.internal:${port}` })
      try {
        await direct.compose('up', '--detach', 'mirror')
        await until('the mirror shows the game', async () => {
          const { status } = await direct.get<{ status: string }>('mirror', '/health')
          return status === 'ok'
        })
        const hosts = await direct.get<{ total: number }>('mirror', '/api/v1/hosts?limit=1')
        expect(hosts.total).toBe(24)
      } finally {
        await direct.compose('down', '--volumes', '--timeout', '2')
        door.close()
      }
    })

    test('is not reachable from other machines', async () => {
      const open = await Promise.all(outerAddresses().map((host) => answers(host, Number(gamePort))))
      expect(open).not.toContain(true)
      const containers = await stack.containers()
      const ports = containers.flatMap(({ NetworkSettings: { Ports: list } }) => Object.values(list).flat())
      const addresses = ports.flatMap((port) => port?.HostIp ?? [])
      expect(containers).toHaveLength(3)
      expect(addresses).toStrictEqual(['127.0.0.1'])
    })

    test('reconnects after either forwarder crashed', async () => {
      for (const name of ['game', 'game-host']) {
        await stack.crash(name)
        await until('the way leads out', async () => (await fromInside('/health')).startsWith('200'))
      }
      await until('the mirror shows the game', isMirrored)
      expect(await fromInside('/api/v1/hosts?limit=1')).toMatch(/^200 \{"meta":/)
    })

    test('responds with a bad gateway while the game is down, and logs that once', async () => {
      const error = `No response from port ${gamePort} of this machine: `
      const misses = async (): Promise<number> => {
        const { stdout } = await stack.compose('logs', '--no-log-prefix', 'game')
        return stdout.split('\n').filter((line) => line.startsWith(error)).length
      }
      const before = await misses()
      await game.stop()
      expect(await fromInside('/health')).toContain(`502 ${error}`)
      // The mirror may have lost an earlier response for another reason.
      const logged = await misses()
      expect(logged).toBeGreaterThan(before)
      expect(await fromInside('/health')).toContain(`502 ${error}`)
      expect(await misses()).toBe(logged)
    })
  },
)
