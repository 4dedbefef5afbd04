/**
 * Writes what Prometheus and Grafana of the stack read when they start, into a directory that they share:
 *
 *   prometheus.yml, rules/  with links to the addresses of Grafana and the mirror, `remote_write` where a store is, and
 *                           longer intervals where a world is large
 *   load-backfill.sh        the script of a service that runs once
 *   longterm-url            where Grafana reads long-term data: the long-term store, or Prometheus itself
 *   password, web.yml       what Prometheus, Alertmanager and the long-term store ask for, and its hash; the guard has it,
 *                           so that a page cannot go around the guard by the address of a container
 *   grafana/                provisioning and dashboards
 *
 * So no service needs a file of a checkout. Prometheus reloads its files when they change, Grafana its dashboards.
 */
import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hashSync } from 'bcryptjs'
import { settingsFrom } from '../../alerts/config-file.ts'
import { enabledGroups, groupsFile } from '../../alerts/groups.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { addressesOf, addressProblems } from './addresses.ts'

const usage = 'Usage: node deploy/stack/configuration.ts DIRECTORY [TUNING]'

const root = join(import.meta.dirname, '../..')
const store = 'http://victoria-metrics:8428'
/** Grafana asks through the guard, which lets it query alone. */
const guarded = { prometheus: 'http://guard:9090', store: 'http://guard:8428' }

type Environment = Readonly<Record<string, string | undefined>>
type Files = ReadonlyMap<string, string>

/** Where long-term data is written to, as configuration of Prometheus, and read from. */
async function longTerm(environment: Environment): Promise<{ write: string; query: string }> {
  const write = environment['LONGTERM_WRITE_URL'] || ''
  const query = environment['LONGTERM_QUERY_URL'] ? guarded.store : guarded.prometheus
  const auth = '    basic_auth: *stack\n'
  const writtenTo = (url: string, more: string): string => `\nremote_write:\n  - url: '${url}'\n${more}`
  if (write !== '') return { write: writtenTo(write, environment['LONGTERM_IN_STACK'] ? auth : ''), query }
  // The name of a store that runs resolves, even before it responds.
  const isRunning = await lookup(new URL(store).hostname).then(
    () => true,
    () => false,
  )
  if (!isRunning) return { write: '', query: guarded.prometheus }
  return { write: writtenTo(`${store}/api/v1/write`, auth), query: guarded.store }
}

/** With more hosts, scrapes and rules every few seconds keep a processor busy. */
const oftenHostsMax = 2_000

/** The scales of the built-in worlds: names, and numbers of hosts. */
const scalesOf = ({ DCSIM_SCALE: scale = '', DCSIM_SESSIONS: sessions = '' }: Environment): string[] => [
  scale,
  ...[...sessions.matchAll(/[?&]scale=(\d+)/g)].map(([, hosts]) => hosts),
]

/** The configuration of Prometheus; with a large world at the intervals of most existing ones. */
function prometheusConfiguration(environment: Environment, write: string): string {
  const often = readFileSync(join(root, 'alerts/prometheus.yml'), 'utf8')
  const isLarge = scalesOf(environment).some((scale) => Number(scale) > oftenHostsMax)
  const configuration = isLarge ? often.replaceAll(': 5s', ': 15s').replace(': 4s', ': 10s') : often
  return configuration + write
}

/** The files of a folder of the package, below another one. */
function shipped(folder: string, below: string): (readonly [string, string])[] {
  return readdirSync(join(root, folder)).map((name) => [
    join(below, name),
    readFileSync(join(root, folder, name), 'utf8'),
  ])
}

async function filesOf(environment: Environment, tuning: string | undefined): Promise<Files> {
  const { grafana, mirror } = addressesOf(environment)
  const settings = settingsFrom(tuning, { ...defaultSettings, grafana, runbooks: `${mirror}/runbooks` })
  const rules = enabledGroups(settings).map(
    (group) => [`rules/${group.subject}.rules.yaml`, JSON.stringify(groupsFile(group), null, 2)] as const,
  )
  const store = await longTerm(environment)
  return new Map([
    ...rules,
    ['prometheus.yml', prometheusConfiguration(environment, store.write)],
    ['longterm-url', store.query],
    ['load-backfill.sh', readFileSync(join(root, 'deploy/stack/load-backfill.sh'), 'utf8')],
    ...shipped('dashboards/generated', 'grafana/dashboards'),
    ...shipped('dashboards/provisioning/dashboards', 'grafana/provisioning/dashboards'),
    ...shipped('dashboards/provisioning/datasources', 'grafana/provisioning/datasources'),
  ])
}

/** Of 24 random bytes, so that the cheapest hash suffices; kept, as servers that run may have it. */
function secrets(directory: string): Files {
  const path = join(directory, 'password')
  const password = existsSync(path) ? readFileSync(path, 'utf8') : randomBytes(24).toString('base64url')
  return new Map([
    ['password', password],
    ['web.yml', `basic_auth_users:\n  stack: ${hashSync(password, 4)}\n`],
  ])
}

/** Folders whose files are all written here, so that those of another version are removed. */
const ownFolders = [
  'rules',
  'grafana/dashboards',
  'grafana/provisioning/dashboards',
  'grafana/provisioning/datasources',
] as const

function write(directory: string, files: Files, mode = 0o644): void {
  // Grafana reports those that are missing as errors.
  for (const name of ['plugins', 'alerting'])
    mkdirSync(join(directory, 'grafana/provisioning', name), { recursive: true })
  for (const [name, text] of files) {
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true })
    // Renaming is atomic: no reader sees a partial file.
    writeFileSync(`${path}.new`, text, { mode })
    renameSync(`${path}.new`, path)
  }
}

function removeOthers(directory: string, files: Files): void {
  for (const folder of ownFolders)
    for (const name of readdirSync(join(directory, folder)))
      if (!files.has(join(folder, name))) rmSync(join(directory, folder, name))
}

try {
  const [directory, tuning] = process.argv.slice(2)
  const found = addressProblems(process.env)
  if (directory === undefined || found.length > 0)
    throw new Error(directory === undefined ? usage : found.join('\n'))
  const files = await filesOf(process.env, tuning)
  write(directory, files)
  removeOthers(directory, files)
  // Read by Prometheus, Alertmanager, the store and the guard, which have one user.
  write(directory, secrets(directory), 0o600)
  console.log(
    `Trends reads from ${files.get('longterm-url')}. Alerts link to ${addressesOf(process.env).grafana}.`,
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
