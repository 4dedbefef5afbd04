import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { excuses, fits, regenerated } from './excused.ts'
import { mutationsOf, withSwitches } from './mutations.ts'
import { files, isScript } from '../tidy/source-files.ts'

const changesIn = (text: string): string[] =>
  mutationsOf({ path: 'src/a.ts', text }).map(({ change }) => change)

test.each([
  ['const x = a < b', ['a < b → a <= b', 'a < b → a >= b']],
  ['const x = a ?? b', ['a ?? b → b']],
  ['const x = a * 0.5', ['a * 0.5 → a / 0.5', '0.5 → 0.55']],
  ['const x: 1 = f(-y)', ['-y → y']],
  [
    "const x = isOn ? 'on' : 'off'",
    ["isOn ? 'on' : 'off' → isOn ? 'off' : 'on'", "'on' → '~'", "'off' → '~'"],
  ],
  ['if (!a) b()', ['!a → true', '!a → false', '!a → a', 'without b()']],
  ['while (a) b -= c', ['a → false', 'without b -= c', 'b -= c → b += c']],
  ['for (let i = 0; i < 9; i++) {}', ['0 → 1', 'i < 9 → i <= 9', 'i < 9 → i >= 9', '9 → 10']],
  ['throw new Error(`${a + b}`)', []],
  ['const x = a.toString(b) + c.valueOf()', ['a.toString(b) + c.valueOf() → a.toString(b) - c.valueOf()']],
  ["import { a } from './b.ts'\nconst c: { [D in 'e']: 5 } = x as 7", []],
])('%s', (text, changes) => {
  expect(changesIn(text)).toEqual(changes)
})

test('each mutation has its number in the compiled file, and those within another one too', () => {
  const text = 'const f = (a) => a > 1 && a < 5\nif (f(2)) g()\nelse h.x += 7\n'
  const mutations = mutationsOf({ path: 'src/a.ts', text })
  const compiled = withSwitches(text, new Map(mutations.map((one, index) => [index + 1, one])))
  const resultOf = (id: number): unknown => {
    const seen = { g: 0, h: { x: 0 } }
    // oxlint-disable-next-line typescript/no-implied-eval -- runs the compiled text
    const run = new Function('isMutant', 'g', 'h', compiled) as (...words: unknown[]) => void
    run(
      (one: number) => one === id,
      () => seen.g++,
      seen.h,
    )
    return [seen.g, seen.h.x]
  }
  const results = Object.fromEntries(mutations.map(({ change }, index) => [change, resultOf(index + 1)]))
  expect(resultOf(0)).toEqual([1, 0])
  expect(results).toEqual({
    'a > 1 && a < 5 → a > 1 || a < 5': [1, 0],
    'a > 1 → a >= 1': [1, 0],
    'a > 1 → a <= 1': [0, 7],
    '1 → 2': [0, 7],
    'a < 5 → a <= 5': [1, 0],
    'a < 5 → a >= 5': [0, 7],
    '5 → 6': [1, 0],
    'f(2) → true': [1, 0],
    'f(2) → false': [0, 7],
    '2 → 3': [1, 0],
    'without g()': [0, 0],
    'without h.x += 7': [1, 0],
    'h.x += 7 → h.x -= 7': [1, 0],
    '7 → 8': [1, 0],
  })
})

test('an expression at the start of a line is no call of the line before', () => {
  const text = 'const a = b\nc() && d()\n'
  const mutation = mutationsOf({ path: 'src/a.ts', text }).find(({ change }) => change.includes('||'))!
  expect(withSwitches(text, new Map([[1, mutation]]))).toBe(
    'const a = b\nfalse || (isMutant(1) ? c() || d() : c() && d())\n',
  )
})

test('mutants of tested behavior are killed; others survive', { timeout: 300_000 }, () => {
  const words = ['test/mutants/main.ts', 'test/mutants/example', '--sample', '0', '--floor', '80']
  const { stdout, status } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  // Those of the notice meet its tests alone, not the last failure of the fee's.
  const survivors = [
    'late-fee.ts:3  0 → 1  (no test comes here)',
    'late-fee.ts:3  isWaived → false',
    'late-fee.ts:4  3 → 4',
    'late-fee.ts:4  days >= 3 → days > 3',
    'notice.ts:2  0 → 1',
    'notice.ts:2  days > 0 → days >= 0',
  ]
  const lines = survivors.map((survivor) => `  test/mutants/example/${survivor}\n`)
  expect(stdout).toContain(`\nSurvivors\n${lines.join('')}\n`)
  expect(stdout).toMatch(/^ +7 of +13 killed +54 % {2}test\/mutants\/example$/m)
  expect(status).toBe(1)
})

test('an excuse names a mutant that there is', () => {
  const mutations = files
    .filter(({ path }) => isScript(path) && excuses.some((excuse) => path.startsWith(excuse.path)))
    .flatMap(mutationsOf)
  expect(excuses.filter((excuse) => !mutations.some((mutation) => fits(excuse, mutation)))).toEqual([])
  expect(regenerated.filter((path) => !files.some((file) => file.path === path))).toEqual([])
})
