import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from './run.ts'
import type { Run } from './run.ts'
import { promptlyMs } from '../fixtures/promptly.ts'

const quick = ['--listen', '127.0.0.1:0', '--scale', 'small', '--warmup', '10m']
const npmStart = ['npm', 'start', '--']

const folder = mkdtempSync(join(tmpdir(), 'dcsim-shutdown-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Waits until the service is reachable, or no longer is. */
async function expectReachable(origin: string, expected: boolean): Promise<void> {
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

test('Ctrl-C at npm start, which the terminal sends to the process group, shuts it down gracefully', async () => {
  const service = run(quick, {}, npmStart)
  const origin = await ready(service)
  process.kill(-service.child.pid!, 'SIGINT')
  await service.ended
  expect(service.out).toContain('Shutting down: received SIGINT.\n')
  await expectReachable(origin, false)
})

test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('%s to npm alone shuts it down, too', async (signal) => {
  const service = run(quick, {}, npmStart)
  const origin = await ready(service)
  // The output ends when the last process that has it open has exited.
  const { ms } = await service.end(signal)
  expect(ms).toBeLessThan(promptlyMs)
  expect(service.out).toMatch(/\nShutting down: (npm exited|received SIGTERM)\.\n/)
  await expectReachable(origin, false)
})

test('SIGHUP shuts it down gracefully', async () => {
  const service = run(quick)
  await ready(service)
  expect((await service.end('SIGHUP')).code).toBe(0)
  expect(service.out).toContain('Shutting down: received SIGHUP.\n')
})

test('SIGUSR1 opens no inspector, and changes nothing', async () => {
  const service = run(quick)
  const origin = await ready(service)
  service.child.kill('SIGUSR1')
  // Node would say where it listens before it answers a request that comes later.
  for (let asked = 0; asked < 20; asked++) await expectReachable(origin, true)
  expect(service.err).not.toContain('Debugger')
  expect((await service.end('SIGTERM')).code).toBe(0)
})

test('a Ctrl-C from the terminal that npm forwards once more is one request', async () => {
  const service = run(quick)
  await ready(service)
  const ended = service.end('SIGINT')
  await new Promise((resolve) => setTimeout(resolve, 3))
  service.child.kill('SIGINT')
  expect((await ended).code).toBe(0)
})

/** Whether the process handles a signal that Node itself does not handle. */
const handlesSighup = (pid: number): boolean => {
  const [, caught] = /^SigCgt:\s+(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return (BigInt(`0x${caught}`) & (1n << BigInt(constants.signals.SIGHUP - 1))) !== 0n
}

test.skipIf(process.platform !== 'linux')(
  'it shuts down gracefully while its modules are loading',
  async () => {
    const service = run(quick)
    while (!handlesSighup(service.child.pid!)) await new Promise((resolve) => setTimeout(resolve, 2))
    const { code } = await service.end('SIGTERM')
    expect(code).toBe(0)
    expect(service.out).toMatch(/(^|\n)Shutting down: received SIGTERM\.\n$/)
    expect(service.out).not.toContain('Ready')
  },
)

test('a thread that waits for the operating system does not delay the exit', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const blocked = run([pipe], {}, [process.execPath, 'test/commands/blocked-thread.ts'])
  await blocked.says(/blocked/)
  const { ms } = await blocked.end('SIGTERM')
  expect(blocked.out).toContain('released\n')
  expect(ms).toBeLessThan(promptlyMs)
})

test('it keeps serving when its output is closed', async () => {
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

test('recording continues when its output is closed', async () => {
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
  const inspection = run(['inspect', file])
  await inspection.ended
  expect(inspection.out).toMatch(/; [345] frames in /)
})
