import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runInspect } from '../../src/commands/inspect.ts'
import { runRecord } from '../../src/commands/record.ts'
import { Reporter } from '../../src/commands/reporter.ts'
import { runServe, serve } from '../../src/commands/serve.ts'
import { chooseMirrored } from '../../src/commands/world-choice.ts'
import { OptionError, readCommand } from '../../src/options/read.ts'
import type { Told } from '../../src/options/read.ts'
import { literalSnapshot } from '../literal-world.ts'
import { MemorySession } from '../recording/recorded.ts'
import { Run, run } from './run.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const world = ['--scale', 'small', '--seed', '9', '--warmup', '10m']

const folder = mkdtempSync(join(tmpdir(), 'dcsim-record-'))
const session = join(folder, 'session.rec')
/** Two sessions, of which the second is of an earlier time. */
const sessions = join(folder, 'sessions.rec')
let recorded: Run

const atMinute = (minute: number) => literalSnapshot({}, { simTimeNs: BigInt(minute) * 60_000_000_000n })

beforeAll(async () => {
  const first = new MemorySession().record(atMinute(6000)).record(atMinute(6001))
  const second = new MemorySession({ bytes: first.bytes, blocks: 3 }).record(atMinute(2)).record(atMinute(3))
  writeFileSync(sessions, second.bytes)
  recorded = new Run(['record', '--out', session, '--for', '4s', ...world])
  await recorded.ended
})

afterAll(() => rmSync(folder, { recursive: true }))

const finished = async (words: readonly string[]) => {
  const command = run(words)
  const [code] = await command.ended
  return { code, out: command.out, err: command.err }
}

test('record tells what it records, how far it is and what it came to', () => {
  expect(recorded.child.exitCode).toBe(0)
  expect(recorded.err).toBe('')
  expect(recorded.out).toMatch(
    /^Recording to \S+\/session\.rec, from the built-in simulation: scale small, seed 9, 60 simulated seconds a second\.$/m,
  )
  expect(recorded.out).toMatch(/^Recording: 1 frame, 0s of simulated time in 0s, [\d.]+ kB\.$/m)
  expect(recorded.out).toMatch(
    /^Recorded to \S+\/session\.rec: \d+ frames, [345]m( \d+s)? of simulated time in [45]s, [\d.]+ kB\.\n$/m,
  )
})

test('inspect tells what is inside', async () => {
  const { code, out, err } = await finished(['inspect', session])
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/session\.rec: [\d.]+ kB, sound\n/)
  expect(out).toMatch(/ session {4}the built-in simulation: scale small, seed 9, .* a frame every 1 s\n/)
  expect(out).toMatch(/ simulated {2}day 0, 00:10:\d\d to day 0, 00:1[345]:\d\d: [345]m( \d+s)?\n/)
  expect(out).toMatch(/ frames {5}\d+, 1 of them whole; publishes 1 to \d+\n/)
  expect(out).toMatch(/ events {5}\d+, none missing\n/)
  expect(out).toMatch(/ {4}hosts +24 +[\d.]+ kB +[\d.]+ %\n/)
})

test('inspect tells of an empty file that it is', async () => {
  const path = join(folder, 'empty.rec')
  writeFileSync(path, '')
  expect(await finished(['inspect', path])).toEqual({
    code: 0,
    out: `${path}: empty, nothing is recorded there\n`,
    err: '',
  })
})

test('inspect tells each session for itself, and where it begins', async () => {
  const { out } = await finished(['inspect', sessions])
  const lines = out.split('\n').filter((line) => /^ {2}(?:session|simulated|frames|in all)/.test(line))
  const told = '  session    a test; begun 2026-11-21 00:00:00 UTC by dcsim-mirror 0.0.0, a frame every 1 s'
  expect(lines).toEqual([
    told,
    '  simulated  day 4, 04:00:00 to day 4, 04:01:00: 1m',
    '  frames     2, 1 of them whole; publishes 1 to 2',
    told,
    '  simulated  day 0, 00:02:00 to day 0, 00:03:00: 1m; --from 61s',
    '  frames     2, 1 of them whole; publishes 1 to 2',
    '  in all     4 frames, 2m of simulated time in 2s',
  ])
})

test('a recording is served as if it were live, and again in a loop', async () => {
  const service = run([
    '--source',
    session,
    '--loop',
    'yes',
    '--speed',
    '240',
    '--listen',
    '127.0.0.1:0',
    '--cadence-ms',
    '200',
  ])
  const origin = await service.origin()
  await service.says(
    /It mirrors the recording \S+session\.rec, 240 simulated seconds a second, again and again\./,
  )
  await service.says(/Ready after/)
  const get = async (path: string) =>
    (await fetch(`${origin}${path}`)).json() as Promise<Record<string, unknown>>
  expect((await get('/api/v1/hosts'))['total']).toBe(24)
  expect((await get('/api/v1/diagnostics'))['counts']).toMatchObject({ hosts: 24 })
  expect(await (await fetch(`${origin}/metrics`)).text()).toMatch(
    /^dcsim_gateway_powered\{gateway="1",az="1"\} 1$/m,
  )
  const seen: { publish_seq: number; sim_time_ns: number }[] = []
  let fellBack = false
  while (!fellBack) {
    const { meta } = (await get('/health')) as { meta: { publish_seq: number; sim_time_ns: number } }
    const last = seen.at(-1)
    expect(meta.publish_seq).toBeGreaterThanOrEqual(last?.publish_seq ?? 1)
    fellBack = last !== undefined && meta.sim_time_ns < last.sim_time_ns
    seen.push(meta)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(await get('/health')).toMatchObject({ status: 'ok', reason: '' })
  expect(await get('/api/v1/metrics/paths?prefix=fleet/hosts_online/')).toMatchObject({ total_paths: 4 })
})

test('at its end it stands still, and says why', async () => {
  const service = run([
    '--source',
    session,
    '--speed',
    '1000',
    '--listen',
    '127.0.0.1:0',
    '--cadence-ms',
    '100',
  ])
  const origin = await service.origin()
  const health = async () => (await (await fetch(`${origin}/health`)).json()) as Record<string, string>
  while ((await health())['status'] !== 'stale') await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await health())['reason']).toBe(
    'The replay has come to its end at simulated hour 0. Start it again, or replay it with --loop yes.',
  )
  expect((await fetch(`${origin}/api/v1/hosts`)).status).toBe(200)
})

test('a recording is added to when asked, from a recording as well, and ends when that does', async () => {
  const copy = join(folder, 'copy.rec')
  writeFileSync(copy, readFileSync(session))
  const { code, out } = await finished([
    'record',
    '--out',
    copy,
    '--append',
    'yes',
    '--source',
    session,
    '--speed',
    '1000',
  ])
  expect(code).toBe(0)
  expect(out).toMatch(/^Recorded to \S+copy\.rec: \d+ frames?, /m)
  const { out: told } = await finished(['inspect', copy, '--frames', 'check'])
  expect(told.match(/^ {2}session /gm)).toHaveLength(2)
  expect(told).toMatch(/ session {4}the recording \S+session\.rec, 1000 simulated seconds a second;/)
})

test.each(['SIGTERM', 'SIGKILL'] as const)('what was recorded before a %s can be read', async (signal) => {
  const path = join(folder, `${signal}.rec`)
  const recorder = run(['record', '--out', path, '--log-level', 'debug', ...world])
  await recorder.says(/Frame 2: delta/)
  const { code } = await recorder.end(signal)
  expect(code).toBe(signal === 'SIGKILL' ? null : 0)
  const { out } = await finished(['inspect', path, '--frames', 'check'])
  const frames = Number(/ frames {5}(\d+),/.exec(out)![1])
  expect(frames).toBeGreaterThanOrEqual(recorder.out.match(/^Frame /gm)!.length)
})

test('a server that never answers is waited for no longer than was to be recorded, and leaves no file', async () => {
  const path = join(folder, 'nobody.rec')
  const words = ['record', '--for', '2s', '--out', path, '--source', 'http://127.0.0.1:1']
  const { code, out, err } = await finished(words)
  expect(code).toBe(1)
  expect(err).toMatch(
    /^No frame came in 2s\. The answer to http:\/\/127\.0\.0\.1:1\/health cannot come: .+\.$/m,
  )
  expect(out).toMatch(/^Nothing was recorded to \S+nobody\.rec\.$/m)
  expect(existsSync(path)).toBe(false)
})

test('a session that is ended before its first frame adds nothing to a file', async () => {
  const path = join(folder, 'unchanged.rec')
  writeFileSync(path, readFileSync(session))
  const words = ['record', '--append', 'yes', '--out', path, '--source', 'http://127.0.0.1:1']
  const recorder = run(words)
  await recorder.says(/^Recording to /m)
  expect(await recorder.end('SIGINT')).toMatchObject({ code: 0 })
  expect(readFileSync(path)).toEqual(readFileSync(session))
})

test('a file with no room left ends the recording with one line, and keeps what was written', async () => {
  const path = join(folder, 'full.rec')
  const command = `ulimit -f 26; exec "${process.execPath}" "${main}" record --out "${path}" ${world.join(' ')}`
  const { status, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8', timeout: 60_000 })
  expect(status).toBe(1)
  expect(stderr).toBe(
    `Cannot write to ${path}: the file would become too large. It holds what was recorded before.\n`,
  )
  const { code, out } = await finished(['inspect', path, '--frames', 'check'])
  expect([code, /, sound\n/.test(out)]).toEqual([0, true])
})

test('a damaged recording is refused, or read up to the damage', async () => {
  const path = join(folder, 'damaged.rec')
  const bytes = readFileSync(session)
  bytes[bytes.length - 1] ^= 0xff
  writeFileSync(path, bytes)
  const where = `${path} is damaged at byte \\d+: content with the checksum 0x\\w{8} where 0x\\w{8} was written`
  await expect(runServe(['--source', path], {})).rejects.toThrow(
    new RegExp(`^--source: ${where}\\. \\d frames before it are sound\\. Show those with --damaged read\\.$`),
  )
  const told = readCommand(serve, ['--source', path, '--damaged', 'read'], {}) as Told<typeof serve.settings>
  expect(chooseMirrored(told, new Reporter('quiet'))).toMatchObject({ kind: 'recording', file: path })
  const { code, out, err } = await finished(['inspect', path])
  expect(code).toBe(1)
  expect(out).toMatch(/damaged\.rec: [\d.]+ kB, damaged\n/)
  expect(err).toMatch(new RegExp(`^${where}\\. \\d frames before it are sound\\.\n$`))
})

test.each<[string, () => Promise<void>, string]>([
  [
    'a file that is there',
    () => runRecord(['--out', session], {}),
    `Cannot record to ${session}: it is there already. Name another one, or add to it with --append yes.`,
  ],
  [
    'a folder that is not',
    () => runRecord(['--out', '/nowhere/x.rec'], {}),
    'Cannot record to /nowhere/x.rec: there is no such folder.',
  ],
  ['no file', () => runRecord([], {}), '--out is missing; expected the name of a file.'],
  [
    'nothing to add to',
    () => runRecord(['--out', '/nowhere/x.rec', '--append', 'yes'], {}),
    'Cannot read /nowhere/x.rec: there is no such file.',
  ],
  [
    'a source that is none',
    () => runServe(['--source', 'simulatoin'], {}),
    '--source: got "simulatoin", expected simulation, a server such as http://127.0.0.1:9741, or the file of a ' +
      'recording. Cannot read simulatoin: there is no such file.',
  ],
  [
    'a source that is none, named by its variable',
    () => runServe([], { DCSIM_SOURCE: '/none' }),
    'DCSIM_SOURCE: got "/none", expected simulation, a server such as http://127.0.0.1:9741, or the file of a ' +
      'recording. Cannot read /none: there is no such file.',
  ],
  [
    'an end before the beginning',
    () => runServe(['--source', sessions, '--from', '2m', '--until', '1m'], {}),
    '--until: got "1m", expected 2m 1s or more, as --from is 2m.',
  ],
  [
    'a beginning behind the end',
    () => runServe(['--source', sessions, '--from', '20h'], {}),
    `--from: got "20h", expected 0s to 2m 1s, the length of ${sessions}.`,
  ],
  [
    'what is no recording',
    () => runInspect([main], {}),
    `${main} is no recording that can be read: it does not begin with "dcsim-mirror recording 1".`,
  ],
])('%s is refused in one line', async (_, command, line) => {
  await expect(command()).rejects.toThrow(new OptionError(line))
})
