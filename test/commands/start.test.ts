import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from './run.ts'
import { promptlyMs } from '../fixtures/promptly.ts'

const quick = ['--listen', '127.0.0.1:0', '--scale', 'small', '--warmup', '1h']

const health = async (origin: string) => (await (await fetch(`${origin}/health`)).json()) as object

test('it logs its address, its source, its progress and when it is ready, and then serves', async () => {
  const beganMs = performance.now()
  const service = run(quick, { DCSIM_SEED: '7' })
  const origin = await service.origin()
  await service.says(/It mirrors the built-in simulation: scale small, seed 7, speed 12\./)
  await service.says(/Waiting for the first snapshot\./)
  const ready = new RegExp(`Ready after ([0-9.]+) s\\. Browser: ${origin}/  Prometheus: ${origin}/metrics`)
  await service.says(ready)
  const tookSeconds = (performance.now() - beganMs) / 1_000
  // Most of it passes before the mirror listens.
  const saidSeconds = Number(ready.exec(service.out)![1])
  expect(saidSeconds).toBeGreaterThan(tookSeconds / 2)
  expect(saidSeconds).toBeLessThan(tookSeconds + 0.1)
  expect(await health(origin)).toMatchObject({ status: 'ok', world_ready: true, reason: '' })
  const hosts = (await (await fetch(`${origin}/api/v1/hosts`)).json()) as { total: number }
  expect(hosts.total).toBe(24)
  expect(await (await fetch(`${origin}/metrics`)).text()).toMatch(/^dcsim_mirror_world_ready 1$/m)
  const { code, ms } = await service.end('SIGTERM')
  expect([code, service.err]).toEqual([0, ''])
  expect(ms).toBeLessThan(promptlyMs)
})

test('while a world warms up, a browser sees how far it is, and programs that nothing is published', async () => {
  const service = run([...quick.slice(0, -1), '300d', '--cache', 'none'])
  const origin = await service.origin()
  const page = () => fetch(origin, { headers: { accept: 'text/html' } })
  await expect
    .poll(async () => (await page()).text(), { timeout: promptlyMs, interval: 300 })
    .toMatch(/<p role="status">The world is warming up: \d+ %.*<progress max="100" value="\d+">/s)
  expect((await page()).status).toBe(503)
  expect((await fetch(`${origin}/pictures/floor.svg`)).status).toBe(503)
  expect(await health(origin)).toMatchObject({ status: 'starting', world_ready: false, publish_seq: 0 })
  expect(await (await fetch(`${origin}/metrics`)).text()).not.toContain('dcsim_host')
  await service.end('SIGTERM')
})

test('it refuses an invalid flag in one line', async () => {
  const refused = run(['--scale', 'huge'])
  const [code] = await refused.ended
  expect([code, refused.out]).toEqual([2, ''])
  expect(refused.err).toBe(
    '--scale: got "huge", expected small, medium, large or a number of hosts from 1 to 50000\n',
  )
})

test('compiled code is kept for the next start, unless Node was told where', async () => {
  const caches = mkdtempSync(join(tmpdir(), 'caches-'))
  onTestFinished(() => rmSync(caches, { recursive: true }))
  const environment = { XDG_CACHE_HOME: caches, NODE_COMPILE_CACHE: join(caches, 'told') }
  expect(await run(['--list-scenarios'], environment).ended).toEqual([0, null])
  expect(readdirSync(caches)).toEqual(['told'])
  expect(await run(['--list-scenarios'], { ...environment, NODE_COMPILE_CACHE: '' }).ended).toEqual([0, null])
  expect(readdirSync(join(caches, 'dcsim-mirror/compiled'))).not.toEqual([])
})
