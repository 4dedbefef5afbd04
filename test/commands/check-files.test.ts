import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-missing-'))
const missing = join(folder, 'missing')
const world = ['--scale', '8', '--warmup', '1h']
afterAll(() => rmSync(folder, { recursive: true }))

async function refusal(words: readonly string[], environment: Record<string, string> = {}) {
  const refused = run([...words], environment)
  const [code] = await refused.ended
  return { code, out: refused.out, err: refused.err }
}

const expected = (origin: string, path: string) => ({
  code: 2,
  out: '',
  err: `${origin}: there is no directory ${missing} for ${path}; create it first\n`,
})

test.each([
  ['history', '--out', 'past.om', []],
  ['history', '--truth-file', 'truth.dcsim', ['--out', '-']],
  ['record', '--out', 'evening.dcsim', []],
  ['serve', '--session-file', 'world.dcsim', []],
  ['serve', '--actions', 'actions.jsonl', []],
] as const)(
  '%s %s refuses a directory that does not exist, and makes nothing',
  async (command, flag, name, others) => {
    const path = join(missing, name)
    expect(await refusal([command, ...world, ...others, flag, path])).toEqual(expected(flag, path))
    expect(readdirSync(folder)).toEqual([])
  },
)

describe('paths that cannot be written are refused, and remain unchanged', () => {
  const place = join(folder, 'place')
  const inside = join(place, 'directory', 'inside')
  beforeAll(() => {
    mkdirSync(join(place, 'directory'), { recursive: true })
    writeFileSync(inside, 'content')
    execFileSync('mkfifo', [join(place, 'pipe')])
    symlinkSync('/dev/null', join(place, 'link'))
  })
  afterAll(() => rmSync(place, { recursive: true }))

  const kinds = { directory: 'a directory', pipe: 'a named pipe', link: 'a device' } as const
  const cases = [
    ['serve', '--session-file', ['directory', 'pipe', 'link']],
    ['serve', '--actions', ['pipe', 'link']],
    ['record', '--out', ['pipe', 'directory']],
    ['record', '--actions', ['pipe']],
    ['history', '--out', ['pipe', 'link']],
    ['history', '--truth-file', ['pipe']],
    ['act', '--actions', ['pipe', 'directory']],
  ] as const
  test.each(cases.flatMap(([command, flag, names]) => names.map((name) => [command, flag, name] as const)))(
    '%s %s %s',
    async (command, flag, name) => {
      const path = join(place, name)
      const others = command === 'act' ? ['SwitchFailure core busiest'] : world
      const out = command === 'record' && flag !== '--out' ? ['--out', join(place, 'new.dcsim')] : []
      const more = command === 'history' && flag !== '--out' ? ['--out', '-'] : out
      expect(await refusal([command, ...others, ...more, flag, path])).toEqual({
        code: 2,
        out: '',
        err: `${flag}: ${path} is ${kinds[name]}, expected a regular file, or a new one\n`,
      })
      expect(readdirSync(place).toSorted()).toEqual(['directory', 'link', 'pipe'])
      expect(existsSync(inside)).toBe(true)
    },
  )
})

test('the variable is named, also before several sessions start', async () => {
  const path = join(missing, 'actions.jsonl')
  const environment = { DCSIM_ACTIONS: path, DCSIM_SESSIONS: 'one=simulation,two=simulation' }
  expect(await refusal([], environment)).toEqual(expected('DCSIM_ACTIONS', path))
})

test('history makes a directory that is to get several files', async () => {
  const out = `${missing}/history/`
  expect(await refusal(['history', ...world, '--out', out])).toMatchObject({ code: 0 })
  // Another file begins at an even hour.
  expect(readdirSync(out).join(' ')).toMatch(/^\d+\.om(?: \d+\.om)?$/)
  rmSync(missing, { recursive: true })
})

test('a variable that the source does not use is not looked at', async () => {
  const { err } = await refusal(['--source', join(folder, 'none.rec')], {
    DCSIM_ACTIONS: join(missing, 'actions.jsonl'),
  })
  expect(err).toMatch(/^--source: /)
  expect(existsSync(missing)).toBe(false)
})

test('act names the directory that is missing', async () => {
  const path = join(missing, 'actions.jsonl')
  expect(await refusal(['act', 'SwitchFailure core busiest', '--actions', path])).toEqual({
    code: 1,
    out: '',
    err: `Cannot append to ${path}: there is no directory ${missing}. Name the file that the mirror watches: --actions FILE.\n`,
  })
})
