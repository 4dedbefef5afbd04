import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GenericContainer, Wait } from 'testcontainers'
import type { StartedTestContainer } from 'testcontainers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generatedFiles } from '../../alerts/render.ts'
import { defaultSettings } from '../../alerts/settings.ts'
import { freePort, hasPrometheus, prometheusImage, until } from '../metrics/real-prometheus.ts'

const alertmanagerImage = 'prom/alertmanager:v0.33.1'

function hasAlertmanager(): boolean {
  const isThere = spawnSync('docker', ['image', 'inspect', alertmanagerImage]).status === 0
  if (!isThere && process.env['CI'] !== undefined)
    throw new Error(`The image ${alertmanagerImage} is missing.`)
  return isThere
}

/** A plant with a critical incident that also breaks a redundancy promise, and another that is only watched. */
const critical = `dcsim_incident_info{incident="7",band="Critical",root_kind="Unknown",symptom_kind="FailedRequests"} 1
dcsim_incident_info{incident="7",band="Critical",root_kind="Unknown",symptom_kind="FailedRequests",compliance_at_risk="HIPAA"} 1
dcsim_incident_redundancy_promise_broken{incident="7",band="Critical",root_kind="Unknown"} 1
dcsim_incident_info{incident="8",band="Major",root_kind="Unknown",symptom_kind="HighLatency"} 1
`
const calm = 'dcsim_az_bgp_advertising{az="1"} 1\n'

interface Notification {
  readonly status: string
  readonly groupLabels: Readonly<Record<string, string>>
  readonly alerts: readonly { readonly status: string; readonly labels: Readonly<Record<string, string>> }[]
}

const listen = async (server: Server): Promise<number> => {
  const { promise, resolve } = Promise.withResolvers<number>()
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  return promise
}

/** The stack's own files in the stack's images, on the host's network so that they reach the test. */
async function startPair(target: number, webhook: number): Promise<StartedTestContainer[]> {
  process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true'
  const [prometheusPort, alertmanagerPort] = [await freePort(), await freePort()]
  const script = readFileSync(new URL('../../alerts/alertmanager.sh', import.meta.url), 'utf8')
  const alertmanager = await new GenericContainer(alertmanagerImage)
    .withNetworkMode('host')
    .withEnvironment({ DCSIM_ALERT_WEBHOOK: `http://127.0.0.1:${webhook}/hook` })
    .withCopyContentToContainer([{ content: script, target: '/etc/alertmanager/alertmanager.sh' }])
    .withEntrypoint(['sh', '-c'])
    .withCommand([
      'sh /etc/alertmanager/alertmanager.sh > /tmp/alertmanager.yml && exec alertmanager' +
        ' --config.file=/tmp/alertmanager.yml --storage.path=/tmp --cluster.listen-address=' +
        ` --web.listen-address=127.0.0.1:${alertmanagerPort}`,
    ])
    .withWaitStrategy(Wait.forLogMessage(/Listening on/))
    .start()
  const configuration = readFileSync(new URL('../../alerts/prometheus.yml', import.meta.url), 'utf8')
    .replaceAll(/_interval: 5s/g, '_interval: 1s')
    .replace('scrape_timeout: 4s', 'scrape_timeout: 1s')
    .replace(
      /file_sd_configs:\n.*\n.*\n/,
      `static_configs:\n      - targets: ['127.0.0.1:${target}']\n        labels: { session: small-1 }\n`,
    )
    .replace('alertmanager:9093', `127.0.0.1:${alertmanagerPort}`)
    .replace('localhost:9090', `127.0.0.1:${prometheusPort}`)
  const rules = [...generatedFiles(defaultSettings)].filter(([name]) => name.endsWith('.rules.yaml'))
  const prometheus = await new GenericContainer(prometheusImage)
    .withNetworkMode('host')
    .withCopyContentToContainer([
      { content: configuration, target: '/etc/prometheus/prometheus.yml' },
      ...rules.map(([name, content]) => ({ content, target: `/etc/prometheus/rules/${name}` })),
    ])
    .withCommand([
      '--config.file=/etc/prometheus/prometheus.yml',
      '--storage.tsdb.path=/prometheus',
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
    ])
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
    .start()
  return [prometheus, alertmanager]
}

describe.skipIf(!hasPrometheus('container') || !hasAlertmanager())(
  'Prometheus and Alertmanager in their containers (skipped where the images are missing)',
  () => {
    let text = critical
    const told: Notification[] = []
    const target = createServer((_, response) => {
      response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(text)
    })
    const webhook = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        told.push(JSON.parse(Buffer.concat(chunks).toString()) as Notification)
        response.end()
      })()
    })
    let containers: StartedTestContainer[] = []

    const ofIncident = (incident: string, status: string): Notification | undefined =>
      told.find((one) => one.groupLabels['incident'] === incident && one.status === status)
    const names = (notification: Notification | undefined): string[] =>
      (notification?.alerts ?? []).map(({ labels }) => labels['alertname']).toSorted()

    beforeAll(async () => {
      containers = await startPair(await listen(target), await listen(webhook))
    }, 120_000)

    afterAll(async () => {
      await Promise.all(containers.map((container) => container.stop()))
      target.close()
      webhook.close()
    })

    test('notify of a critical incident, and of related alerts in the same message or not at all', async () => {
      await until('the critical incident is told', async () => ofIncident('7', 'firing') !== undefined)
      await until('the major incident is told', async () => ofIncident('8', 'firing') !== undefined)
      // Compliance at risk and broken redundancy are the same incident's, and less urgent: inhibited.
      expect(names(ofIncident('7', 'firing'))).toStrictEqual(['DcsimIncidentCritical'])
      expect(names(ofIncident('8', 'firing'))).toStrictEqual(['DcsimIncidentMajor'])
      expect(ofIncident('7', 'firing')).toMatchObject({
        groupLabels: { job: 'dcsim', incident: '7' },
        alerts: [{ labels: { alertname: 'DcsimIncidentCritical', severity: 'critical', band: 'Critical' } }],
      })
    }, 90_000)

    test('tell that it is over', async () => {
      text = calm
      await until(
        'the critical incident is over',
        async () => ofIncident('7', 'resolved') !== undefined,
        150_000,
      )
      expect(names(ofIncident('7', 'resolved'))).toStrictEqual(['DcsimIncidentCritical'])
    }, 160_000)

    test('not notified of anything for display only', () => {
      expect(
        told.flatMap(names).filter((name) => /DcsimWatchdog|DcsimIncidentRedundancyBroken/.test(name)),
      ).toStrictEqual([])
    })
  },
)
