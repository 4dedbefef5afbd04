import { spawnSync } from 'node:child_process'
import { parseAllDocuments } from 'yaml'
import { listenSettings } from '../../src/options/service-settings.ts'
import { HostNames } from '../../src/http/requests/host-names.ts'

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly data?: Readonly<Record<string, string>>
}

interface Variable {
  readonly name: string
  readonly value?: string
}

interface Probe {
  readonly httpGet: { readonly path: string }
}

export interface Deployment extends Manifest {
  readonly spec: {
    readonly selector: { readonly matchLabels: object }
    readonly template: {
      readonly metadata: { readonly labels: object }
      readonly spec: {
        readonly enableServiceLinks: boolean
        readonly securityContext: object
        readonly volumes?: readonly object[]
        readonly containers: readonly [
          {
            readonly image: string
            readonly command?: readonly string[]
            readonly args?: readonly string[]
            readonly resources: object
            readonly env: readonly Variable[]
            readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
            readonly startupProbe: Probe & {
              readonly periodSeconds: number
              readonly failureThreshold: number
            }
            readonly readinessProbe: Probe
            readonly livenessProbe: Probe
            readonly securityContext: object
          },
        ]
      }
    }
  }
}

export interface Service extends Manifest {
  readonly spec: {
    readonly selector: object
    readonly ports: readonly [{ readonly name: string; readonly port: number; readonly targetPort: string }]
  }
}

interface Relabeling {
  readonly action?: string
  readonly targetLabel?: string
  readonly replacement?: string
  readonly regex?: string
}

export interface ServiceMonitor extends Manifest {
  readonly spec: {
    readonly selector: { readonly matchLabels: object }
    readonly endpoints: readonly {
      readonly port: string
      readonly params: { readonly session: readonly string[] }
      readonly relabelings: readonly Relabeling[]
    }[]
  }
}

export interface PrometheusRule extends Manifest {
  readonly spec: { readonly groups: readonly object[] }
}

export const parsed = (text: string): Manifest[] =>
  parseAllDocuments(text, { merge: true })
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null)

export const ofKind = <T extends Manifest>(manifests: readonly Manifest[], kind: string): T[] =>
  manifests.filter((manifest) => manifest.kind === kind) as T[]

type Model = new (data: Manifest) => { validate: () => void }

/** Packages with the schemas of groups that are none of Kubernetes itself. */
const packages: Readonly<Record<string, string>> = {
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'grafana.integreatly.org': '@kubernetes-models/grafana-operator',
}

/** The module of a kind's schema in the package of models. */
const modelOf = ({ apiVersion }: Manifest): string =>
  `${packages[apiVersion.split('/')[0]] ?? 'kubernetes-models'}/${apiVersion}`

/** Violations of a manifest's schema; empty if there are none. */
export async function problems(manifest: Manifest): Promise<string> {
  const models = (await import(modelOf(manifest))) as Readonly<Record<string, Model>>
  try {
    new models[manifest.kind](manifest).validate()
    return ''
  } catch (error) {
    return `${manifest.kind} ${manifest.metadata.name}: ${(error as Error).message}`
  }
}

/** Host names that the mirror of a deployment accepts, after the kubelet's expansion of variables. */
export function acceptedHosts(deployment: Deployment, replaced: Readonly<Record<string, string>>): HostNames {
  const { env } = deployment.spec.template.spec.containers[0]
  const { value = '' } = env.find(({ name }) => name === 'DCSIM_ALLOW_HOST')!
  const text = value.replaceAll(/\$\((\w+)\)/g, (_, name: string) => replaced[name])
  const names = listenSettings['allow-host'].parse(text)
  if (!Array.isArray(names)) throw new Error(`Not a list of host names: ${text}`)
  return new HostNames(names as readonly string[])
}

/** The command of an optional program; null if it is not installed. */
export function optionalTool(name: string, asked = 'version'): string | null {
  const found = [name, `${process.env['HOME']}/go/bin/${name}`].find(
    (path) => spawnSync(path, [asked]).error === undefined,
  )
  if (found === undefined) console.warn(`Skipping the tests that need ${name}, which is not installed here.`)
  return found ?? null
}

export function output(program: string, ...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 26 })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

/** The limit for all annotations together; `kubectl apply` stores the applied manifest in one. */
export const annotationBytesMax = 262_144
