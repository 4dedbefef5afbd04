import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { committedFiles } from './committed.ts'

const read = (path: string): unknown => parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))

interface DataSource {
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
  readonly ports: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
}

const { datasources } = read('dashboards/provisioning/datasources/dcsim.yaml') as {
  datasources: DataSource[]
}
const { providers } = read('dashboards/provisioning/dashboards/dcsim.yaml') as {
  providers: { type: string; options: { path: string } }[]
}
const { services } = read('docker-compose.yml') as { services: Record<string, Service> }
const { grafana } = services

test('the data sources have fixed addresses and are of the types that the dashboards ask for', () => {
  expect(datasources.map(({ uid, type }) => [uid, type])).toStrictEqual([
    ['dcsim-prometheus', 'prometheus'],
    ['dcsim-infinity', 'yesoreyeram-infinity-datasource'],
    ['dcsim-alertmanager', 'alertmanager'],
  ])
  expect(datasources[0].isDefault).toBe(true)
  const types = new Set(datasources.map(({ type }) => type))
  const asked = [...committedFiles.values()].flatMap((text) =>
    [...text.matchAll(/"type": "datasource",\s+"id": "([\w-]+)"/g)].map(([, type]) => type),
  )
  expect(asked.filter((type) => !types.has(type))).toStrictEqual([])
})

test('the data sources point at services of the stack', () => {
  const names = datasources.map(({ url }) => new URL(url).hostname)
  expect(names.filter((name) => services[name] === undefined)).toStrictEqual([])
  expect(datasources[1].jsonData.allowedHosts).toStrictEqual([datasources[1].url])
})

test('Grafana knows how often Prometheus scrapes', () => {
  const prometheus = read('alerts/prometheus.yml') as { global: { scrape_interval: string } }
  expect(datasources[0].jsonData.timeInterval).toBe(prometheus.global.scrape_interval)
})

test('the stack mounts the dashboards where Grafana looks for them, with Session as home', () => {
  const [{ type, options }] = providers
  expect(type).toBe('file')
  expect(grafana.volumes).toContain(`./dashboards/generated:${options.path}:ro`)
  for (const folder of ['datasources', 'dashboards']) {
    const mount = `./dashboards/provisioning/${folder}:/etc/grafana/provisioning/${folder}:ro`
    expect(grafana.volumes).toContain(mount)
  }
  expect(grafana.environment['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH']).toBe(
    `${options.path}/dcsim-session.json`,
  )
  expect(committedFiles.has('dcsim-session.json')).toBe(true)
})

test('the stack runs the versions of Grafana and Infinity that the dashboards are made for', () => {
  expect(grafana.image).toBe('grafana/grafana:13.2.3')
  expect(grafana.environment['GF_PLUGINS_PREINSTALL_SYNC']).toBe('yesoreyeram-infinity-datasource@3.11.1')
})

test('Grafana is reached from this machine alone, by people who may look and change nothing', () => {
  expect(grafana.ports).toStrictEqual(['127.0.0.1:${GRAFANA_PORT:-3000}:3000'])
  expect(grafana.environment['GF_AUTH_ANONYMOUS_ENABLED']).toBe('true')
  expect(grafana.environment['GF_AUTH_ANONYMOUS_ORG_ROLE']).toBe('Viewer')
})

test('nothing else of the stack waits for Grafana', () => {
  const waiting = Object.values(services).filter(({ depends_on: needs = {} }) => 'grafana' in needs)
  expect(waiting).toStrictEqual([])
})
