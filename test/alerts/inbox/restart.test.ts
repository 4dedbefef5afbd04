import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../fixtures/free-port.ts'
import { hasTool } from '../../fixtures/tools.ts'
import { until } from '../../metrics/real-prometheus.ts'
import { RealAlertmanager } from './alertmanager.ts'
import { Inbox } from './inbox.ts'
import type { WebhookBody } from './message.ts'
import { findAlertmanager } from './program.ts'
import { startPrometheus } from './prometheus.ts'
import { listening } from '../../fixtures/listening.ts'

/** A Critical incident, whose alert fires at once, beside an alert that waits for a minute. */
const trouble = `dcsim_incident_info{incident="7",band="Critical",root_kind="Unknown",symptom_kind="FailedRequests"} 1
dcsim_mirror_snapshot_age_seconds 60
`
const firing = ['DcsimIncidentCritical', 'DcsimMirrorSnapshotStale']

/** Two evaluations, and as much as a busy machine takes for a start: far less than the minute. */
const gapMsMax = 30_000

const programs = findAlertmanager()

describe.skipIf(programs === null || !hasTool('prometheus'))(
  'a restart of Prometheus during a Critical incident (skipped where Prometheus or Alertmanager is missing)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'restart-'))
    const target = createServer((_, response) => {
      response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(trouble)
    })
    let inbox: Inbox
    let alertmanager: RealAlertmanager
    let prometheus: ChildProcess
    let port = 0

    const start = async (): Promise<void> => {
      const { port: scraped } = target.address() as AddressInfo
      prometheus = await startPrometheus(folder, { 'small-1': scraped }, alertmanager.url, { port })
    }

    async function areFiring(): Promise<boolean> {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`)
      const { data } = (await answer.json()) as {
        data: { alerts: readonly { labels: { alertname: string }; state: string }[] }
      }
      return firing.every((name) =>
        data.alerts.some(({ labels, state }) => labels.alertname === name && state === 'firing'),
      )
    }

    const told = (): string[] =>
      inbox
        .of('webhook')
        .flatMap(({ body }) => (body as WebhookBody).alerts)
        .map(({ labels, status }) => `${labels['alertname']} ${status}`)
        .filter((line) => firing.some((name) => line.startsWith(name)))
        .toSorted()

    beforeAll(async () => {
      port = await freePort()
      inbox = await Inbox.open(folder)
      alertmanager = await RealAlertmanager.start(programs!, folder, inbox)
      await listening(target)
      await start()
      await until('both alerts fire', areFiring, 180_000)
      await until('both are told', async () => told().length === 2)
    }, 300_000)

    afterAll(async () => {
      prometheus.kill('SIGKILL')
      await alertmanager.stop()
      inbox.close()
      target.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('no alert waits again, and nothing is told twice or as over', async () => {
      prometheus.kill()
      await once(prometheus, 'exit')
      const stoppedMs = performance.now()
      await start()
      await until('both alerts fire again', areFiring)
      expect(performance.now() - stoppedMs).toBeLessThan(gapMsMax)
      // Alertmanager looks at a group every few seconds.
      await pause(15_000)
      expect(told()).toStrictEqual(['DcsimIncidentCritical firing', 'DcsimMirrorSnapshotStale firing'])
    }, 180_000)
  },
)
