import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findingWith, machine } from './bench-finding.ts'
import { addToHistory, newestWith, readHistory, runsMax } from './history.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const file = join(folder, 'results.json')
const runAt = (takenAt: string, row: string) => ({
  takenAt,
  commit: 'abc1234',
  machine,
  findings: [findingWith({ row })],
})

afterEach(() => rmSync(file, { force: true }))

test('a history that is not there yet is empty', () => {
  expect(readHistory(file)).toEqual([])
})

test('a run is added behind the others, and the oldest are dropped', () => {
  for (let run = 0; run <= runsMax; run++) addToHistory(file, runAt(String(run), 'page'))
  const kept = readHistory(file)
  expect(kept).toHaveLength(runsMax)
  expect(kept[0].takenAt).toBe('1')
  expect(kept.at(-1)).toEqual(runAt(String(runsMax), 'page'))
})

test('another file is not taken for a history', () => {
  writeFileSync(file, '{"findings":[]}')
  expect(() => readHistory(file)).toThrow('is not a history of bench runs')
})

test('a run is compared with the newest one that has one of its rows', () => {
  const runs = [runAt('1', 'page'), runAt('2', 'page'), runAt('3', 'step')]
  expect(newestWith(runs, new Set(['page', 'other']))?.takenAt).toBe('2')
  expect(newestWith(runs, new Set(['other']))).toBeNull()
})
