import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { generatedFiles } from '../../alerts/render.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { readSessionList } from '../../src/options/session-list.ts'
import { fileText, root, stack } from '../containers/stack-file.ts'
import {
  acceptedHosts,
  annotationBytesMax,
  ofKind,
  optionalTool,
  output,
  parsed,
  problems,
} from './manifests.ts'
import type { Deployment, Manifest, PrometheusRule, Service, ServiceMonitor } from './manifests.ts'

const chart = new URL('deploy/helm/dcsim-mirror', root).pathname
const helm = optionalTool('helm')

function valuesFile(values: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'values-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'values.yaml')
  writeFileSync(file, JSON.stringify(values))
  return file
}

const rendered = (values: object, release = 'dcsim-mirror'): Manifest[] =>
  parsed(output(helm!, 'template', release, chart, '--namespace', 'games', '--values', valuesFile(values)))

const variable = (manifests: readonly Manifest[], name: string): string | undefined =>
  ofKind<Deployment>(manifests, 'Deployment')[0].spec.template.spec.containers[0].env.find(
    (one) => one.name === name,
  )?.value

const sessions = [
  { name: 'evening', source: 'http://10.0.0.5:9740' },
  {
    name: 'practice',
    source: 'simulation',
    settings: { seed: 1_000_000, scenario: 'ddos-friday', speed: 0.5 },
  },
]

test('the chart is of the version of the mirror', () => {
  const { version, appVersion } = parse(fileText('deploy/helm/dcsim-mirror/Chart.yaml')) as Record<
    string,
    string
  >
  const [, tag] = stack.services['mirror'].image.split(':')
  expect([version, appVersion]).toStrictEqual([tag, tag])
})

test('the chart has the rules and dashboards that the programs write, not copies', () => {
  for (const [link, target] of [
    ['rules/capacity.rules.yaml', 'alerts/generated/capacity.rules.yaml'],
    ['dashboards/dcsim-session.json', 'dashboards/generated/dcsim-session.json'],
  ])
    expect(fileText(`deploy/helm/dcsim-mirror/files/${link}`)).toBe(fileText(target))
})

describe.skipIf(helm === null)('helm (skipped where it is not installed)', () => {
  const everything = {
    sessions,
    identity: { cluster: 'east' },
    monitorLabels: { release: 'kube-prometheus-stack' },
    persistence: { enabled: true },
    env: { DCSIM_LOG_LEVEL: 'debug', DCSIM_CADENCE_MS: 1000 },
    allowedHosts: ['mirror.example.org'],
    imagePullSecrets: [{ name: 'registry' }],
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ operator: 'Exists' }],
  }

  test('lint finds nothing wrong', () => {
    expect(output(helm!, 'lint', '--strict', chart)).toContain('1 chart(s) linted, 0 chart(s) failed')
  })

  test.each([
    ['by default', {}],
    ['with every value', everything],
  ])('manifests are as their schemas want them, %s', async (_, values) => {
    const manifests = rendered(values)
    const found = await Promise.all(manifests.map(problems))
    expect(found.filter((text) => text !== '')).toStrictEqual([])
    for (const manifest of manifests) expect(JSON.stringify(manifest).length).toBeLessThan(annotationBytesMax)
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test('names stay within what Kubernetes allows, for a long name of the release', () => {
    const manifests = rendered({}, 'a-very-long-name-of-a-release-that-has-53-characters')
    for (const { metadata } of manifests) expect(metadata.name).toMatch(/^[a-z0-9][a-z0-9.-]{0,61}[a-z0-9]$/)
  })

  test('a value with a mistake is refused', () => {
    expect(() => rendered({ sessions: [{ nam: 'evening', source: 'simulation' }] })).toThrow(/nam/)
    expect(() => rendered({ resource: {} })).toThrow(/resource/)
  })

  test('each session is in the list of the mirror and scraped as a target of its own', () => {
    const manifests = rendered(everything)
    const listed = readSessionList(variable(manifests, 'DCSIM_SESSIONS')!)
    expect(listed).toMatchObject([
      { name: 'evening', flags: ['--source=http://10.0.0.5:9740'] },
      {
        name: 'practice',
        flags: ['--source=simulation', '--scenario=ddos-friday', '--seed=1000000', '--speed=0.5'],
      },
    ])
    const [monitor] = ofKind<ServiceMonitor>(manifests, 'ServiceMonitor')
    expect(monitor.spec.endpoints.map(({ params }) => params.session)).toStrictEqual([
      ['evening'],
      ['practice'],
    ])
    for (const [at, { relabelings }] of monitor.spec.endpoints.entries()) {
      expect(relabelings).toContainEqual({ targetLabel: 'job', replacement: defaultSettings.job })
      expect(relabelings).toContainEqual({ targetLabel: 'session', replacement: sessions[at].name })
      expect(relabelings).toContainEqual({ targetLabel: 'cluster', replacement: 'east' })
      expect(relabelings).toContainEqual({ action: 'labeldrop', regex: 'pod|container|endpoint|service' })
    }
    expect(variable(manifests, 'DCSIM_CADENCE_MS')).toBe('1000')
  })

  test.each([
    ['by default', {}, {}],
    [
      'with further labels of the identity',
      { identity: { region: 'north', cluster: 'east' } },
      { identity: ['cluster', 'region'] },
    ],
    [
      'with the address of Grafana',
      { grafanaUrl: 'https://g.example.org/' },
      { grafana: 'https://g.example.org' },
    ],
  ])('the rules are those of the generator, %s', (_, values, settings) => {
    const rules = ofKind<PrometheusRule>(rendered(values), 'PrometheusRule')
    const files = [...generatedFiles({ ...defaultSettings, ...settings })].filter(([name]) =>
      name.endsWith('.rules.yaml'),
    )
    expect(rules).toHaveLength(files.length)
    for (const [name, text] of files) {
      const rule = rules.find(({ metadata }) =>
        metadata.name.endsWith(`-${name.replace('.rules.yaml', '')}`),
      )!
      expect(rule.spec).toStrictEqual(parse(text))
    }
  })

  test('deployment, service and monitor find each other, and the mirror answers to every name of its service', () => {
    const manifests = rendered(everything, 'plant')
    const [deployment] = ofKind<Deployment>(manifests, 'Deployment')
    const [service] = ofKind<Service>(manifests, 'Service')
    const [monitor] = ofKind<ServiceMonitor>(manifests, 'ServiceMonitor')
    const { labels } = deployment.spec.template.metadata
    expect(labels).toMatchObject(deployment.spec.selector.matchLabels)
    expect(labels).toMatchObject(service.spec.selector)
    expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels)
    const hosts = acceptedHosts(deployment, { POD_IP: '10.1.2.3' })
    const called = ['', '.games', '.games.svc', '.games.svc.cluster.local'].map(
      (end) => `${service.metadata.name}${end}:9740`,
    )
    const other = ['10.1.2.3:9740', 'mirror.example.org']
    expect([...called, ...other].filter((header) => !hosts.allows(header))).toStrictEqual([])
    expect(hosts.allows('elsewhere.example.org')).toBe(false)
  })

  test('only a mirror with an upstream may connect anywhere', () => {
    const egress = (values: object): unknown =>
      (ofKind(rendered(values), 'NetworkPolicy')[0] as unknown as { spec: { egress: unknown } }).spec.egress
    expect(egress({})).toStrictEqual([])
    expect(egress({ sessions })).toStrictEqual([{}])
  })

  test('each part can be left out', () => {
    const off = { enabled: false }
    const kinds = rendered({
      serviceMonitor: off,
      prometheusRules: off,
      dashboards: off,
      dataSource: off,
      networkPolicy: off,
    }).map(({ kind }) => kind)
    expect(kinds.toSorted()).toStrictEqual(['Deployment', 'Service'])
  })
})
