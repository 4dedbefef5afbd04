import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { truthIn } from '../fixtures/session-file.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-history-truth-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the truth of a history has the wall times of its samples', async () => {
  const scenario = join(folder, 'one.json')
  const truth = join(folder, 'truth.dcsim')
  const step = {
    at: '1h',
    do: 'PowerFeedLoss',
    target: { kind: 'PowerFeed', zone: 1, side: 'A' },
    for: '30m',
  }
  const head = { name: 'one', title: 'One', description: 'For a test.', spontaneity: 0 }
  writeFileSync(scenario, JSON.stringify({ ...head, times_count_from: 'beginning', steps: [step] }))
  const flags = [
    '--scale',
    '8',
    '--warmup',
    '2h',
    '--speed',
    '60',
    '--scenario',
    scenario,
    '--truth-file',
    truth,
  ]
  const history = run(['backfill', '--out', join(folder, 'past.om'), '--ends-at', '1764547200', ...flags])
  expect(await history.ended).toEqual([0, null])
  const [{ kind, begin, end }] = truthIn(truth)
  expect({ kind, begin, end }).toEqual({
    kind: 'PowerFeedLoss',
    // An hour of simulated time before the end is a minute of wall time.
    begin: { sim_s: 3_600, wall_s: 1_764_547_140 },
    end: { sim_s: 5_400, wall_s: 1_764_547_170 },
  })
})
