import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { actionRules } from '../../src/world/simulation/scenarios/scenario.ts'
import { setFault } from '../../src/store/game-day-rows.ts'
import { answersAt, truthAt } from '../../src/practice/commands/read-session.ts'
import { openSession } from '../../src/store/session-file.ts'
import { newFile } from '../fixtures/session-file.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-act-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function answer(...words: string[]): Promise<{ code: unknown; out: string; err: string }> {
  const command = run(words)
  const [code] = await command.ended
  return { code, out: command.out, err: command.err }
}

describe('act', () => {
  const file = join(folder, 'actions.jsonl')

  test('appends a line, after one that was begun by hand', async () => {
    writeFileSync(file, '{"do":')
    const act = (...words: string[]) => answer('act', '--wait', '0s', '--actions', file, ...words)
    const { code, out } = await act('SwitchFailure core busiest for 30m')
    expect(code).toBe(0)
    expect(out).toContain(`Appended to ${file}: {"do":"SwitchFailure",`)
    await act('Repair', 'Switch', 'id', '3')
    expect(readFileSync(file, 'utf8').split('\n').slice(1)).toEqual([
      '{"do":"SwitchFailure","target":{"kind":"Switch","role":"core","pick":"busiest"},"for":"30m"}',
      '{"do":"Repair","target":{"kind":"Switch","id":3}}',
      '',
    ])
  })

  test.each([
    [['SwichFailure'], 2, 'unknown action "SwichFailure"; did you mean "SwitchFailure"?\n'],
    [[], 2, 'missing argument ACTION; --list lists them\n'],
  ])('refuses %s', async (words, code, err) => {
    expect(await answer('act', '--actions', file, ...words)).toEqual({ code, out: '', err })
  })

  test('says that a file cannot be written', async () => {
    const { code, err } = await answer('act', '--actions', join(folder, 'none/actions.jsonl'), 'HostFailure')
    expect(code).toBe(1)
    expect(err).toMatch(
      /^Cannot append to .*actions\.jsonl: .*\. Name the file that the mirror watches: --actions FILE\.\n$/,
    )
  })

  test('lists what there is', async () => {
    const { out } = await answer('act', '--list')
    for (const name of Object.keys(actionRules)) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'))
    expect(out).toMatch(/^  Switch +zone ID, edge aggregation core$/m)
  })
})

describe('act and a mirror that reads the file', () => {
  const file = join(folder, 'watched.jsonl')
  const act = (...words: string[]) => answer('act', '--actions', file, ...words)
  const mirror = (...flags: string[]) => run(['--scale', '8', '--listen', '127.0.0.1:0', ...flags])

  test('print what became of each action', async () => {
    const mirrored = mirror('--warmup', '1h', '--actions', file)
    await mirrored.says(/Ready/)
    const injected = await act('HostFailure id 1')
    expect(injected).toMatchObject({ code: 0, err: '' })
    expect(injected.out.split('\n')[1]).toMatch(
      /^\S*watched\.jsonl, line 1: injected HostFailure at \S+, at .*[ms] of the session \(.* of the world\)\.$/,
    )
    const none = await act('Repair Gateway')
    expect(none.code).toBe(1)
    expect(none.err).toMatch(/^\S*watched\.jsonl, line 2: Repair found no Gateway that fits, at /)
    const later = await act('FanFailure Host id 2 at 3h')
    expect(later).toMatchObject({ code: 0, err: '' })
    expect(later.out.split('\n')[1]).toBe(`${file}, line 3: FanFailure waits for 3h.`)
    const past = await act('FanFailure Host id 2 at 0s')
    expect(past.code).toBe(1)
    expect(past.err).toMatch(/^\S*watched\.jsonl, line 4, column 52: "at" is in the past: expected /)
    await mirrored.end('SIGKILL')
    expect(await act('--wait', '1s', 'HostFailure id 3')).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `No mirror reads ${file}: none answered, and the line stays without effect.`,
      ),
    })
  })

  test('strike one of two mirrors: the second one says that it does not read the file', async () => {
    const first = mirror('--warmup', '1h', '--actions', file)
    await first.says(/Ready/)
    const second = mirror('--warmup', '1h', '--actions', file)
    await second.says(/Ready/)
    expect(second.err).toMatch(/^Another mirror reads \S*watched\.jsonl: this one takes no actions\. /)
    expect((await act('HostFailure id 4')).code).toBe(0)
    await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')])
    expect(existsSync(`${file}-lock`)).toBe(false)
    // The line of before that has a time, at 0s, is carried out by the first one too.
    const answers = readFileSync(`${file}.answers`, 'utf8')
    expect(answers.match(/"line 6","state":"injected"/g)).toHaveLength(1)
  })

  test('meet in sessions/actions.jsonl of the folder in which both are started', async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    mkdirSync(join(home, 'sessions'))
    const main = [process.execPath, join(import.meta.dirname, '../../src/main.ts')]
    const there = ['sh', '-c', 'cd "$0" && exec "$@"', home, ...main]
    const flags = ['--scale', '8', '--warmup', '1h', '--listen', '127.0.0.1:0']
    const unset = { DCSIM_ACTIONS: '' }
    const mirrored = run(flags, unset, there)
    await mirrored.says(/Ready/)
    const command = run(['act', 'HostFailure id 1'], unset, there)
    const [code] = await command.ended
    expect(code).toBe(0)
    expect(command.out).toMatch(/^sessions\/actions\.jsonl, line 1: injected HostFailure at /m)
    await mirrored.end('SIGKILL')
  })

  test('say that the world warms up, or is paused', async () => {
    const warming = mirror('--warmup', '300d', '--actions', file)
    await warming.says(/\d %/)
    expect((await act('--wait', '3s', 'HostFailure id 1')).out).toMatch(/waits, as the world warms up\.\n$/)
    await warming.end('SIGKILL')
    const paused = mirror('--warmup', '1h', '--speed', '0', '--actions', file)
    await paused.says(/Ready/)
    expect((await act('--wait', '3s', 'HostFailure id 1')).out).toMatch(
      /waits, as the world is paused \(--speed 0\)\.\n$/,
    )
  })
})

describe('report', () => {
  test.each([
    [
      ['none.dcsim', '--prometheus', 'http://127.0.0.1:1'],
      /^FILE: cannot read "none\.dcsim": none\.dcsim does not exist\n$/,
    ],
    [['none.dcsim'], /^--prometheus is required: expected an http or https address, such as /],
    [
      ['none.dcsim', '--prometheus', 'prometheus'],
      /^--prometheus: got "prometheus", expected an http or https address, such as/,
    ],
    [
      ['none.dcsim', '--prometheus', 'http://127.0.0.1:1', '--alerts', '('],
      /^--alerts: got "\(", expected a regular expression/,
    ],
  ])('refuses %s', async (words, message) => {
    const { code, err } = await answer('report', ...words)
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  test('names the row of a truth that is none, and a file without truth', async () => {
    const file = newFile(join(folder, 'truth.dcsim'))
    const report = () => answer('report', file, '--prometheus', 'http://127.0.0.1:1')
    expect((await report()).err).toBe(
      `FILE: ${file} has no truth about a fault yet: a mirror with --truth keeps it\n`,
    )
  })
})

test('a truth is in the order in which its faults began', () => {
  const file = newFile(join(folder, 'order.dcsim'))
  const database = openSession(file)
  for (const [fault, wall] of [
    [1, 2_000],
    [2, 1_000],
  ])
    setFault(database, { world: 'w', fault, isOver: true }, { fault, begin: { wall_s: wall } })
  database.close()
  expect(truthAt(file, 'FILE').map(({ fault }) => fault)).toEqual([2, 1])
})

test.each([[''], [' \t ']])('an answer of %j is refused, and not noted', async (text) => {
  const file = newFile(join(folder, `answers-${text.length}.dcsim`))
  expect(await answer('answer', '--session-file', file, text)).toEqual({
    code: 2,
    out: '',
    err: 'ANSWER: is empty, expected what is known, such as "switch failure at tfd-a-core1"\n',
  })
  expect((await answer('answer', '--session-file', file, 'a host')).out).toBe(`Noted in ${file}: a host\n`)
  expect(answersAt(file, 'FILE')).toMatchObject([{ text: 'a host', by: '', hint: null }])
})

test('an answer makes no file', async () => {
  const file = join(folder, 'none.dcsim')
  expect(await answer('answer', '--session-file', file, 'a host')).toMatchObject({
    code: 2,
    err: `--session-file: cannot note it in "${file}": ${file} does not exist\n`,
  })
  expect(existsSync(file)).toBe(false)
})
