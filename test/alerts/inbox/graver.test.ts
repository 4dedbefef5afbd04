import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alertCases } from '../../../alerts/cases/alert-cases.ts'
import { paced } from '../proof/inbox/deliver.ts'
import { RealAlertmanager } from './alertmanager.ts'
import { open, posted } from './alerts-to-post.ts'
import { Inbox } from './inbox.ts'
import type { WebhookBody } from './message.ts'
import { findAlertmanager } from './program.ts'

const programs = findAlertmanager()
const pace = 5

describe.skipIf(programs === null)(
  'an incident that becomes graver (skipped where there is no Alertmanager)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'graver-'))
    let inbox: Inbox
    let alertmanager: RealAlertmanager

    beforeAll(async () => {
      inbox = await Inbox.open(folder)
      alertmanager = await RealAlertmanager.start(programs!, folder, inbox, (text) =>
        paced(text, pace, join(folder, 'templates')),
      )
    })

    afterAll(async () => {
      await alertmanager.stop()
      inbox.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const alert = (
      incident: string,
      name: 'Major' | 'Critical' | 'WasGrave',
      [beganMs, endMs]: readonly [number, number],
    ) => {
      const { labels, annotations, ...times } = posted(
        {
          alertname: `DcsimIncident${name}`,
          severity: { Major: 'warning', Critical: 'critical', WasGrave: 'none' }[name],
          incident,
          band: name === 'Major' ? 'Major' : 'Critical',
        },
        `${name} incident ${incident}: link down`,
        'Handle it first.',
        [beganMs, endMs],
      )
      const own = { since: '14:02:10', lasted: '3m 20s, from 14:02:10 to 14:05:30 UTC' }
      return { labels, annotations: { ...annotations, ...own }, ...times }
    }
    const received = (incident: string) =>
      inbox
        .of('webhook')
        .map(({ body }) => body as WebhookBody)
        .filter(({ groupLabels }) => groupLabels['incident'] === incident || groupLabels['az'] === incident)
        .map(({ status, alerts }) => `${status} ${alerts.map(({ labels }) => labels['alertname']).join()}`)

    test('is three messages: Major, Critical, over', async () => {
      const beganMs = Date.now()
      const later = beganMs + open
      await alertmanager.post([alert('7', 'Major', [beganMs, later])])
      await pause(21_000 / pace)
      const graverMs = Date.now()
      await alertmanager.post([
        alert('7', 'Major', [beganMs, graverMs]),
        alert('7', 'Critical', [graverMs, later]),
        alert('7', 'WasGrave', [graverMs, later]),
      ])
      await pause(10_000 / pace)
      const endedMs = Date.now()
      // Prometheus repeats a resolved alert.
      for (let times = 0; times < 4; times++) {
        await alertmanager.post([
          alert('7', 'Major', [beganMs, graverMs]),
          alert('7', 'Critical', [graverMs, endedMs]),
          alert('7', 'WasGrave', [graverMs, later]),
        ])
        await pause(15_000 / pace)
      }
      expect(received('7')).toStrictEqual([
        'firing DcsimIncidentMajor',
        'firing DcsimIncidentCritical',
        'resolved DcsimIncidentCritical',
      ])
    })

    test('says no later that what was announced before it is over', async () => {
      const { labels, summary } = alertCases.DcsimPowerFeedDown
      const feed = (span: readonly [number, number]) =>
        posted({ ...labels, alertname: 'DcsimPowerFeedDown', az: '9' }, summary, 'Check.', span)
      const beganMs = Date.now()
      const later = beganMs + open
      await alertmanager.post([feed([beganMs, later])])
      await pause(21_000 / pace)
      const graverMs = Date.now()
      const critical = (endMs: number) => [
        alert('9', 'Critical', [graverMs, endMs]),
        posted({ alertname: 'DcsimIncidentScope', az: '9' }, '', '', [graverMs, endMs]),
      ]
      await alertmanager.post([feed([beganMs, graverMs]), ...critical(later)])
      await pause(15_000 / pace)
      const endedMs = Date.now()
      for (let times = 0; times < 4; times++) {
        await alertmanager.post([feed([beganMs, graverMs]), ...critical(endedMs)])
        await pause(15_000 / pace)
      }
      expect(received('9')).toStrictEqual([
        'firing DcsimPowerFeedDown',
        'firing DcsimIncidentCritical',
        'resolved DcsimIncidentCritical',
      ])
    })

    test('has its own times in every message, not those of the alert', () => {
      const texts = inbox.of('ntfy').map(({ text }) => text)
      expect(texts[0]).toMatch(/^Handle it first\. Since 14:02:10 UTC\./)
      expect(texts.at(-1)).toMatch(/^It lasted 3m 20s, from 14:02:10 to 14:05:30 UTC\./)
    })

    test('is one message where Alertmanager comes up late', async () => {
      const now = Date.now()
      await alertmanager.post([
        alert('8', 'Major', [now - 90_000, now - 60_000]),
        alert('8', 'Critical', [now - 60_000, now + open]),
        alert('8', 'WasGrave', [now - 60_000, now + open]),
      ])
      await pause(30_000 / pace)
      expect(received('8')).toStrictEqual(['firing DcsimIncidentCritical'])
    })
  },
)
