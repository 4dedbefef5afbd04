import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from './run.ts'
import type { Run } from './run.ts'

const quick = ['--listen', '127.0.0.1:0', '--scale', 'small', '--warmup', '10m']
const npmStart = ['npm', 'start', '--']

const folder = mkdtempSync(join(tmpdir(), 'dcsim-ending-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Waits until somebody answers, or nobody does any more. */
async function answers(origin: string, expected: boolean): Promise<void> {
  const isReached = () =>
    fetch(`${origin}/health`).then(
      () => true,
      () => false,
    )
  await expect.poll(isReached, { timeout: 5_000 }).toBe(expected)
}

const ready = async (service: Run): Promise<string> => {
  const origin = await service.origin()
  await service.says(/Ready after/)
  return origin
}

test('a Ctrl-C at npm start, which the terminal sends to all that run there, ends it gracefully', async () => {
  const service = run(quick, {}, npmStart)
  const origin = await ready(service)
  process.kill(-service.child.pid!, 'SIGINT')
  await service.ended
  expect(service.out).toContain('Ending, as SIGINT asked.\n')
  await answers(origin, false)
})

test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('%s that npm alone gets ends it too', async (signal) => {
  const service = run(quick, {}, npmStart)
  const origin = await ready(service)
  // Its outputs are closed once the last process that holds them has ended.
  const { ms } = await service.end(signal)
  expect(ms).toBeLessThan(3_000)
  expect(service.out).toMatch(/\nEnding, as (npm has ended|SIGTERM asked)\.\n/)
  await answers(origin, false)
})

test('SIGHUP ends it gracefully', async () => {
  const service = run(quick)
  await ready(service)
  expect((await service.end('SIGHUP')).code).toBe(0)
  expect(service.out).toContain('Ending, as SIGHUP asked.\n')
})

test('a Ctrl-C that comes from the terminal and once more from npm is one request', async () => {
  const service = run(quick)
  await ready(service)
  const ended = service.end('SIGINT')
  await new Promise((resolve) => setTimeout(resolve, 3))
  service.child.kill('SIGINT')
  expect((await ended).code).toBe(0)
})

/** Whether the process hears signals of which Node itself takes no notice. */
const isHeard = (pid: number): boolean => {
  const [, caught] = /^SigCgt:\s+(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return (BigInt(`0x${caught}`) & (1n << BigInt(constants.signals.SIGHUP - 1))) !== 0n
}

test.skipIf(process.platform !== 'linux')('it ends gracefully while its parts are being loaded', async () => {
  const service = run(quick)
  while (!isHeard(service.child.pid!)) await new Promise((resolve) => setTimeout(resolve, 2))
  const { code } = await service.end('SIGTERM')
  expect(code).toBe(0)
  expect(service.out).toMatch(/(^|\n)Ending, as SIGTERM asked\.\n$/)
  expect(service.out).not.toContain('Ready')
})

test('it goes on serving when nobody reads what it says', async () => {
  const service = run([...quick, '--log-level', 'debug', '--cadence-ms', '50'])
  const origin = await ready(service)
  service.child.stdout!.destroy()
  service.child.stderr!.destroy()
  const seq = async () =>
    ((await (await fetch(`${origin}/health`)).json()) as { publish_seq: number }).publish_seq
  const before = await seq()
  await expect.poll(seq, { timeout: 5_000 }).toBeGreaterThan(before + 3)
  expect(service.child.exitCode).toBeNull()
  expect((await service.end('SIGTERM')).code).toBe(0)
})

test('a recording goes on when nobody reads what is told of it', async () => {
  const file = join(folder, 'unread.rec')
  const recording = run([
    'record',
    '--out',
    file,
    '--for',
    '3s',
    '--log-level',
    'debug',
    '--scale',
    'small',
    '--warmup',
    '10m',
  ])
  await recording.says(/Frame 1/)
  recording.child.stdout!.destroy()
  recording.child.stderr!.destroy()
  expect((await recording.ended)[0]).toBe(0)
  const inspection = run(['inspect', file, '--frames', 'check'])
  await inspection.ended
  expect(inspection.out).toMatch(/ frames {5}[345], /)
})
