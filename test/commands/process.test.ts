import { once } from 'node:events'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { run } from './run.ts'
import { freePort } from '../fixtures/free-port.ts'
import { promptlyMs } from '../fixtures/promptly.ts'
import { listening } from '../fixtures/listening.ts'

const quick = ['--listen', '127.0.0.1:0', '--scale', 'small', '--warmup', '1h']
const forever = ['--listen', '127.0.0.1:0', '--scale', '2000', '--warmup', '400d']

const health = async (origin: string) =>
  (await (await fetch(`${origin}/health`)).json()) as { status: string; world_ready: boolean; reason: string }

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
])('on %s it logs an address that reaches it, and that it is open to the network', async (every, one) => {
  const words = quick.with(1, `${every}:0`)
  const service = run([...words, '--allow-host', 'mirror.lan', '--allow-host', 'mirror'])
  const origin = await service.origin()
  expect(new URL(origin).hostname).toBe(one)
  await service.says(
    /Port \d+ is open to the network\. Requests are accepted for the hosts localhost, .*, \[::1\], mirror\.lan, mirror; --allow-host adds more\.\n/,
  )
  expect(await health(origin)).toMatchObject({ status: expect.stringMatching(/^(starting|ok)$/) as string })
})

/** The status of a request that names a host, as a browser would of which the name leads here. */
async function statusFor(port: number, host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  request({ host: '127.0.0.1', port, path: '/health', headers: { host } }, (answer) => {
    answer.resume()
    resolve(answer.statusCode!)
  })
    .on('error', reject)
    .end()
  return promise
}

test.each([
  ['https://mirror.lan:8080/dc/', ['mirror.lan', 'MIRROR.lan:1', 'localhost'], ['lan', 'a.mirror.lan', 'x']],
  ['http://[fd00::20]:8080', ['[fd00::20]', '[fd00::20]:9740'], ['[fd00::21]', '[fd00', 'fd00::20']],
])('it logs its public address %s, and answers to its host alone', async (address, own, foreign) => {
  const port = await freePort()
  const service = run([...quick.with(1, `0.0.0.0:${port}`), '--public-url', address])
  await service.says(/Ready after/)
  const shown = address.replace(/\/$/, '')
  expect(service.out).toContain(`listens on ${shown}\n`)
  expect(service.out).toContain(`Browser: ${shown}/  Prometheus: `)
  expect(service.out).not.toContain('open to the network')
  const statuses = await Promise.all([...own, ...foreign].map((host) => statusFor(port, host)))
  expect(statuses).toStrictEqual([...own.map(() => 200), ...foreign.map(() => 403)])
})

test('it listens during the warm-up, and shuts down within a second even then', async () => {
  const service = run(forever)
  const origin = await service.origin()
  expect(await health(origin)).toMatchObject({ status: 'starting', world_ready: false })
  expect((await fetch(`${origin}/api/v1/hosts`)).status).toBe(503)
  const { code, ms } = await service.end('SIGINT')
  expect(code).toBe(0)
  expect(ms).toBeLessThan(promptlyMs)
})

test('connections beyond the limit of open files are refused and logged once, and it recovers', async () => {
  const service = run(['-c', 'ulimit -n 64; exec "$0" src/main.ts "$@"', process.execPath, ...quick], {}, [
    'bash',
  ])
  const origin = await service.origin()
  await service.says(/Ready after/)
  const sockets = Array.from({ length: 150 }, () => connect(Number(new URL(origin).port), '127.0.0.1'))
  await Promise.all(
    sockets.map((socket) =>
      once(
        socket.on('error', () => {}),
        'connect',
      ),
    ),
  )
  await expect.poll(() => service.err).toBe('Refused a connection: 16 are open, the most allowed.\n')
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => health(origin).then(({ status }) => status, String)).toBe('ok')
  const { code } = await service.end('SIGTERM')
  expect(code).toBe(0)
})

test('an unread response does not delay the shutdown, and a second signal ends it at once', async () => {
  const ended = async (second: boolean) => {
    const service = run(quick)
    const origin = await service.origin()
    await service.says(/Ready after/)
    const socket = connect(Number(new URL(origin).port), '127.0.0.1').pause()
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100))
    await new Promise((resolve) => setTimeout(resolve, 200))
    const ending = service.end('SIGTERM')
    await service.says(/Shutting down: received SIGTERM/)
    if (second) service.child.kill('SIGINT')
    const { code, ms } = await ending
    socket.destroy()
    return { code, ms }
  }
  const [patient, twice] = [await ended(false), await ended(true)]
  expect([patient.code, twice.code]).toEqual([0, 130])
  expect(patient.ms).toBeLessThan(promptlyMs)
  expect(twice.ms).toBeLessThan(promptlyMs)
})

test('it refuses a port that is in use', async () => {
  const taken = createServer()
  const port = await listening(taken)
  const refused = run(['--listen', `127.0.0.1:${port}`, '--scale', 'small'])
  const [code] = await refused.ended
  expect([code, refused.err]).toEqual([
    1,
    `Cannot listen on 127.0.0.1:${port}: address already in use. Stop the mirror that is there, or use another one: --listen 127.0.0.1:${port + 1}.\n`,
  ])
  taken.close()
})

test('--version, --help and --list-scenarios are answered', async () => {
  const answer = async (flag: string) => {
    const asked = run([flag])
    const [code] = await asked.ended
    return [code, asked.out] as const
  }
  expect(await answer('--version')).toEqual([0, '0.1.0\n'])
  expect((await answer('--help'))[1]).toContain('--listen HOST:PORT')
  expect((await answer('help'))[1]).toBe((await answer('--help'))[1])
  const [, scenarios] = await answer('--list-scenarios')
  expect(scenarios).toContain('ddos-friday\n  ')
  expect(scenarios.split('\n').filter((line) => line.length > 100)).toEqual([])
})
