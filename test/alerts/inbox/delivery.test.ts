import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { designSpeed } from '../../../alerts/settings.ts'
import { hasTool } from '../../fixtures/tools.ts'
import { until } from '../../metrics/real-prometheus.ts'
import { RealAlertmanager } from './alertmanager.ts'
import { Inbox } from './inbox.ts'
import type { WebhookBody } from './message.ts'
import { findAlertmanager } from './program.ts'
import { startPrometheus } from './prometheus.ts'

/** A world with a critical incident that also breaks a redundancy promise, and a major one. */
const trouble = `dcsim_incident_info{incident="7",band="Critical",root_kind="Unknown",symptom_kind="FailedRequests"} 1
dcsim_incident_info{incident="7",band="Critical",root_kind="Unknown",symptom_kind="FailedRequests",compliance_at_risk="HIPAA"} 1
dcsim_incident_redundancy_promise_broken{incident="7",band="Critical",root_kind="Unknown"} 1
dcsim_incident_info{incident="8",band="Major",root_kind="Unknown",symptom_kind="HighLatency"} 1
`
const calm = 'dcsim_az_bgp_advertising{az="1"} 1\n'

const programs = findAlertmanager()

describe.skipIf(programs === null || !hasTool('prometheus'))(
  'from a scrape to the inbox (skipped where Prometheus or Alertmanager is missing)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'delivery-'))
    let text = trouble
    const target = createServer((_, response) => {
      response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(text)
    })
    let inbox: Inbox
    let alertmanager: RealAlertmanager
    let prometheus: ChildProcess

    const received = (): WebhookBody[] => inbox.of('webhook').map(({ body }) => body as WebhookBody)
    const ofIncident = (incident: string, status: string): WebhookBody | undefined =>
      received().find((one) => one.groupLabels['incident'] === incident && one.status === status)
    const names = (notification: WebhookBody | undefined): string[] =>
      (notification?.alerts ?? []).map(({ labels }) => labels['alertname']).toSorted()

    beforeAll(async () => {
      inbox = await Inbox.open(folder)
      alertmanager = await RealAlertmanager.start(programs!, folder, inbox)
      const { promise, resolve } = Promise.withResolvers<void>()
      target.listen(0, '127.0.0.1', () => resolve())
      await promise
      const { port } = target.address() as AddressInfo
      prometheus = await startPrometheus(folder, { 'small-1': port }, alertmanager.url, {
        speed: 8 * designSpeed,
      })
    })

    afterAll(async () => {
      prometheus.kill('SIGKILL')
      await alertmanager.stop()
      inbox.close()
      target.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('a critical incident is notified, and alerts that it explains are in the same message or in none', async () => {
      await until('the critical incident is told', async () => ofIncident('7', 'firing') !== undefined)
      await until('the major incident is told', async () => ofIncident('8', 'firing') !== undefined)
      // Compliance at risk and broken redundancy belong to the same incident and are less urgent: inhibited.
      expect(names(ofIncident('7', 'firing'))).toStrictEqual(['DcsimIncidentCritical'])
      expect(names(ofIncident('8', 'firing'))).toStrictEqual(['DcsimIncidentMajor'])
      expect(ofIncident('7', 'firing')).toMatchObject({
        groupLabels: { job: 'dcsim', incident: '7' },
        alerts: [{ labels: { alertname: 'DcsimIncidentCritical', severity: 'critical' } }],
      })
    })

    test('its end is notified', async () => {
      text = calm
      await until('incident 7 is over', async () => ofIncident('7', 'resolved') !== undefined, 30_000)
      expect(names(ofIncident('7', 'resolved'))).toStrictEqual(['DcsimIncidentCritical'])
    }, 40_000)

    test('alerts for display only are in no message', () => {
      const shownOnly = /DcsimWatchdog|DcsimIncidentRedundancyBroken/
      expect(
        received()
          .flatMap(names)
          .filter((name) => shownOnly.test(name)),
      ).toStrictEqual([])
    })
  },
)
