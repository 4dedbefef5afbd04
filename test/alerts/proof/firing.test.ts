import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
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

/** How long an alert waits until it fires, and how long it keeps firing, in seconds. */
const waits = [0, 5, 12, 20, 60]
  .map((holds) => ({ holds, keeps: 0 }))
  .concat([0, 12, 20, 20].map((holds, index) => ({ holds, keeps: [10, 5, 30, 60][index] })))
const alertOf = ({ holds, keeps }: (typeof waits)[number]): string => `Waits${holds}Keeps${keeps}`

const rules = waits.map((wait) => ({
  alert: alertOf(wait),
  expr: 'x == 1',
  for: `${wait.holds}s`,
  keep_firing_for: `${wait.keeps}s`,
  labels: { severity: 'info' },
}))

/** The alerts that fire at a time, by name and series. */
function firingAt(at: number): { readonly labels: string; readonly value: number }[] {
  return waits.flatMap((wait) =>
    Array.from(firings(evaluations, wait.holds, wait.keeps))
      .filter(([, spans]) => spans.some(([from, to]) => from <= at && at < to))
      .map(([name]) => ({ labels: `{alertname="${alertOf(wait)}", k="${name}"}`, value: 1 })),
  )
}

describe.skipIf(!hasTool('promtool'))('the proof (skipped where there is no promtool)', () => {
  test('decides as Prometheus itself does, however long alerts wait and are kept', () => {
    const folder = mkdtempSync(join(tmpdir(), 'firing-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'rules.json'), JSON.stringify({ groups: [{ name: 'some', rules }] }))
    const input_series = Object.entries(series).map(([name, held]) => ({
      series: `x{k="${name}"}`,
      values: held.replaceAll('.', '0').split('').join(' '),
    }))
    const promql_expr_test = evaluations.map(({ at }) => ({
      expr: 'count by (alertname, k) (ALERTS{alertstate="firing"})',
      eval_time: `${at}s`,
      exp_samples: firingAt(at),
    }))
    const interval = `${seconds}s`
    const tests = [{ interval, input_series, promql_expr_test }]
    const told = { rule_files: ['rules.json'], evaluation_interval: interval, tests }
    writeFileSync(join(folder, 'test.json'), JSON.stringify(told))
    const words = ['test', 'rules', 'test.json']
    const { stdout, stderr } = spawnSync('promtool', words, { cwd: folder, encoding: 'utf8' })
    expect(stdout + stderr).toMatch(passes)
  })
})
