/** Each target passes a few cases, and notices a fault that is planted in what the program returns. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Failures } from '../fixtures/failures.ts'
import { fuzz } from './harness.ts'
import type { Target } from './target.ts'
import { targets } from './targets.ts'

const seed = Number(process.env['DCSIM_TEST_SEED'] ?? 1)
const cases: Readonly<Record<string, number>> = {
  http: 200,
  upstream: 2,
  parts: 4,
  'session-file': 60,
  sessions: 40,
  simulator: 20,
}
const casesOfOthers = 100

/** Changes a text as a fault of the program would. */
const planted: Readonly<Record<string, readonly [fault: (text: string) => string, finding: RegExp]>> = {
  http: [(text) => text.replaceAll(/x-sim-age-ms/gi, 'X-Age'), /no age in the headers/],
  file: [(text) => text.replaceAll('.', ''), /no sentence/],
  upstream: [(text) => `${text}NaN`, /has the text NaN/],
  parts: [(text) => text.replace(/^(dcsim_hosts) \d+$/m, '$1 0'), /dcsim_hosts is 0, in truth/],
  'session-file': [
    (text) => text.replace('A new world begins.', ''),
    /no sentence of what became of the world/,
  ],
  tables: [(text) => text.replace(/"(?=,|\})/, ' is undefined"'), /is undefined/],
  sessions: [(text) => text.replaceAll('<<a:', '<<b:'), /expected 200 a:\d+, got 200 b:/],
  actions: [(text) => text.replace('The line is left out.', ''), /of them answered/],
  simulator: [(text) => text.replace('1~', '2~'), /mixes|shows/],
}

test('every target has a planted fault', () => {
  expect(Object.keys(planted)).toEqual(Object.keys(targets))
})

describe.each(Object.entries(targets))('%s', (name, open) => {
  const [fault, finding] = planted[name]
  let target: Target
  let isPlanted = false
  beforeAll(async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    target = await open(seed, (text) => (isPlanted ? fault(text) : text))
  }, 240_000)
  afterAll(() => target.close())

  const run = async (count: number, failuresMax?: number): Promise<string[]> => {
    const failures = new Failures()
    await fuzz(target, { name, seed, firstCase: 0, cases: count, minutes: 3, failuresMax }, failures)
    return failures.kinds
  }

  test('finds nothing wrong', { timeout: 240_000 }, async () => {
    expect(await run(cases[name] ?? casesOfOthers)).toEqual([])
  })

  test('finds a planted fault', { timeout: 240_000 }, async () => {
    isPlanted = true
    expect((await run(100, 1)).join('\n')).toMatch(finding)
  })
})
