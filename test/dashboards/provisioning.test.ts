import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { committedFiles } from './dashboard-json.ts'
import { backfillSettings } from '../../src/options/backfill-settings.ts'

const read = (path: string): unknown => parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))

interface DataSource {
  readonly name: string
  readonly uid: string
  readonly type: string
  readonly url: string
  readonly isDefault?: boolean
  readonly jsonData: { readonly timeInterval?: string; readonly allowedHosts?: readonly string[] }
}

interface Service {
  readonly image: string
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
}

const sourcesFile = read('dashboards/provisioning/datasources/dcsim.yaml') as {
  datasources: DataSource[]
}
const { datasources } = sourcesFile
const providersFile = read('dashboards/provisioning/dashboards/dcsim.yaml') as {
  providers: { type: string; options: { path: string } }[]
}
const { providers } = providersFile
const { services } = read('docker-compose.yml') as { services: Record<string, Service> }
const { grafana } = services

test('the data sources have fixed addresses and are of the types that the dashboards ask for', () => {
  expect(datasources.map(({ uid, type }) => [uid, type])).toStrictEqual([
    ['dcsim-prometheus', 'prometheus'],
    ['dcsim-longterm', 'prometheus'],
    ['dcsim-infinity', 'yesoreyeram-infinity-datasource'],
    ['dcsim-alertmanager', 'alertmanager'],
  ])
  expect(datasources[0].isDefault).toBe(true)
  const types = new Set(datasources.map(({ type }) => type))
  const queriedSources = [...committedFiles.values()].flatMap((text) =>
    [...text.matchAll(/"type": "datasource",\s+"id": "([\w-]+)"/g)].map(([, type]) => type),
  )
  expect(queriedSources.filter((type) => !types.has(type))).toStrictEqual([])
})

test('every address of a data source or a folder that a dashboard names is provisioned', () => {
  const uids = new Set(datasources.map(({ uid }) => uid))
  const named = [...committedFiles.values()].flatMap((text) =>
    [...text.matchAll(/"(?:uid|value)": "(dcsim-[\w-]+)"/g)].map(([, uid]) => uid),
  )
  expect(named).toContain('dcsim-longterm')
  expect(named.filter((uid) => !uids.has(uid) && !committedFiles.has(`${uid}.json`))).toStrictEqual([])
})

test('the data sources point at services of the stack', () => {
  const fixed = datasources.filter(({ url }) => !url.startsWith('$__file{'))
  const names = fixed.map(({ url }) => new URL(url).hostname)
  expect(names.filter((name) => services[name] === undefined)).toStrictEqual([])
  const infinity = datasources.find(({ uid }) => uid === 'dcsim-infinity')!
  expect(infinity.jsonData.allowedHosts).toStrictEqual([infinity.url])
})

test('the long term is read from where a file says, which the stack writes before Grafana starts', () => {
  const longTerm = datasources.find(({ uid }) => uid === 'dcsim-longterm')!
  const [, folder, file] = /^\$__file\{(.*)\/([\w-]+)\}$/.exec(longTerm.url) ?? []
  expect([folder, file]).toStrictEqual(['/etc/dcsim', 'longterm-url'])
  expect(grafana.volumes).toContain(`configuration:${folder}:ro`)
  const { prometheus } = services
  expect(prometheus.depends_on).toMatchObject({
    configuration: { condition: 'service_completed_successfully' },
  })
  expect(grafana.depends_on).toHaveProperty('prometheus')
})

test('of several data sources for Prometheus, Grafana offers the one that scrapes first', () => {
  const names = datasources.filter(({ type }) => type === 'prometheus').map(({ name }) => name)
  expect(names.toSorted()[0]).toBe(datasources[0].name)
})

test('Trends reads the long-term store, regardless of the choice elsewhere', () => {
  const trends = JSON.parse(committedFiles.get('dcsim-trends.json')!) as {
    templating: { list: { name: string; current?: { value: string }; skipUrlSync?: boolean }[] }
  }
  const source = trends.templating.list.find(({ name }) => name === 'prometheus_datasource')
  expect(source).toMatchObject({ current: { value: 'dcsim-longterm' }, skipUrlSync: true })
})

/** The keys that Grafana and the plugins read from such files. */
const knownKeys = {
  file: ['apiVersion', 'datasources', 'deleteDatasources', 'prune'],
  datasource: `name type access orgId uid url user database basicAuth basicAuthUser withCredentials isDefault
    correlations jsonData secureJsonData version editable`.split(/\s+/),
  prometheus: `httpMethod timeInterval queryTimeout manageAlerts prometheusType prometheusVersion cacheLevel
    incrementalQuerying incrementalQueryOverlapWindow disableRecordingRules disableMetricsLookup defaultEditor
    customQueryParameters exemplarTraceIdDestinations seriesLimit seriesEndpoint`.split(/\s+/),
  'yesoreyeram-infinity-datasource': ['auth_method', 'allowedHosts', 'timeoutInSeconds', 'httpHeaderName1'],
  alertmanager: ['implementation', 'handleGrafanaManagedAlerts'],
  providersFile: ['apiVersion', 'providers'],
  provider: `name orgId folder folderUid type disableDeletion editable updateIntervalSeconds allowUiUpdates
    options`.split(/\s+/),
  options: ['path', 'foldersFromFilesStructure'],
} as const

test('the provisioning files have no unknown keys', () => {
  const among = (thing: object, known: readonly string[]): void => {
    expect(Object.keys(thing).filter((key) => !known.includes(key))).toStrictEqual([])
  }
  among(sourcesFile, knownKeys.file)
  for (const source of datasources) {
    among(source, knownKeys.datasource)
    among(source.jsonData, knownKeys[source.type as 'prometheus'])
  }
  among(providersFile, knownKeys.providersFile)
  for (const provider of providers) {
    among(provider, knownKeys.provider)
    among(provider.options, knownKeys.options)
  }
})

test("Grafana's windows, four times the configured interval, hold three samples of scrapes and of the backfill", () => {
  const { global } = read('alerts/prometheus.yml') as { global: { scrape_interval: string } }
  const prometheus = datasources.filter(({ type }) => type === 'prometheus')
  for (const { jsonData } of prometheus) {
    const window = 4 * Number.parseInt(jsonData.timeInterval!, 10)
    expect(window).toBeGreaterThanOrEqual(3 * Number.parseInt(global.scrape_interval, 10))
    expect(window).toBeGreaterThanOrEqual(3 * Number.parseInt(backfillSettings.interval.defaultText, 10))
  }
  expect(prometheus).toHaveLength(2)
})

test('Grafana looks for the dashboards where the stack lays them, with Session as home', () => {
  const [{ type, options }] = providers
  expect([type, options.path]).toStrictEqual(['file', '/etc/dcsim/grafana/dashboards'])
  expect(grafana.environment['GF_PATHS_PROVISIONING']).toBe('/etc/dcsim/grafana/provisioning')
  expect(grafana.environment['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH']).toBe(
    `${options.path}/dcsim-session.json`,
  )
  expect(committedFiles.has('dcsim-session.json')).toBe(true)
})

test('the stack runs the versions of Grafana and Infinity that the dashboards are made for', () => {
  expect(grafana.image).toBe('grafana/grafana:13.2.3')
  expect(grafana.environment['GF_PLUGINS_PREINSTALL_SYNC']).toBe('yesoreyeram-infinity-datasource@3.11.2')
})

test('Grafana is for people who may look and change nothing', () => {
  expect(grafana.environment['GF_AUTH_ANONYMOUS_ENABLED']).toBe('true')
  expect(grafana.environment['GF_AUTH_ANONYMOUS_ORG_ROLE']).toBe('Viewer')
})

test('nothing of the stack waits for Grafana', () => {
  const waiting = Object.entries(services).filter(([, { depends_on: needs = {} }]) => 'grafana' in needs)
  expect(waiting.map(([name]) => name)).toStrictEqual([])
})

test('Grafana writes its database ahead, so that a slow first start does not find it locked', () => {
  expect(grafana.environment['GF_DATABASE_WAL']).toBe('true')
})
