/** Bounds of what is drawn, read, asked and counted for practice. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, vi } from 'vitest'
import type { TruthLine } from '../../src/contract/game-days/truth-line.ts'
import { caseNamed } from '../../src/practice/cases/draw.ts'
import { writeCase } from '../../src/practice/cases/forms.ts'
import { scoreAnswers } from '../../src/practice/cases/score.ts'
import { CaseTable } from '../../src/practice/cases/series.ts'
import { firedAlerts } from '../../src/practice/commands/report/grade-rules.ts'
import type { PrometheusClient } from '../../src/practice/commands/report/prometheus-client.ts'
import { runCases } from '../../src/practice/commands/labeled-cases/cases.ts'
import { runScore } from '../../src/practice/commands/labeled-cases/score.ts'
import { askBounds, messageOf } from '../fixtures/bounds.ts'

vi.mock(import('../../src/practice/cases/draw.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  *drawCases() {
    for (;;) yield { seed: 1n, number: 0, outcome: 'harmless' as never }
  },
}))

const folder = mkdtempSync(join(tmpdir(), 'dcsim-practice-bounds-'))
afterAll(() => rmSync(folder, { recursive: true }))

const truth = { tier: 'gauge', sort: 'fault', effects: [], customers: [], suspects: [] } as const
const fault = { kind: 'HostFailure', entity: 'h1', at_seconds: 1_000 } as const

/** The day of a case in the calendar of its files. */
function dayOf(seed: bigint, number: number): string {
  const [table, begin] = [new CaseTable(), 0]
  const content = {
    table,
    events: [],
    edges: [],
    names: new Map(),
    begin,
    truth: { ...truth, faults: [fault] },
  }
  const { files } = writeCase(content, { seed, number }, '', ['openrca'])
  return /telemetry\/(\w+)\//.exec(files.map(([path]) => path).join())![1]
}

function timeScore(at_seconds: number): number | null {
  const named = { ...truth, case: 'a', split: 'test', faults: [fault] }
  return scoreAnswers('all', [named], new Map([['a', { case: 'a', entities: [], at_seconds }]])).time
}

/** Why answers in a file of this size are refused. */
function refused(bytes: number): unknown {
  mkdirSync(join(folder, 'truth/1-0'), { recursive: true })
  const named = { ...truth, case: '1-0', split: 'train', faults: [fault] }
  writeFileSync(join(folder, 'truth/1-0/truth.json'), JSON.stringify(named))
  writeFileSync(join(folder, 'answers'), '')
  truncateSync(join(folder, 'answers'), bytes)
  return messageOf(() => runScore(['--cases', folder, '--answers', join(folder, 'answers')], {}))
}

/** The points of each query for a rule over a fault, or why it is not evaluated. */
async function pointsOf(lastsSeconds: number, interval: number): Promise<unknown> {
  const points: number[] = []
  const rule = { name: 'A', query: 'a', forSeconds: 0, keepFiringSeconds: 0, severity: 'info', interval }
  const client = {
    rules: async () => [rule],
    range: async (query: string, start: number, end: number, step: number) => {
      if (query === 'a') points.push((end - start) / step + 1)
      const values = [start, end].map((at) => [at, '1'])
      return query === 'a' ? [] : [{ metric: {}, values }]
    },
  }
  const [begin, end] = [1_000_000, 1_000_000 + lastsSeconds].map((wall_s) => ({ wall_s }))
  const faults = [{ session: { began: begin, ended: end }, begin, end }] as unknown as TruthLine[]
  const options = { grace: 0, nowSeconds: 1e9, onProgress: () => {} }
  return messageOf(async () => {
    await firedAlerts(client as unknown as PrometheusClient, faults, options)
    return points
  })
}

askBounds([
  ['cases of a world', () => ['5-11', '5-12'].map((name) => caseNamed(name)?.number), [11, undefined]],
  [
    'days of cases',
    () => [dayOf(0n, 0), dayOf(833n, 3), dayOf(833n, 4)],
    ['2024_01_01', '2051_05_18', '2024_01_01'],
  ],
  ['seconds to a time that is named', () => [1_060, 1_061].map(timeScore), [1, 0]],
  [
    'candidates of a case',
    () => messageOf(() => runCases(['--count', '2', '--out', join(folder, 'out')], {})),
    /^gave up after 0 cases of 201 candidates/,
  ],
  ['bytes of answers that are scored', () => refused(2 ** 26 + 1), /is larger than 64 MiB/],
  ['points of a query', () => pointsOf(2_000, 1), [1_400, 601]],
  [
    'evaluations of a rule',
    () => pointsOf(10_000_010, 10),
    /^The rule A has 1000001 evaluations, 10 s apart, expected at most 1000000/,
  ],
  ['days of a truth', () => pointsOf(401 * 86_400, 60), /^The truth is about 401 days, expected at most 400/],
])
