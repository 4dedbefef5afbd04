/**
 * Writes what Prometheus and Grafana of the stack read when they start, into a directory that they share:
 *
 *   prometheus.yml, rules/  with links to the addresses of Grafana and the mirror, `remote_write` where a store is, and
 *                           longer intervals where a world is large
 *   load-past.sh            the script of a service that runs once
 *   longterm-url            where Grafana reads long-term data: the long-term store, or Prometheus itself
 *   grafana/                provisioning and dashboards
 *
 * So no service needs a file of a checkout. Prometheus reloads its files when they change, Grafana its dashboards.
 */
import { lookup } from 'node:dns/promises'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { settingsFrom } from '../alerts/config-file.ts'
import { enabledGroups, groupsFile } from '../alerts/groups.ts'
import { defaultSettings } from '../alerts/settings.ts'
import { addressesOf, addressProblems } from './addresses.ts'

const usage = 'Usage: node stack/configuration.ts DIRECTORY [TUNING]'

const root = join(import.meta.dirname, '..')
const store = 'http://victoria-metrics:8428'
const prometheus = 'http://prometheus:9090'

type Environment = Readonly<Record<string, string | undefined>>
type Files = ReadonlyMap<string, string>

/** Where long-term data is written to and read from; null if no store runs. */
async function longTerm(environment: Environment): Promise<{ write: string; query: string } | null> {
  const query = environment['LONGTERM_QUERY_URL'] || prometheus
  const write = environment['LONGTERM_WRITE_URL'] || ''
  if (write !== '') return { write, query }
  // The name of a store that runs resolves, even before it responds.
  const isRunning = await lookup(new URL(store).hostname).then(
    () => true,
    () => false,
  )
  return isRunning ? { write: `${store}/api/v1/write`, query: store } : null
}

/** With more hosts, scrapes and rules every few seconds keep a processor busy. */
const oftenHostsMax = 2_000

/** The scales of the built-in worlds: names, and numbers of hosts. */
const scalesOf = ({ DCSIM_SCALE: scale = '', DCSIM_SESSIONS: sessions = '' }: Environment): string[] => [
  scale,
  ...[...sessions.matchAll(/[?&]scale=(\d+)/g)].map(([, hosts]) => hosts),
]

/** The configuration of Prometheus; with a large world at the intervals of most existing ones. */
function prometheusConfiguration(environment: Environment, write: string | null): string {
  const often = readFileSync(join(root, 'alerts/prometheus.yml'), 'utf8')
  const isLarge = scalesOf(environment).some((scale) => Number(scale) > oftenHostsMax)
  const configuration = isLarge ? often.replaceAll(': 5s', ': 15s').replace(': 4s', ': 10s') : often
  return write === null ? configuration : `${configuration}\nremote_write:\n  - url: '${write}'\n`
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
  const longTermStore = await longTerm(environment)
  return new Map([
    ...rules,
    ['prometheus.yml', prometheusConfiguration(environment, longTermStore?.write ?? null)],
    ['longterm-url', longTermStore?.query ?? prometheus],
    ['load-past.sh', readFileSync(join(root, 'alerts/load-past.sh'), 'utf8')],
    ...shipped('dashboards/generated', 'grafana/dashboards'),
    ...shipped('dashboards/provisioning/dashboards', 'grafana/provisioning/dashboards'),
    ...shipped('dashboards/provisioning/datasources', 'grafana/provisioning/datasources'),
  ])
}

/** Folders whose files are all written here, so that those of another version are removed. */
const ownFolders = [
  'rules',
  'grafana/dashboards',
  'grafana/provisioning/dashboards',
  'grafana/provisioning/datasources',
] as const

function write(directory: string, files: Files): void {
  // Grafana reports those that are missing as errors.
  for (const name of ['plugins', 'alerting'])
    mkdirSync(join(directory, 'grafana/provisioning', name), { recursive: true })
  for (const [name, text] of files) {
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true })
    // Renaming is atomic: no reader sees a partial file.
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  }
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
  console.log(
    `Trends reads from ${files.get('longterm-url')}. Alerts link to ${addressesOf(process.env).grafana}.`,
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
