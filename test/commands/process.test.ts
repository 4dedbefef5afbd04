import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from './run.ts'
import { freePort } from '../fixtures/free-port.ts'
import { promptlyMs } from '../fixtures/promptly.ts'

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

test('an idle connection does not delay the shutdown', async () => {
  const service = run(quick)
  const origin = await service.origin()
  const { port } = new URL(origin)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const { code, ms } = await service.end('SIGTERM')
  expect(code).toBe(0)
  expect(ms).toBeLessThan(promptlyMs)
  socket.destroy()
})

describe('it refuses', () => {
  const refusal = async (words: readonly string[], environment?: Record<string, string>) => {
    const refused = run(words, environment)
    const [code] = await refused.ended
    return { code, err: refused.err, out: refused.out }
  }

  test('a port that is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { code, err } = await refusal(['--listen', `127.0.0.1:${port}`, '--scale', 'small'])
    expect([code, err]).toEqual([
      1,
      `Cannot listen on 127.0.0.1:${port}: address already in use. Stop the mirror that is there, or use another one: --listen 127.0.0.1:${port + 1}.\n`,
    ])
    taken.close()
  })

  test('an invalid variable, an unknown flag and an unknown command', async () => {
    expect(await refusal([], { DCSIM_SPEED: 'fast' })).toMatchObject({
      code: 2,
      err: 'DCSIM_SPEED: got "fast", expected a number from 0 (paused) to 100000\n',
    })
    expect(await refusal(['--speedd', '3'])).toMatchObject({
      code: 2,
      err: 'unknown option "--speedd"; did you mean --speed?\n',
    })
    const unknown = await refusal(['medium'])
    expect(unknown.code).toBe(2)
    expect(unknown.err).toMatch(
      /^unknown command "medium"; expected one of serve, history, record, status, act, (?:[a-z-]+, )+[a-z-]+; --help says what they do\n$/,
    )
  })

  test('an unknown scenario, and an invalid one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dcsim-'))
    const file = join(folder, 'storm.json')
    writeFileSync(file, '{\n  "name": 5\n}\n')
    const missing = await refusal(['--scenario', join(folder, 'none.json')])
    const faulty = await refusal([], { DCSIM_SCENARIO: file })
    const step = '{ "at": "1h", "do": "HostFailur", "target": { "kind": "Host" } }'
    const texts = '"name": "a", "title": "A", "description": "A."'
    writeFileSync(file, `{ ${texts}, "steps": [${Array.from({ length: 8 }, () => `\n${step}`).join(',')}] }`)
    const several = await refusal(['--scenario', file])
    rmSync(folder, { recursive: true })
    expect(several.err).toBe(
      `--scenario: ${file}, line 2, column 21: unknown action "HostFailur"; did you mean "HostFailure"? ` +
        '(mistakes also in lines 3, 4, 5, 6, 7, and 2 more)\n',
    )
    expect(missing.code).toBe(2)
    expect(missing.err).toMatch(
      /^--scenario: unknown scenario ".*none\.json": no such file, and --list-scenarios does not list it\n$/,
    )
    expect(faulty.code).toBe(2)
    expect(faulty.err).toMatch(/^DCSIM_SCENARIO: .*storm\.json, line 2, column 11: .*\n$/)
  })

  test('an unknown collector', async () => {
    const { code, err } = await refusal(['--collectors', 'nonsense'])
    expect([code, err.split(';')[0]]).toEqual([2, '--collectors: there is no collector "nonsense"'])
  })
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
