import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { defaultSettings } from '../../alerts/settings.ts'
import { listings } from '../../dashboards/listings.ts'
import { routes } from '../../src/contract/routes.ts'
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

interface Kustomization {
  readonly namespace?: string
  readonly resources?: readonly string[]
  readonly generatorOptions?: {
    readonly labels: Manifest['metadata']['labels']
    readonly annotations: Manifest['metadata']['annotations']
  }
  readonly configMapGenerator?: readonly { readonly name: string; readonly files: readonly [string] }[]
}

/** The output of kustomize for a folder: resources of files and other folders, and generated ConfigMaps. */
function built(folder: string): Manifest[] {
  const given = parse(fileText(`${folder}/kustomization.yaml`)) as Kustomization
  const resources = (given.resources ?? []).flatMap((path) => {
    const whole = join(folder, path)
    return whole.endsWith('.yaml') ? parsed(fileText(whole)) : built(whole)
  })
  const generated = (given.configMapGenerator ?? []).map(({ name, files: [file] }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      labels: given.generatorOptions!.labels,
      annotations: given.generatorOptions!.annotations!,
    },
    data: { [file.slice(dirname(file).length + 1)]: fileText(join(folder, file)) },
  }))
  const { namespace } = given
  const manifests = [...resources, ...generated]
  if (namespace === undefined) return manifests
  const inNamespace = (manifest: Manifest): Manifest => ({
    ...manifest,
    metadata: { ...manifest.metadata, namespace },
  })
  return manifests.map(inNamespace)
}

const manifests = built('deploy/kubernetes')
const [deployment] = ofKind<Deployment>(manifests, 'Deployment')
const [service] = ofKind<Service>(manifests, 'Service')
const [monitor] = ofKind<ServiceMonitor>(manifests, 'ServiceMonitor')
const [container] = deployment.spec.template.spec.containers
const generatedNames = (folder: string, end: string): string[] =>
  readdirSync(new URL(folder, root)).filter((name) => name.endsWith(end))

test('what lists the dashboards is what the programs write (npm run dashboards)', () => {
  for (const [path, text] of listings()) expect(fileText(path)).toBe(text)
})

describe('kubectl apply -k deploy/kubernetes', () => {
  test('brings every manifest as its schema wants it', async () => {
    const found = await Promise.all(manifests.map(problems))
    expect(found.filter((text) => text !== '')).toStrictEqual([])
  })

  test('a manifest with a mistake is found', async () => {
    const wrong = structuredClone(deployment) as unknown as { spec: { replicas: unknown } }
    wrong.spec.replicas = 'one'
    expect(await problems(wrong as unknown as Manifest)).toMatch(/replicas/)
  })

  test('brings every rule file as a PrometheusRule, and every dashboard as a ConfigMap that the sidecar finds', () => {
    const rules = ofKind<PrometheusRule>(manifests, 'PrometheusRule')
    const groups = generatedNames('alerts/generated/', '.rules.yaml').map(
      (name) => (parse(fileText(`alerts/generated/${name}`)) as PrometheusRule['spec']).groups,
    )
    expect(new Set(rules.map(({ spec }) => spec.groups))).toStrictEqual(new Set(groups))
    const maps = ofKind(manifests, 'ConfigMap').filter(
      ({ metadata }) => 'grafana_dashboard' in metadata.labels,
    )
    expect(maps.flatMap(({ data }) => Object.keys(data!)).toSorted()).toStrictEqual(
      generatedNames('dashboards/generated/', '.json').toSorted(),
    )
    for (const { metadata } of maps) expect(metadata.labels['grafana_dashboard']).toBe('1')
  })

  test('nothing is larger than kubectl apply takes', () => {
    for (const manifest of manifests) expect(JSON.stringify(manifest).length).toBeLessThan(annotationBytesMax)
  })

  test('names are unique within their kind', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test('deployment, service and monitor find each other by labels and ports', () => {
    const { labels } = deployment.spec.template.metadata
    expect(labels).toMatchObject(deployment.spec.selector.matchLabels)
    expect(labels).toMatchObject(service.spec.selector)
    expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels)
    const [port] = service.spec.ports
    expect(monitor.spec.endpoints[0].port).toBe(port.name)
    expect(container.ports).toStrictEqual([{ name: port.targetPort, containerPort: 9740 }])
  })

  test('runs the image of this version, restricted, ready once there is a world', () => {
    expect(container.image).toBe(stack.services['mirror'].image)
    expect(container.securityContext).toStrictEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    })
    expect(deployment.spec.template.spec).toMatchObject({
      enableServiceLinks: false,
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    })
    const beforeWorld = (path: string): boolean =>
      Object.values(routes).find((route) => route.path === path)!.beforeWorld
    expect(beforeWorld(container.readinessProbe.httpGet.path)).toBe(false)
    expect(beforeWorld(container.livenessProbe.httpGet.path)).toBe(true)
    // The first answer may come after minutes on a busy node, before which no other probe is asked.
    const { httpGet, periodSeconds, failureThreshold } = container.startupProbe
    expect(httpGet).toStrictEqual(container.livenessProbe.httpGet)
    expect(periodSeconds * failureThreshold).toBe(300)
    expect(container.resources).toMatchObject({ limits: { cpu: 2, memory: '1Gi' } })
  })

  test('scrapes under the job of the rules, as the session that the mirror has, without labels of its own metrics', () => {
    const [endpoint] = monitor.spec.endpoints
    const session = container.env.find(({ name }) => name === 'DCSIM_SESSION')!.value
    expect(endpoint.params.session).toStrictEqual([session])
    expect(endpoint.relabelings).toContainEqual({ targetLabel: 'job', replacement: defaultSettings.job })
    expect(endpoint.relabelings).toContainEqual({ targetLabel: 'session', replacement: session })
    const dropped = endpoint.relabelings.find(({ action }) => action === 'labeldrop')!.regex!.split('|')
    // The operator adds these labels to every target; `service` is a label of metrics too.
    expect(dropped).toStrictEqual(['pod', 'container', 'endpoint', 'service'])
    expect(fileText('docs/metrics.md')).toContain('`service`')
  })

  test.each([
    ['10.1.2.3', '10.1.2.3:9740'],
    ['fd00::1:2', '[fd00::1:2]:9740'],
  ])('the mirror answers to every name of its service, and to the address %s of its pod', (ip, header) => {
    const hosts = acceptedHosts(deployment, { POD_IP: ip, NAMESPACE: 'games' })
    const { name } = service.metadata
    const called = ['', '.games', '.games.svc', '.games.svc.cluster.local', '.games.svc.cluster.local.']
    expect(called.filter((end) => !hosts.allows(`${name}${end}:9740`))).toStrictEqual([])
    expect(hosts.allows(header)).toBe(true)
    expect(hosts.allows('dcsim-mirror.example.org')).toBe(false)
  })

  test('dashboards read their texts from the service', () => {
    const { data } = ofKind(manifests, 'ConfigMap').find(
      ({ metadata }) => 'grafana_datasource' in metadata.labels,
    )!
    const { datasources } = parse(data!['dcsim-infinity.yaml']) as {
      datasources: { uid: string; url: string; jsonData: { allowedHosts: string[] } }[]
    }
    const { name, namespace } = service.metadata
    const url = `http://${name}.${namespace}.svc:9740`
    expect(datasources).toMatchObject([{ uid: 'dcsim-infinity', url, jsonData: { allowedHosts: [url] } }])
    expect(readFileSync(new URL('dashboards/provisioning/datasources/dcsim.yaml', root), 'utf8')).toContain(
      'uid: dcsim-infinity',
    )
  })
})

const kubectl = optionalTool('kubectl', '--help')

test.skipIf(kubectl === null)('kubectl builds just these (skipped where it is not installed)', () => {
  const name = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.namespace} ${metadata.name}`
  const built = parsed(output(kubectl!, 'kustomize', 'deploy/kubernetes'))
  const sorted = (list: readonly Manifest[]): Manifest[] =>
    list.toSorted((a, b) => (name(a) < name(b) ? -1 : 1))
  expect(sorted(built)).toStrictEqual(sorted(manifests))
})
