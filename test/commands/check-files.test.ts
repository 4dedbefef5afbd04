import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkFile } from '../../src/command-line/files/check-files.ts'
import { OptionError } from '../../src/options/parse-options.ts'
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
  ['backfill', '--out', 'past.om', []],
  ['backfill', '--truth-file', 'truth.dcsim', ['--out', 'past/']],
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

test('a path that cannot be written is refused, and remains unchanged', async () => {
  const place = join(folder, 'place')
  const at = (name: string): string => join(place, name)
  mkdirSync(at('directory'), { recursive: true })
  execFileSync('mkfifo', [at('pipe')])
  symlinkSync('/dev/null', at('link'))
  const kinds = { directory: 'a directory', pipe: 'a named pipe', link: 'a device' } as const
  const refusedAs = (name: keyof typeof kinds): string =>
    `--x: ${at(name)} is ${kinds[name]}, expected a regular file, or a new one`
  for (const name of ['directory', 'pipe', 'link'] as const)
    expect(() => checkFile('--x', at(name))).toThrow(new OptionError(refusedAs(name)))
  expect(() => checkFile('--x', at('pipe'), true)).toThrow(new OptionError(refusedAs('pipe')))
  for (const path of ['', at('new')]) expect(() => checkFile('--x', path)).not.toThrow()
  expect(() => checkFile('--x', at('directory'), true)).not.toThrow()
  const act = await refusal(['act', 'SwitchFailure core busiest', '--actions', at('pipe')])
  expect(act).toEqual({ code: 2, out: '', err: `${refusedAs('pipe').replace('--x', '--actions')}\n` })
  expect(readdirSync(place).toSorted()).toEqual(['directory', 'link', 'pipe'])
  rmSync(place, { recursive: true })
})

test('the variable is named, also before several sessions start', async () => {
  const path = join(missing, 'actions.jsonl')
  const environment = { DCSIM_ACTIONS: path, DCSIM_SESSIONS: 'one=simulation,two=simulation' }
  expect(await refusal([], environment)).toEqual(expected('DCSIM_ACTIONS', path))
})

test('history makes a directory that is to get several files', async () => {
  const out = `${missing}/history/`
  expect(await refusal(['backfill', ...world, '--out', out])).toMatchObject({ code: 0 })
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
