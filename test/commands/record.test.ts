import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runRecord } from '../../src/commands/record.ts'
import { Logger } from '../../src/command-line/logger.ts'
import { runServe, serveCommand } from '../../src/commands/serve.ts'
import { resolveSource } from '../../src/command-line/select-source.ts'
import { OptionError, parseCommand } from '../../src/options/parse-options.ts'
import type { ParsedCommand } from '../../src/options/parse-options.ts'
import { snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { fillWords } from '../../src/store/archive/word-index.ts'
import { openSession, ownSessionFile } from '../../src/store/session-file.ts'
import { RecordedSession, recordingOf } from '../recording/recorded.ts'
import { Run, run } from './run.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const world = ['--scale', 'small', '--seed', '9', '--warmup', '10m', '--speed', '60']

const folder = mkdtempSync(join(tmpdir(), 'dcsim-record-'))
const session = join(folder, 'session.dcsim')
/** Two sessions, the second from an earlier time. */
const sessions = join(folder, 'sessions.dcsim')
const withoutFrames = join(folder, 'happened.dcsim')
const notRecording = join(folder, 'notes.txt')
let recorded: Run

const atMinute = (minute: number) => snapshotWith({}, { simTimeNs: BigInt(minute) * 60_000_000_000n })

/** Makes a file, or opens it, and writes to it. */
function written(path: string, write: (database: DatabaseSync) => void): void {
  const { release } = ownSessionFile(path, fillWords)
  const database = openSession(path)
  write(database)
  database.close()
  release()
}

const damage = (path: string, from: number): void =>
  written(path, (database) => database.exec(`UPDATE frame SET sum = sum - 1 WHERE number >= ${from}`))

beforeAll(async () => {
  writeFileSync(notRecording, 'notes\n')
  written(withoutFrames, () => {})
  written(sessions, (database) => {
    const first = new RecordedSession(database).record(atMinute(6000)).record(atMinute(6001))
    first.again().record(atMinute(2)).record(atMinute(3))
  })
  recorded = new Run(['record', '--out', session, '--for', '4s', ...world])
  await recorded.ended
})

afterAll(() => rmSync(folder, { recursive: true }))

const finished = async (words: readonly string[]) => {
  const command = run(words)
  const [code] = await command.ended
  return { code, out: command.out, err: command.err }
}

test('record prints its source, its progress and a summary', () => {
  expect(recorded.child.exitCode).toBe(0)
  expect(recorded.err).toBe('')
  expect(recorded.out).toMatch(
    /^Recording to \S+\/session\.dcsim from the built-in simulation: scale small, seed 9, speed 60\.$/m,
  )
  expect(recorded.out).toMatch(/^Recording: 1 frame, 0s of simulated time in 0s, [\d.]+ kB\.$/m)
  expect(recorded.out).toMatch(
    /^Recorded to \S+\/session\.dcsim: \d+ frames, [345]m( \d+s)? of simulated time in [45]s, [\d.]+ kB\.\n$/m,
  )
})

test('inspect prints the content of a recording', async () => {
  const { code, out, err } = await finished(['inspect', session])
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/session\.dcsim: [\d.]+ kB, sound\n/)
  expect(out).toMatch(
    / recording {2}the built-in simulation: scale small, seed 9, .*; \d+ frames in \d+s from \d{4}-\S+ \S+ UTC; day 0, 00:10:\d\d to day 0, 00:1[345]:\d\d: [345]m( \d+s)?\n$/,
  )
})

test('inspect prints each session with the flag that starts a replay there', async () => {
  const { out } = await finished(['inspect', sessions])
  const times = 'a test; 2 frames in 1s from 2027-01-15 08:00:00 UTC'
  expect(out.match(/^ {2}recording .*$/gm)).toEqual([
    `  recording  ${times}; day 4, 04:00:00 to day 4, 04:01:00: 1m`,
    `  recording  ${times}; day 0, 00:02:00 to day 0, 00:03:00: 1m; --from 61s`,
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
  await service.says(/It mirrors the recording \S+session\.dcsim, at speed 240, in a loop\./)
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

test('a replay can be added to a recording, and recording ends with it', async () => {
  const copy = join(folder, 'copy.dcsim')
  writeFileSync(copy, readFileSync(session))
  const { code, out } = await finished(['record', '--out', copy, '--source', session, '--speed', '1000'])
  expect(code).toBe(0)
  expect(out).toMatch(/^Recorded to \S+copy\.dcsim: \d+ frames?, /m)
  const { out: report } = await finished(['inspect', copy])
  expect(report.match(/^ {2}recording /gm)).toHaveLength(2)
  expect(report).toMatch(/ recording {2}the recording \S+session\.dcsim, at speed 1000;/)
})

test.each(['SIGTERM', 'SIGKILL'] as const)('frames recorded before a %s can be read', async (signal) => {
  const path = join(folder, `${signal}.dcsim`)
  const recorder = run(['record', '--out', path, '--log-level', 'debug', ...world])
  await recorder.says(/Frame 2: delta/)
  const { code } = await recorder.end(signal)
  expect(code).toBe(signal === 'SIGKILL' ? null : 0)
  const { out } = await finished(['inspect', path])
  const frames = Number(/; (\d+) frames? in /.exec(out)![1])
  expect(frames).toBeGreaterThanOrEqual(recorder.out.match(/^Frame /gm)!.length)
})

test('an upstream that never answers ends a recording with --for, and leaves no file', async () => {
  const path = join(folder, 'unreachable.dcsim')
  const words = ['record', '--for', '5s', '--out', path, '--source', 'http://127.0.0.1:1']
  const { code, out, err } = await finished(words)
  expect(code).toBe(1)
  expect(err).toMatch(
    /^No frame within 5s\. The response to http:\/\/127\.0\.0\.1:1\/health did not arrive: .+$/m,
  )
  expect(out).toMatch(/^Nothing was recorded to \S+unreachable\.dcsim\.$/m)
  expect(existsSync(path)).toBe(false)
})

test('a session that is ended before its first frame adds nothing to a file', async () => {
  const path = join(folder, 'unchanged.dcsim')
  writeFileSync(path, readFileSync(session))
  const { out: before } = await finished(['inspect', path])
  const words = ['record', '--out', path, '--source', 'http://127.0.0.1:1']
  const recorder = run(words)
  await recorder.says(/^Recording to /m)
  expect(await recorder.end('SIGINT')).toMatchObject({ code: 0 })
  expect((await finished(['inspect', path])).out).toBe(before)
})

test('a full disk ends the recording with one line, and the written frames remain', async () => {
  const path = join(folder, 'full.dcsim')
  const command = `ulimit -f 400; exec "${process.execPath}" "${main}" record --out "${path}" ${world.join(' ')}`
  const { status, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8', timeout: 60_000 })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^Cannot write to \S+full\.dcsim: [^\n]+\. What was recorded before is kept\.\n$/)
  const { code, out } = await finished(['inspect', path])
  expect([code, /, sound\n/.test(out)]).toEqual([0, true])
})

test('of a damaged recording the frames are replayed that can be read', async () => {
  const path = join(folder, 'damaged.dcsim')
  writeFileSync(path, readFileSync(sessions))
  damage(path, 2)
  const command = parseCommand(serveCommand, ['--source', path], {}) as ParsedCommand<
    typeof serveCommand.settings
  >
  expect(resolveSource(command, new Logger({ level: 'quiet' }))).toMatchObject({
    kind: 'recording',
    file: path,
  })
  const { code, out, err } = await finished(['inspect', path])
  expect(code).toBe(1)
  expect(out).toMatch(/damaged\.dcsim: [\d.]+ kB, damaged\n/)
  expect(err).toBe(`${path} is damaged. 2 rows of the table frame cannot be read.\n`)
})

test.each<[string, string[], string]>([
  [
    'an output that is not of this program',
    ['record', '--out', notRecording],
    `${notRecording} is a file that begins with "notes\\n", expected a file of this program or a new one.`,
  ],
  ['a file that does not exist', ['inspect', '/nowhere'], '/nowhere does not exist.'],
  [
    'a device',
    ['inspect', '/dev/zero'],
    '/dev/zero is a device, expected a file of this program or a new one.',
  ],
])('%s fails with exit code 1 and one line', async (_, words, line) => {
  expect(await finished(words)).toEqual({ code: 1, out: '', err: `${line}\n` })
  expect(existsSync(`${words[words.indexOf('--out') + 1]}.lock`)).toBe(false)
})

test('inspect prints wall times that no calendar has, and texts with control characters', async () => {
  const path = join(folder, 'strange.dcsim')
  const description = { ...recordingOf('\u001b[2J\nSession'), beganMs: 9e15 }
  written(path, (database) => {
    new RecordedSession(database, { description, startMs: 9e15 }).record(atMinute(0))
  })
  const { code, out, err } = await finished(['inspect', path])
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain(
    '\n  recording  \\u001b[2J\\u000aSession; 1 frame in 0s from an unknown time; day 0, 00:00:00 to day 0, 00:00:00: 0s\n',
  )
})

test.each<[string, () => Promise<void>, string]>([
  ['no file', () => runRecord([], {}), '--out is required: expected the name of a file'],
  [
    'a source that is none',
    () => runServe(['--source', 'simulatoin'], {}),
    '--source: got "simulatoin", expected simulation, a URL such as http://127.0.0.1:9741, a JSON file such as world.json, or the file of a ' +
      'recorded session; simulatoin does not exist',
  ],
  [
    'a source that is none, named by its variable',
    () => runServe([], { DCSIM_SOURCE: '/none' }),
    'DCSIM_SOURCE: got "/none", expected simulation, a URL such as http://127.0.0.1:9741, a JSON file such as world.json, or the file of a ' +
      'recorded session; /none does not exist',
  ],
  [
    'a session without frames',
    () => runServe(['--source', withoutFrames], {}),
    `--source: ${withoutFrames} has no frames to replay, which \`record --out FILE\` writes; --session-file ${withoutFrames} ` +
      `continues its world, and \`chronicle ${withoutFrames}\` prints what happened`,
  ],
  [
    'an end before the beginning',
    () => runServe(['--source', sessions, '--from', '2m', '--until', '1m'], {}),
    '--until: got "1m", expected 2m 1s or more, as --from is 2m',
  ],
  [
    'a beginning behind the end',
    () => runServe(['--source', sessions, '--from', '20h'], {}),
    `--from: got "20h", expected 0s to 2m 1s, the length of ${sessions}`,
  ],
])('%s is refused in one line', async (_, command, line) => {
  await expect(command()).rejects.toThrow(new OptionError(line))
})
