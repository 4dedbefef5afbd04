/** Bounds of what commands read and print. */
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { validators } from '../../src/command-line/select-source.ts'
import { sessionNameOf } from '../../src/commands/sessions/session-name.ts'
import { ActionAnswers } from '../../src/practice/commands/action-answers.ts'
import { runAnswer } from '../../src/practice/commands/answer.ts'
import { answerText } from '../../src/practice/commands/what-if/answer.ts'
import { gradesText } from '../../src/practice/grading/table.ts'
import { SessionProcess } from '../../src/sessions/session-process.ts'
import { sqliteErrorText } from '../../src/store/sqlite-error.ts'
import { quoted } from '../../src/text/quoted.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { askBounds, upTo } from '../fixtures/bounds.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-bounds-'))
afterAll(() => rmSync(folder, { recursive: true }))
const long = 'x'.repeat(501)

function scenarioWith(mistakes: number): string | null {
  const path = join(folder, 'scenario.json')
  const steps = upTo(mistakes).map(() => '\n{ "at": "1h", "do": "X", "target": { "kind": "Host" } }')
  writeFileSync(path, `{ "name": "a", "title": "A", "description": "B.", "steps": [${steps.join()}] }`)
  return validators.scenario(path)
}

/** The size of a file of answers, once another action waits for one. */
function answersLeft(bytes: number): number {
  const path = join(folder, `actions-${bytes}.jsonl`)
  writeFileSync(`${path}.answers`, '')
  truncateSync(`${path}.answers`, bytes)
  expect(new ActionAnswers(path)).toBeDefined()
  return statSync(`${path}.answers`).size
}

function whatIf(customers: number): string {
  const hurt = { sinceSeconds: 60, hurtSeconds: 60, hurt: [[0, 60]], tier: 'Gold' }
  const money = { failedRequests: 0, revenueLostDollars: 0, creditsDollars: 0, creditsDueDollars: 0 }
  const all = upTo(customers).map((id) => Object.assign({ id, name: `c${id}` }, hurt, money))
  const none = { targets: [], series: [], entities: [], reliefs: [], faults: [] }
  return answerText('What if', { ...none, lastsSeconds: 60, costDollars: 0, customers: all } as never, null)
}

function graded(name: string): number {
  const score = { name, fired: 0, rightly: 0, precision: null, due: 0, alerted: 0, recall: null }
  const set = { ...score, secondsToAlert: { median: null, p90: null, worst: null }, messagesPerFault: null }
  return gradesText({ faults: 0, sets: [set], rules: [], kinds: [] }).match(/x+/)![0].length
}

/** The seconds between the attempts to start a session whose process never starts. */
function pauses(): number[] {
  const clock = new FakeClock()
  const lines: string[] = []
  const session = new SessionProcess({
    name: 'a',
    entry: new URL('file:///mirror'),
    words: [],
    environment: {},
    clock,
    log: (line) => lines.push(line),
    onRefused: () => {},
    start: () => {
      throw new Error('no')
    },
  })
  session.start()
  clock.advanceTo(90_000)
  return lines.map((line) => Number(/again in (\d+) s/.exec(line)![1]))
}

askBounds([
  ['a foreign text', () => quoted(long), `"${long.slice(0, 64)}"…`],
  ['a damaged schema', () => sqliteErrorText(new Error(long)), long.slice(0, 300)],
  [
    'mistakes of a scenario',
    () => scenarioWith(10),
    /\(mistakes also in lines 3, 4, 5, 6, 7, 8, 9, 10, and 1 more\)$/,
  ],
  [
    'characters of an answer',
    () => runAnswer([long], {}).catch(String),
    /ANSWER: expected at most 500 characters, got 501$/,
  ],
  [
    'a name',
    () =>
      sessionNameOf({ session: '', source: 'simulation', scale: 1, seed: 1n, scenario: long } as never)
        .length,
    64,
  ],
  ['bytes of answers', () => [2 ** 20, 2 ** 20 + 1].map(answersLeft), [2 ** 20, 0]],
  ['customers of a what-if', () => whatIf(31), /c30 .*\nand 1 more customer$/],
  ['the name of a rule', () => graded(long), 100],
  ['seconds to the next start', pauses, [1, 2, 4, 8, 16, 30, 30]],
])
