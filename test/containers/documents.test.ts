import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { defaultSettings } from '../../alerts/settings.ts'
import { routes } from '../../src/contract/routes.ts'
import { hasTool } from '../fixtures/tools.ts'
import { fileText, root, stack } from './stack-file.ts'

interface Snippet {
  /** The file that it belongs to, as its first line says. */
  readonly file: string
  readonly text: string
}

const snippetsOf = (path: string): Snippet[] =>
  [...fileText(path).matchAll(/^```yaml\n# (\S+)\n([^]*?)^```$/gm)].map(([, file, text]) => ({ file, text }))

const monitoring = snippetsOf('docs/existing-monitoring.md')
const longTerm = snippetsOf('docs/long-term.md')

/** What promtool says of a configuration beside the files that the documents name; empty where it is content. */
function complaints(configuration: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(new URL('alerts/generated/', root), join(folder, 'rules'), { recursive: true })
  for (const { file, text } of monitoring.filter((snippet) => snippet.file.includes('/'))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  writeFileSync(join(folder, 'prometheus.yml'), configuration)
  const { status, stdout, stderr } = spawnSync(
    'promtool',
    ['check', 'config', join(folder, 'prometheus.yml')],
    {
      encoding: 'utf8',
    },
  )
  return status === 0 ? '' : stdout + stderr
}

const configurations = [...monitoring, ...longTerm].filter(({ file }) => file === 'prometheus.yml')

test('the documents have snippets to check', () => {
  expect(configurations).toHaveLength(8)
  expect(monitoring.map(({ file }) => file)).toContain('sessions/evening.yml')
})

describe.skipIf(!hasTool('promtool'))('promtool (skipped where there is none)', () => {
  test.each(configurations)('takes what the documents tell to write: $text', ({ text }) => {
    expect(complaints(text)).toBe('')
  })

  test.each(longTerm)("... also behind the stack's own configuration", ({ text }) => {
    const own = parse(fileText('alerts/prometheus.yml')) as { global: object }
    const added = parse(text) as { global?: object }
    const both = { ...own, ...added, global: { ...own.global, ...added.global } }
    expect(complaints(JSON.stringify(both))).toBe('')
  })

  test('what is no configuration is found', () => {
    expect(complaints('scrape_configs: [{ job: dcsim }]')).toContain('job')
  })
})

test('every dashboard of the past that the last snippet keeps is kept', () => {
  const dropped = /regex: (.+)/.exec(longTerm.at(-1)!.text)![1]
  const trends = fileText('dashboards/generated/dcsim-trends.json')
  const asked = [...trends.matchAll(/dcsim_\w+/g)].map(([name]) => name)
  expect(asked.length).toBeGreaterThan(5)
  expect(asked.filter((name) => new RegExp(`^${dropped}$`).test(name))).toStrictEqual([])
})

interface Deployment {
  readonly kind: string
  readonly spec: {
    readonly selector: { readonly matchLabels: object }
    readonly template: {
      readonly metadata: { readonly labels: object }
      readonly spec: { readonly containers: readonly [Container] }
    }
  }
}

interface Container {
  readonly image: string
  readonly env: readonly { readonly name: string; readonly value?: string }[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly readinessProbe: Probe
  readonly livenessProbe: Probe
}

interface Probe {
  readonly httpGet: { readonly path: string }
}

interface Service {
  readonly kind: string
  readonly metadata: { readonly labels: object }
  readonly spec: {
    readonly selector: object
    readonly ports: readonly [{ readonly name: string; readonly targetPort: string }]
  }
}

interface ServiceMonitor {
  readonly kind: string
  readonly spec: {
    readonly selector: { readonly matchLabels: object }
    readonly endpoints: readonly [{ readonly port: string; readonly relabelings: readonly object[] }]
  }
}

describe.skipIf(!hasTool('systemd-analyze'))('systemd-analyze (skipped where there is none)', () => {
  const [, unit] = /^```ini\n# \S+\n([^]*?)^```$/m.exec(fileText('docs/existing-monitoring.md'))!
  const checkout = fileURLToPath(root).slice(0, -1)

  test.each([
    ['finds nothing wrong with the service', unit, 0],
    ['finds what is wrong with one', unit.replace('MemoryMax=1G', 'MemoryMax=much'), 1],
  ])('%s', (_, text, complaintCount) => {
    const folder = mkdtempSync(join(tmpdir(), 'documents-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'dcsim-mirror.service')
    writeFileSync(file, text.replaceAll('/opt/dcsim-mirror', checkout))
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
      encoding: 'utf8',
    })
    const about = (stdout + stderr).split('\n').filter((line) => line.includes('dcsim-mirror.service'))
    expect(about).toHaveLength(complaintCount)
  })
})

describe('the manifests for Kubernetes', () => {
  const { text } = monitoring.find(({ file }) => file === 'mirror.yaml')!
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as { kind: string })
  const [deployment, service, monitor] = manifests as [Deployment, Service, ServiceMonitor]
  const [container] = deployment.spec.template.spec.containers

  test('parse, and are three', () => {
    expect(manifests.map(({ kind }) => kind)).toStrictEqual(['Deployment', 'Service', 'ServiceMonitor'])
  })

  test('find each other by their labels and ports', () => {
    const { labels } = deployment.spec.template.metadata
    expect(labels).toMatchObject(deployment.spec.selector.matchLabels)
    expect(labels).toMatchObject(service.spec.selector)
    expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels)
    const [port] = service.spec.ports
    expect(monitor.spec.endpoints[0].port).toBe(port.name)
    expect(container.ports).toStrictEqual([{ name: port.targetPort, containerPort: 9740 }])
  })

  test('run the image of this version, under the job that the rules look at', () => {
    const [, tag] = stack.services['mirror'].image.split(':')
    expect(container.image).toMatch(new RegExp(`/dcsim-mirror:${tag.replaceAll('.', '\\.')}$`))
    const { relabelings } = monitor.spec.endpoints[0]
    expect(relabelings).toContainEqual({ targetLabel: 'job', replacement: defaultSettings.job })
  })

  test('count the mirror as ready once it has a world, and as alive before', () => {
    const beforeWorld = (probe: Probe): boolean =>
      Object.values(routes).find(({ path }) => path === probe.httpGet.path)!.beforeWorld
    expect(beforeWorld(container.readinessProbe)).toBe(false)
    expect(beforeWorld(container.livenessProbe)).toBe(true)
  })

  test('let the mirror be called by the address of its pod', () => {
    const names = container.env.map(({ name, value }) => [name, value])
    expect(names).toContainEqual(['DCSIM_ALLOW_HOST', '$(POD_IP)'])
  })
})
