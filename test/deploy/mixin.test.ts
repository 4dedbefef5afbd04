import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { generatedFiles } from '../../alerts/render.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import type { AlertSettings } from '../../alerts/settings.ts'
import { generatedDashboards } from '../../dashboards/all.ts'
import { hasTool } from '../fixtures/tools.ts'
import { fileText } from '../containers/stack-file.ts'
import { optionalTool, output } from './manifests.ts'

const jsonnet = optionalTool('jsonnet', '--version')
const mixtool = optionalTool('mixtool', '--version')
const folder = join(import.meta.dirname, '../../deploy/mixin/')

interface Group {
  readonly name: string
  readonly rules: readonly ({ readonly alert: string } | { readonly record: string })[]
}

interface Mixin {
  readonly prometheusAlerts: { readonly groups: readonly Group[] }
  readonly prometheusRules: { readonly groups: readonly Group[] }
  readonly grafanaDashboards: Readonly<Record<string, object>>
}

/** The mixin's output for a user's configuration. */
function evaluated(config: Partial<AlertSettings>): Mixin {
  const text = `
    local mixin = (import 'mixin.libsonnet') + { _config+:: ${JSON.stringify(config)} };
    { [name]: mixin[name] for name in ['prometheusAlerts', 'prometheusRules', 'grafanaDashboards'] }`
  const { status, stdout, stderr } = spawnSync(jsonnet!, ['-J', folder, '-e', text], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Mixin
}

const isAlert = (rule: Group['rules'][number]): boolean => 'alert' in rule

/** The generated groups, filtered by rule. */
function groups(settings: AlertSettings, isWanted: (rule: Group['rules'][number]) => boolean): Group[] {
  const files = [...generatedFiles(settings)].filter(([name]) => name.endsWith('.rules.yaml'))
  return files
    .flatMap(([, text]) => (parse(text) as { groups: Group[] }).groups)
    .map((group) => Object.assign(group, { rules: group.rules.filter(isWanted) }))
    .filter(({ rules }) => rules.length > 0)
}

const configurations: readonly [string, Partial<AlertSettings>][] = [
  ['by default', {}],
  [
    'with everything else than by default',
    {
      job: 'games',
      identity: ['cluster', 'region'],
      grafana: 'https://grafana.example.org',
      runbooks: 'https://example.org/runbooks',
      labels: { team: 'plant' },
      off: ['DcsimCompanyLosesMoney', 'DcsimCustomerLosesMoney'],
    },
  ],
]

describe.skipIf(jsonnet === null)('the mixin (skipped where jsonnet is not installed)', () => {
  test.each(configurations)('has the rules and dashboards of the generators, %s', (_, config) => {
    const settings = { ...defaultSettings, ...config }
    const { prometheusAlerts, prometheusRules, grafanaDashboards } = evaluated(config)
    expect(prometheusAlerts.groups).toStrictEqual(groups(settings, isAlert))
    expect(prometheusRules.groups).toStrictEqual(groups(settings, (rule) => !isAlert(rule)))
    const dashboards = [...generatedDashboards(settings.identity)].map(
      ([name, text]) => [name, JSON.parse(text) as object] as const,
    )
    expect(grafanaDashboards).toStrictEqual(Object.fromEntries(dashboards))
  })

  test.skipIf(!hasTool('promtool'))('is used as its page shows, and promtool takes what it gives', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mixin-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    // The path that jsonnet-bundler would use.
    mkdirSync(join(folder, 'vendor/github.com/example'), { recursive: true })
    symlinkSync(join(import.meta.dirname, '../..'), join(folder, 'vendor/github.com/example/dcsim-mirror'))
    const [, snippet] = /^```jsonnet\n([^]*?)^```$/m.exec(fileText('docs/mixin.md'))!
    writeFileSync(join(folder, 'dcsim.jsonnet'), snippet)
    const out = join(folder, 'out')
    const file = join(folder, 'dcsim.jsonnet')
    const written = output(
      jsonnet!,
      '--jpath',
      join(folder, 'vendor'),
      '--multi',
      out,
      '--create-output-dirs',
      file,
    )
    expect(written.trim().split('\n')).toHaveLength(2 + generatedDashboards().size)
    const checked = output(
      'promtool',
      'check',
      'rules',
      join(out, 'dcsim-alerts.json'),
      join(out, 'dcsim-rules.json'),
    )
    expect(checked).toMatch(/SUCCESS: \d{2,} rules found/)
  })
})

test.skipIf(mixtool === null)(
  'mixtool finds nothing but what .lint explains (skipped where it is not installed)',
  () => {
    expect(output(mixtool!, 'lint', '--jpath', folder, join(folder, 'mixin.libsonnet'))).toBe('')
  },
)
