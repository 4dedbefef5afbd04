import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { ruleGroups } from '../../alerts/catalog.ts'
import { groupsOf } from '../../alerts/groups.ts'
import { generatedFiles } from '../../alerts/render.ts'
import { designSettings } from './design-settings.ts'
import type { AlertSettings } from '../../alerts/settings.ts'

/** A test of rules in promtool's format; JSON is YAML. */
export interface RuleTest {
  readonly input_series: readonly { readonly series: string; readonly values: string }[]
  readonly alert_rule_test?: readonly ExpectedAlerts[]
  readonly promql_expr_test?: readonly {
    readonly expr: string
    readonly eval_time: string
    readonly exp_samples: readonly { readonly labels: string; readonly value: number }[]
  }[]
}

interface ExpectedAlerts {
  readonly eval_time: string
  readonly alertname: string
  readonly exp_alerts: readonly {
    readonly exp_labels: Readonly<Record<string, string>>
    readonly exp_annotations: Readonly<Record<string, string>>
  }[]
}

interface Outcome {
  readonly ok: boolean
  readonly output: string
}

const outcome = (args: readonly string[]): Outcome => {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    encoding: 'utf8',
    env: { ...process.env, GOGC: 'off' },
  })
  return { ok: status === 0, output: stdout + stderr }
}

/** Runs a function in a folder with the rules for these settings. */
function besideRules<T>(settings: AlertSettings, run: (folder: string, rules: readonly string[]) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'rules-'))
  try {
    const files = [...generatedFiles(settings)].filter(([name]) => name.endsWith('.rules.yaml'))
    for (const [name, text] of files) writeFileSync(join(folder, name), text)
    return run(
      folder,
      files.map(([name]) => join(folder, name)),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Tests the rules of a subject together with the recorded rates that many of them use. */
export const testRules = (
  subject: string,
  tests: RuleTest | readonly RuleTest[],
  settings = designSettings,
): Outcome =>
  besideRules(settings, (folder, rules) => {
    const file = join(folder, 'test.json')
    const rule_files = rules.filter((path) => path.includes('/clock.') || path.includes(`/${subject}.`))
    // By default promtool evaluates groups in any order, so that rates would sometimes be one evaluation old.
    const group_eval_order = ruleGroups(settings)
      .filter((group) => group.subject === 'clock' || group.subject === subject)
      .flatMap(groupsOf)
      .map(({ name }) => name)
    const interval = '15s'
    const timed = [tests].flat().map((test) => Object.assign({ interval }, test))
    const all = { rule_files, evaluation_interval: interval, group_eval_order, tests: timed }
    writeFileSync(file, JSON.stringify(all))
    return outcome(['test', 'rules', file])
  })

export const checkRules = (settings = designSettings): Outcome =>
  besideRules(settings, (_, rules) => outcome(['check', 'rules', '--lint=all', '--lint-fatal', ...rules]))

/** A world that moves at speed 60 for two hours, scraped every 15 seconds. */
export const movingWorld: Readonly<Record<string, string>> = {
  dcsim_sim_time_seconds: '0+900x480',
  dcsim_sim_paused: '0x480',
  dcsim_sim_speed_ratio: '60x480',
  dcsim_sim_steps_total: '0+90x480',
  dcsim_sim_step_seconds: '10x480',
}

/** Series in promtool's format, each once for every target. */
export const ofTargets = (
  series: Readonly<Record<string, string>>,
  targets: readonly Readonly<Record<string, string>>[],
): RuleTest['input_series'] =>
  targets.flatMap((target) => {
    const labels = Object.entries(target)
      .map(([label, value]) => `${label}="${value}"`)
      .join(',')
    return Object.entries(series).map(([name, values]) => ({
      series: name.endsWith('}') ? `${name.slice(0, -1)},${labels}}` : `${name}{${labels}}`,
      values,
    }))
  })

/** The same for one target: `a` of the job dcsim, with the session `s`. */
export const ofTarget = (series: Readonly<Record<string, string>>): RuleTest['input_series'] =>
  ofTargets(series, [{ job: 'dcsim', instance: 'a', session: 's' }])

/** Expects the number of firing alerts of a name by time. */
export const counts = (
  alertname: string,
  at: Readonly<Record<string, number>>,
): NonNullable<RuleTest['promql_expr_test']> =>
  Object.entries(at).map(([eval_time, value]) => ({
    expr: `count(ALERTS{alertname="${alertname}", alertstate="firing"}) or vector(0)`,
    eval_time,
    exp_samples: [{ labels: '{}', value }],
  }))

/** The output of promtool for tests that pass. */
export const passes = /^Unit Testing:.*\n\s+SUCCESS\s*$/

export const expectRules = (...rules: Parameters<typeof testRules>): void =>
  expect(testRules(...rules).output).toMatch(passes)
