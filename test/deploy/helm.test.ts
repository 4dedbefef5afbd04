import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { parse } from 'yaml'
import { generatedFiles } from '../../alerts/render.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { readSessionList } from '../../src/options/session-list.ts'
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

interface GrafanaDashboard extends Manifest {
  readonly spec: { readonly json: string }
}

interface TestPod extends Manifest {
  readonly spec: { readonly containers: readonly [{ readonly command: readonly string[] }] }
}

const chart = join(import.meta.dirname, '../../deploy/helm/dcsim-mirror')
const helm = optionalTool('helm')

function valuesFile(values: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'values-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'values.yaml')
  writeFileSync(file, JSON.stringify(values))
  return file
}

/** A Helm that `go install` built takes itself to be for Kubernetes 1.20. */
const forCluster = ['--namespace', 'games', '--kube-version', '1.34.0']

const renderings = new Map<string, readonly Manifest[]>()

/** All objects of the chart. Reading the dashboards takes a second, so each rendering is kept. */
function rendered(values: object, release = 'dcsim-mirror'): readonly Manifest[] {
  const key = JSON.stringify([values, release])
  const kept = renderings.get(key)
  if (kept !== undefined) return kept
  const words = ['template', release, chart, ...forCluster, '--values', valuesFile(values)]
  const manifests = parsed(output(helm!, ...words))
  renderings.set(key, manifests)
  return manifests
}

/** The objects of one template, without the dashboards, which take the most time to read. */
const only = (template: string, values: object, release = 'dcsim-mirror'): Manifest[] => {
  const words = ['--show-only', `templates/${template}.yaml`, '--values', valuesFile(values)]
  return parsed(output(helm!, 'template', release, chart, ...forCluster, ...words))
}

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

describe.skipIf(helm === null)('helm (skipped where it is not installed)', () => {
  const everything = {
    sessions,
    identity: { cluster: 'east' },
    monitorLabels: { release: 'kube-prometheus-stack' },
    persistence: { enabled: true },
    // YAML reads N as no.
    env: { DCSIM_LOG_LEVEL: 'debug', DCSIM_CADENCE_MS: 1000, N: 1 },
    allowedHosts: ['mirror.example.org'],
    imagePullSecrets: [{ name: 'registry' }],
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ operator: 'Exists' }],
    nameOverride: 'games',
    fullnameOverride: 'plant',
    extraArgs: ['--cadence-ms=2000'],
    podAnnotations: { 'example.org/team': 'games' },
    podLabels: { team: 'games' },
    serviceAccount: { name: 'reader', annotations: { 'example.org/role': 'none' } },
    ingress: {
      enabled: true,
      className: 'nginx',
      annotations: { 'nginx.ingress.kubernetes.io/auth-type': 'basic' },
      hosts: ['games.example.org'],
      tls: [{ secretName: 'games-tls', hosts: ['games.example.org'] }],
    },
    httpRoute: {
      enabled: true,
      annotations: { 'example.org/team': 'games' },
      parentRefs: [{ name: 'gateway', namespace: 'gateways' }],
      hostnames: ['games.example.com'],
    },
  }
  const operator = { grafanaOperator: { enabled: true, allowCrossNamespaceImport: true } }

  test('lint finds nothing wrong', () => {
    expect(output(helm!, 'lint', '--strict', chart)).toContain('1 chart(s) linted, 0 chart(s) failed')
  })

  test.each([
    ['by default', {}],
    ['with every value', everything],
    ['for the grafana-operator', operator],
  ])('manifests are as their schemas want them, %s', async (_, values) => {
    const manifests = rendered(values)
    const found = await Promise.all(manifests.map(problems))
    expect(found.filter((text) => text !== '')).toStrictEqual([])
    for (const manifest of manifests) expect(JSON.stringify(manifest).length).toBeLessThan(annotationBytesMax)
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test('names stay within the limits of Kubernetes, for a long name of the release', () => {
    const release = 'a-very-long-name-of-a-release-that-has-53-characters'
    for (const values of [{}, operator, { fullnameOverride: `${release}-${release}` }])
      for (const { metadata } of rendered(values, release))
        expect(metadata.name).toMatch(/^[a-z0-9][a-z0-9.-]{0,61}[a-z0-9]$/)
  })

  test('a value with a mistake is refused', () => {
    expect(() => rendered({ sessions: [{ nam: 'evening', source: 'simulation' }] })).toThrow(/nam/)
    expect(() => rendered({ resource: {} })).toThrow(/resource/)
    // The name of a Service begins with a letter.
    expect(() => rendered({ fullnameOverride: '7games' })).toThrow(/fullnameOverride/)
    expect(() => rendered({ ingress: { enabled: true } })).toThrow(/ingress\/hosts|ingress\.hosts/)
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
    const other = ['10.1.2.3:9740', 'mirror.example.org', 'games.example.org', 'games.example.com']
    expect([...called, ...other].filter((header) => !hosts.allows(header))).toStrictEqual([])
    expect(hosts.allows('elsewhere.example.org')).toBe(false)
  })

  test.each([
    ['of release and chart', {}, 'plant', 'plant-dcsim-mirror', 'dcsim-mirror'],
    ['of the release, where it names the chart', {}, 'my-dcsim-mirror', 'my-dcsim-mirror', 'dcsim-mirror'],
    ['with another one of the chart', { nameOverride: 'games' }, 'plant', 'plant-games', 'games'],
    ['as a whole', { fullnameOverride: 'games' }, 'plant', 'games', 'dcsim-mirror'],
  ])('objects have a name %s', (_, values, release, name, app) => {
    const manifests = rendered(values, release)
    const [deployment] = ofKind<Deployment>(manifests, 'Deployment')
    expect(deployment.metadata.name).toBe(name)
    expect(deployment.metadata.labels).toMatchObject({
      'app.kubernetes.io/name': app,
      'app.kubernetes.io/instance': release,
    })
    for (const { metadata } of manifests) expect(metadata.name.startsWith(name)).toBe(true)
  })

  test.each([
    ['a small world', [{ scale: 'small' }], '244Mi', '488Mi'],
    ['a medium world', [{}], '264Mi', '528Mi'],
    ['a large world', [{ scale: 'large' }], '440Mi', '880Mi'],
    ['a world by its hosts', [{ scale: 10_000 }], '1190Mi', '2380Mi'],
    ['several worlds', [{ scale: 'small' }, {}], '428Mi', '856Mi'],
  ])('memory follows the scale: %s', (_, worlds, request, limit) => {
    const values = {
      sessions: worlds.map((settings, at) => ({ name: `s${at}`, source: 'simulation', settings })),
    }
    const [deployment] = only('deployment', values) as [Deployment]
    expect(deployment.spec.template.spec.containers[0].resources).toStrictEqual({
      requests: { cpu: '100m', memory: request },
      limits: { cpu: 1 + worlds.length, memory: limit },
    })
  })

  test('resources and flags are taken as they are given', () => {
    const resources = { limits: { memory: '2Gi' } }
    const [deployment] = only('deployment', { ...everything, resources }) as [Deployment]
    const [container] = deployment.spec.template.spec.containers
    expect(container).toMatchObject({
      resources,
      startupProbe: { httpGet: { path: '/-/healthy' }, periodSeconds: 5, failureThreshold: 60 },
      command: ['node', 'src/main.ts'],
      args: ['--cadence-ms=2000'],
    })
    expect(container.resources).toStrictEqual(resources)
  })

  test('a proxy reaches the service, and the network policy lets it', () => {
    const manifests = rendered(everything)
    const [service] = ofKind<Service>(manifests, 'Service')
    const [ingress, route, policy] = ['Ingress', 'HTTPRoute', 'NetworkPolicy'].map((kind) =>
      JSON.stringify(ofKind(manifests, kind)[0]),
    )
    const { name } = service.metadata
    expect(ingress).toContain(`"service":{"name":"${name}","port":{"name":"${service.spec.ports[0].name}"}}`)
    expect(route).toContain(`"backendRefs":[{"name":"${name}","port":${service.spec.ports[0].port}}]`)
    expect(policy).toContain('"ingress-nginx"')
    expect(JSON.stringify(only('network-policy', {}))).not.toContain('"ingress-nginx"')
  })

  test('for the grafana-operator, dashboards and data source are resources with the same content', () => {
    const [maps, resources] = [rendered({}), rendered(operator)]
    expect(ofKind(resources, 'ConfigMap')).toStrictEqual([])
    const dashboards = ofKind<GrafanaDashboard>(resources, 'GrafanaDashboard')
    const texts = ofKind(maps, 'ConfigMap').flatMap(({ data }) => Object.entries(data!))
    const json = texts.filter(([file]) => file.endsWith('.json')).map(([, text]) => text)
    expect(dashboards.map(({ spec }) => spec.json).toSorted()).toStrictEqual(json.toSorted())
    for (const { spec } of dashboards)
      expect(spec).toMatchObject({
        instanceSelector: { matchLabels: { dashboards: 'grafana' } },
        allowCrossNamespaceImport: true,
        folder: 'Data center',
      })
    const [, provisioned] = texts.find(([file]) => file === 'dcsim-infinity.yaml')!
    const { datasources } = parse(provisioned) as { datasources: readonly object[] }
    const [source] = ofKind(resources, 'GrafanaDatasource') as unknown as [{ spec: { datasource: object } }]
    expect(source.spec.datasource).toStrictEqual(datasources[0])
  })

  test('a world outlives its pod in a volume, of the chart or of the user', () => {
    const volumes = (persistence: object) => {
      const [{ spec }] = only('deployment', { persistence }) as [Deployment]
      return spec.template.spec.volumes
    }
    const claimed = (claimName: string) => [{ name: 'state', persistentVolumeClaim: { claimName } }]
    expect(volumes({})).toBeUndefined()
    expect(volumes({ enabled: true })).toStrictEqual(claimed('dcsim-mirror'))
    expect(only('persistence', { persistence: { enabled: true } })).toHaveLength(1)
    const own = { enabled: true, existingClaim: 'worlds' }
    expect(volumes(own)).toStrictEqual(claimed('worlds'))
    expect(() => only('persistence', { persistence: own })).toThrow(/could not find template/)
  })

  test('helm test asks the mirror for the metrics of each session, and is no endpoint of the service', async () => {
    const manifests = rendered({ sessions: [{ name: 'small-13', source: 'simulation' }] }, 'plant')
    const [service] = ofKind<Service>(manifests, 'Service')
    const [pod] = ofKind<TestPod>(manifests, 'Pod')
    expect(pod.metadata.annotations!['helm.sh/hook']).toBe('test')
    expect(pod.metadata.labels).not.toMatchObject(service.spec.selector)
    expect(JSON.stringify(ofKind(manifests, 'NetworkPolicy'))).toContain(
      JSON.stringify({
        'app.kubernetes.io/name': 'dcsim-mirror-test',
        'app.kubernetes.io/instance': 'plant',
      }),
    )
    const [, ...words] = pod.spec.containers[0].command
    expect(words.slice(2)).toStrictEqual(['http://plant-dcsim-mirror.games.svc:9740', 'small-13'])
    const mirror = await MirrorProcess.start('--scale small --warmup 1h --session small-13'.split(' '))
    try {
      const ask = (session: string) =>
        spawnSync(process.execPath, [words[0], words[1], mirror.origin, session], { encoding: 'utf8' })
      expect(ask('small-13')).toMatchObject({
        status: 0,
        stderr: '',
        stdout: expect.stringMatching(/^small-13: \d{4,} lines of metrics\n$/) as string,
      })
      expect(ask('another')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('another: ') as string,
      })
    } finally {
      await mirror.stop()
    }
  })

  test('only a mirror with an upstream may connect anywhere', () => {
    const egress = (values: object): unknown =>
      (only('network-policy', values)[0] as unknown as { spec: { egress: unknown } }).spec.egress
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
      serviceAccount: { create: false },
    }).map(({ kind }) => kind)
    // The pod of `helm test` runs only when it is asked for.
    expect(kinds.toSorted()).toStrictEqual(['Deployment', 'Pod', 'Service'])
  })
})
