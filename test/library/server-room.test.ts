/** The example of a world of one's own: checked, mirrored, and shown. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../commands/run.ts'
import { MirrorProcess } from '../fixtures/mirror-process.ts'

const library = new URL('../../src/library.ts', import.meta.url)
const example = readFileSync(
  fileURLToPath(new URL('../../docs/examples/server-room.ts', import.meta.url)),
  'utf8',
)
const folder = mkdtempSync(join(tmpdir(), 'dcsim-example-'))
const path = join(folder, 'server-room.ts')
writeFileSync(path, example.replaceAll("'dcsim-mirror'", `'${library.href}'`))
/** In real time, so that the host is still down whenever it is looked at. */
const room = spawn(process.execPath, [path, '0', '1'], { stdio: ['ignore', 'pipe', 'inherit'] })

let origin = ''
beforeAll(async () => {
  for await (const piece of room.stdout) {
    origin = /is at (\S+)/.exec(String(piece))![1]!
    break
  }
})
afterAll(() => {
  room.kill()
  rmSync(folder, { recursive: true })
})

test('takes at most a hundred lines', () => {
  expect(example.split('\n').length).toBeLessThanOrEqual(101)
})

test('conforms to the contract', async () => {
  const check = run(['check', origin])
  const [code] = await check.ended
  expect([code, check.err]).toEqual([0, ''])
  expect(check.out).toContain('/api/v1/hosts: 8 records, conforms\n')
  expect(check.out).not.toContain('differs')
  expect(check.out).toContain(`A mirror shows this world: dcsim-mirror --source ${origin}\n`)
})

test('is mirrored, in tables, a picture and the series of dashboards', async () => {
  const mirror = await MirrorProcess.start(['--source', origin])
  const hosts = JSON.parse(await mirror.text('/tables/hosts')) as Record<string, unknown>[]
  expect(hosts.map(({ host }) => host)).toContain('room-8')
  const incidents = JSON.parse(await mirror.text('/tables/incidents')) as Record<string, unknown>[]
  expect(incidents).toMatchObject([
    { band: 'Minor', state: 'active', symptom: 'Host room-1 in rack A-1 does not respond.' },
  ])
  expect(await mirror.text('/pictures/floor.svg')).toMatch(/Rack A-1[^<]*3 of 4 hosts online/)
  expect(await mirror.metric('dcsim_host_online')).toBe(7)
  expect(await mirror.metric('dcsim_host_online', 'host="1"')).toBe(0)
  await mirror.stop()
})
