import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isOfThisMachine } from '../../src/http/requests/host-names.ts'
import type { AlertSettings } from '../settings.ts'
import {
  channelNames,
  channels,
  linksOf,
  notifiedSeverities,
  serverPattern,
  variableOf,
  variablesOf,
  watchdog,
} from './channels.ts'
import type { Channel } from './channels.ts'
import { inhibitions } from './inhibitions.ts'
import { alertRoutes } from './routes.ts'

/** Older versions lack `url_file` of some channels, and `dict` in templates. */
export const alertmanagerVersionMin = '0.32'

type Environment = Readonly<Record<string, string | undefined>>

/** The part of a value that is not secret: the scheme and the host of a URL, otherwise three characters. */
function redacted(value: string): string {
  const server = serverPattern.exec(value)?.[0]
  const start = server !== undefined ? `${server}/` : /^https?:\/\//.test(value) ? '' : value.slice(0, 3)
  return `${start}… (${value.length} characters)`.replaceAll(/\p{Cc}/gu, '')
}

/** The problems of the variables, one line each. */
export function problems(environment: Environment): string[] {
  const refused = (variable: string, { pattern, expected }: Channel): string[] => {
    const value = environment[variable] ?? ''
    if (value === '' || pattern.test(value)) return []
    return [`${variable}: got ${redacted(value)}, expected ${expected}`]
  }
  return [
    ...channelNames.flatMap((name) =>
      variablesOf(name).flatMap((variable) => refused(variable, channels[name])),
    ),
    ...refused(variableOf('watchdog'), watchdog),
  ]
}

type Receiver = Readonly<Record<string, unknown>>

/** Whether who reads a dashboard reaches Alertmanager too, by the addresses of a stack. */
function reachesAlertmanager(environment: Environment): boolean {
  const [grafana, alertmanager] = ['DCSIM_GRAFANA_URL', 'DCSIM_ALERTMANAGER_URL'].map(
    (name) => environment[name] ?? '',
  )
  return grafana === '' || isOfThisMachine(grafana) || !isOfThisMachine(alertmanager)
}

/** Receivers by severity, each with all channels for that severity. */
function receivers(environment: Environment, keep: (name: string, secret: string) => string): Receiver[] {
  const links = linksOf(reachesAlertmanager(environment))
  const receiver = (name: string, used: readonly (readonly [string, Channel, string])[]): Receiver => {
    const lists: Record<string, object[]> = {}
    for (const [channel, { integration }, value] of used) {
      const keepPart = (secret: string, part?: string): string =>
        keep([channel, ...(part === undefined ? [] : [part]), name].join('-'), secret)
      const { list, entry } = integration(value, keepPart, links)
      lists[list] = [...(lists[list] ?? []), { ...entry, send_resolved: name !== 'watchdog' }]
    }
    return { name, ...lists }
  }
  const alive = environment[variableOf('watchdog')] ?? ''
  return [
    { name: 'none' },
    receiver('watchdog', alive === '' ? [] : [['webhook', watchdog, alive]]),
    ...notifiedSeverities.map((severity) => {
      const used = channelNames.map((name) => {
        const own = environment[variableOf(name, severity)] ?? ''
        return [name, channels[name], own === '' ? (environment[variableOf(name)] ?? '') : own] as const
      })
      return receiver(
        severity,
        used.filter(([, , value]) => value !== ''),
      )
    }),
  ]
}

/** Settings of a config file, and templates that define those of messages again. */
interface Tuning {
  readonly settings: AlertSettings | null
  readonly templates: readonly string[]
}

/** Routes and inhibition: those of `npm run alerts`, or JSON, which is YAML, of other settings. */
function rulesOf(settings: AlertSettings | null): string {
  const alerts = join(import.meta.dirname, '..')
  const generated = (name: string): string => readFileSync(join(alerts, 'generated', name), 'utf8')
  return settings === null
    ? `route:\n${generated('routes.yml')}inhibit_rules:\n${generated('inhibit-rules.yml')}`
    : `route: ${JSON.stringify(alertRoutes(settings))}\ninhibit_rules: ${JSON.stringify(inhibitions(settings))}\n`
}

/** Copies templates into a folder, and returns a pattern for them. Alertmanager reads them by name: own ones come last. */
function copyTemplates(folder: string, own: readonly string[]): string {
  const shipped = join(import.meta.dirname, '../templates')
  rmSync(folder, { recursive: true, force: true })
  cpSync(shipped, folder, { recursive: true })
  for (const file of own) copyFileSync(file, join(folder, `own-${basename(file)}`))
  return join(folder, '*.tmpl')
}

/** Writes what Alertmanager reads: alertmanager.yml, the templates of messages, and a file for each secret. */
export function writeConfiguration(
  directory: string,
  environment: Environment,
  { settings, templates }: Tuning = { settings: null, templates: [] },
): void {
  const secrets = join(directory, 'secrets')
  mkdirSync(secrets, { recursive: true, mode: 0o700 })
  const kept = new Set<string>()
  const keep = (name: string, secret: string): string => {
    kept.add(name)
    writeFileSync(join(secrets, name), secret, { mode: 0o600 })
    return join(secrets, name)
  }
  const parts = [
    `# For Alertmanager ${alertmanagerVersionMin} or newer: an older one reports unknown fields, or that dict is not defined.\n`,
    rulesOf(settings),
    `templates: ${JSON.stringify([copyTemplates(join(directory, 'templates'), templates)])}\n`,
    `receivers: ${JSON.stringify(receivers(environment, keep), null, 2)}\n`,
  ]
  writeFileSync(join(directory, 'alertmanager.yml'), parts.join(''), { mode: 0o600 })
  for (const name of readdirSync(secrets)) if (!kept.has(name)) rmSync(join(secrets, name))
}
