import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { baselines, readTable } from '../../../src/practice/cases/baselines.ts'
import { scoreAnswers } from '../../../src/practice/cases/score.ts'
import type { NamedTruth } from '../../../src/practice/cases/score.ts'
import { runCases } from '../../../src/practice/commands/labeled-cases/cases.ts'
import { runScore } from '../../../src/practice/commands/labeled-cases/score.ts'

const truth = (
  name: string,
  faults: readonly [kind: string, entity: string, at: number][],
  path: string[],
): NamedTruth => ({
  case: name,
  split: 'train',
  tier: faults.length === 0 ? 'healthy' : 'gauge',
  sort: faults.length === 0 ? 'healthy' : 'fault',
  suspects: faults.slice(0, 1).map(([kind, entity]) => ({ kind, entity })),
  faults: faults.map(([kind, entity, at_seconds]) => ({ kind, entity, at_seconds })),
  effects: [],
  customers:
    path.length === 0
      ? []
      : [
          {
            entity: path.at(-1)!,
            since_seconds: 1_900,
            hurt_seconds: 60,
            failed_requests: 3,
            cost_dollars: 1,
            path,
          },
        ],
})

const truths = [
  truth('1-0', [['SwitchFailure', 'core1', 1_800]], ['core1', 'agg1', 'h1', 'shop']),
  truth(
    '1-1',
    [
      ['HostFailure', 'h1', 2_000],
      ['CableCut', 'c1', 2_400],
    ],
    ['h1', 'shop'],
  ),
  truth('1-2', [], []),
  truth('1-3', [], []),
]

const answers = [
  {
    case: '1-0',
    entities: ['agg1', 'core1'],
    kind: 'SwitchFailure',
    at_seconds: 1_850,
    path: ['core1', 'agg1', 'shop'],
  },
  { case: '1-1', entities: ['h1', 'x', 'y', 'z', 'c1'], kind: 'Attack', at_seconds: 2_100 },
  { case: '1-2', entities: ['h9'] },
]

test('Answers are scored by entity, kind, time, path and false alarms', () => {
  const byCase = new Map(answers.map((answer) => [answer.case, answer]))
  expect(scoreAnswers('all', truths, byCase)).toEqual({
    tier: 'all',
    cases: 4,
    entity_at: [1 / 3, 2 / 3, 1],
    kind: 0.5,
    time: 0.5,
    path: 1 / 6,
    false_alarms: 0.5,
  })
})

test('Answers that name no kind, time or path have no score of it', () => {
  const byCase = new Map([['1-0', { case: '1-0', entities: ['core1'] }]])
  expect(scoreAnswers('gauge', truths.slice(0, 1), byCase)).toEqual({
    tier: 'gauge',
    cases: 1,
    entity_at: [1, 1, 1],
    kind: null,
    time: null,
    path: null,
    false_alarms: null,
  })
})

const metrics = [
  'time,h1_load,s1_errors,g1_up',
  ...Array.from({ length: 60 }, (_, row) => {
    const load = row < 40 ? 10 + (row % 3) : 14
    const errors = row < 45 ? row % 3 : 900
    return [1_700_000_000 + 60 * row, load, errors, row < 42 ? 1 : 0].join(',')
  }),
].join('\n')

test('The trivial rules find what deviates most, what deviates first, and what a status shows', () => {
  const table = readTable(metrics)
  expect(baselines['largest deviation'](table)).toEqual({ entities: ['s1', 'g1'], at_seconds: 45 * 60 })
  expect(baselines['first to deviate'](table)).toEqual({ entities: ['g1', 's1'], at_seconds: 42 * 60 })
  expect(baselines['status gauge'](table)).toEqual({ entities: ['g1'], at_seconds: 42 * 60 })
})

function writtenCases(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dcsim-cases-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const each of truths) {
    mkdirSync(join(folder, 'truth', each.case), { recursive: true })
    mkdirSync(join(folder, 'cases', each.case), { recursive: true })
    writeFileSync(join(folder, 'truth', each.case, 'truth.json'), JSON.stringify(each))
    writeFileSync(join(folder, 'cases', each.case, 'metrics.csv'), metrics)
  }
  return folder
}

async function scored(folder: string, ...words: string[]): Promise<string> {
  const print = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => print.mockRestore())
  await runScore(['--cases', folder, ...words], {})
  return print.mock.calls.flat().join('\n')
}

test('Cases are not written where others are, which would be scored with them', async () => {
  const folder = writtenCases()
  await expect(runCases(['--out', folder], {})).rejects.toThrow(`--out: ${folder} has cases already`)
})

test('The command prints answers beside all baselines, by tier', async () => {
  const folder = writtenCases()
  const file = join(folder, 'mine.jsonl')
  writeFileSync(file, answers.map((answer) => JSON.stringify(answer)).join('\n'))
  const lines = (await scored(folder, '--answers', file)).split('\n')
  expect(lines).toHaveLength(1 + 5 * 3)
  expect(lines.find((line) => /^mine +all /.test(line))?.split(/ {2,}/)).toEqual(
    'mine, all, 4, 33 %, 67 %, 100 %, 50 %, 50 %, 17 %, 50 %'.split(', '),
  )
  expect(lines.find((line) => /^own correlator +gauge /.test(line))?.split(/ {2,}/)).toEqual(
    'own correlator, gauge, 2, 67 %, 67 %, 67 %, 100 %, –, –, –'.split(', '),
  )
})

test.each([
  [
    '{"case":"1-0"}',
    'line 1: expected {"case":"1000-3","entities":["tfd-a-core1"]}, got "{\\"case\\":\\"1-0\\"}"',
  ],
  ['{"case":"1-0","entities":[],"at_seconds":"soon"}', 'line 1: expected'],
  ['nothing', 'line 1: expected'],
  ['{"case":"9-9","entities":[]}', 'line 1: there is no case "9-9"'],
  ['{"case":"1-0","entities":[]}\n{"case":"1-0","entities":[]}', 'line 2: a second answer to the case "1-0"'],
])('The answer %s is refused with its line', async (text, problem) => {
  const folder = writtenCases()
  const file = join(folder, 'answers.jsonl')
  writeFileSync(file, text)
  await expect(scored(folder, '--answers', file)).rejects.toThrow(`${file}, ${problem}`)
})

test('A folder without cases, a truth that is none, and an empty split are refused', async () => {
  const folder = writtenCases()
  await expect(scored(join(folder, 'none'))).rejects.toThrow('the command cases writes it')
  await expect(scored(folder, '--split', 'test')).rejects.toThrow('has no case of the split test')
  writeFileSync(join(folder, 'truth', '1-0', 'truth.json'), '{}')
  await expect(scored(folder)).rejects.toThrow('is no truth about the case 1-0')
})
