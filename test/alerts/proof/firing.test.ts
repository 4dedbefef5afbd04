import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasTool } from '../../fixtures/tools.ts'
import { passes } from '../promtool.ts'
import { firings } from '../../../src/practice/grading/firing.ts'

/** Whether an expression returns a series, evaluation by evaluation, 5 seconds apart. */
const series: Readonly<Record<string, string>> = {
  steady: '..111111111111111111111111111111',
  broken: '..1111.1111111.111111111....1111',
  flapping: '1.1.1.1.11.11.111.111.1111.1111.',
  short: '...1............................',
  ended: '1111111111......................',
}
const seconds = 5
const length = series['steady'].length

const evaluations = Array.from({ length }, (_, index) => ({
  at: index * seconds,
  series: Object.keys(series).filter((name) => series[name][index] === '1'),
}))

/** Compares with Prometheus itself, through promtool: the firing alerts at each evaluation. */
function prometheusAgrees(holds: number, keeps: number): string {
  const fired = firings(evaluations, holds, keeps)
  const firesAt = (name: string, at: number): boolean =>
    (fired.get(name) ?? []).some(([from, to]) => from <= at && at < to)
  const rule = {
    alert: 'Some',
    expr: 'x == 1',
    for: `${holds}s`,
    keep_firing_for: `${keeps}s`,
    labels: { severity: 'info' },
  }
  const expected = evaluations.map(({ at }) => ({
    expr: 'count by (k) (ALERTS{alertstate="firing"})',
    eval_time: `${at}s`,
    exp_samples: Object.keys(series)
      .filter((name) => firesAt(name, at))
      .map((name) => ({ labels: `{k="${name}"}`, value: 1 })),
  }))
  const folder = mkdtempSync(join(tmpdir(), 'firing-'))
  try {
    writeFileSync(join(folder, 'rules.json'), JSON.stringify({ groups: [{ name: 'some', rules: [rule] }] }))
    const input = Object.entries(series).map(([name, held]) => ({
      series: `x{k="${name}"}`,
      values: held.replaceAll('.', '0').split('').join(' '),
    }))
    const told = {
      rule_files: ['rules.json'],
      evaluation_interval: `${seconds}s`,
      tests: [{ interval: `${seconds}s`, input_series: input, promql_expr_test: expected }],
    }
    writeFileSync(join(folder, 'test.json'), JSON.stringify(told))
    const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'test.json'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return stdout + stderr
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe.skipIf(!hasTool('promtool'))('the proof (skipped where there is no promtool)', () => {
  test.each([
    [0, 0],
    [5, 0],
    [12, 0],
    [20, 0],
    [60, 0],
    [0, 10],
    [12, 5],
    [20, 30],
    [20, 60],
  ])('decides as Prometheus does when alerts wait %i s and are kept %i s', (holds, keeps) => {
    expect(prometheusAgrees(holds, keeps)).toMatch(passes)
  })
})
