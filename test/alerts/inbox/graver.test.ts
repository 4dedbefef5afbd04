import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

    test('is three messages: Major, Critical, over', async () => {
      const alert = (name: 'Major' | 'Critical' | 'WasGrave', severity: string, endMs: number) =>
        posted(
          {
            alertname: `DcsimIncident${name}`,
            severity,
            incident: '7',
            band: name === 'Major' ? 'Major' : 'Critical',
          },
          `${name} incident 7: link down`,
          'Handle it first.',
          [beganMs, endMs],
        )
      const beganMs = Date.now()
      const later = beganMs + open
      await alertmanager.post([alert('Major', 'warning', later)])
      await pause(21_000 / pace)
      await alertmanager.post([
        alert('Major', 'warning', later),
        alert('Critical', 'critical', later),
        alert('WasGrave', 'none', later),
      ])
      await pause(10_000 / pace)
      const endedMs = Date.now()
      // Prometheus repeats a resolved alert.
      for (let times = 0; times < 4; times++) {
        await alertmanager.post([
          alert('Major', 'warning', endedMs),
          alert('Critical', 'critical', endedMs),
          alert('WasGrave', 'none', later),
        ])
        await pause(15_000 / pace)
      }
      const received = inbox
        .of('webhook')
        .map(({ body }) => body as WebhookBody)
        .map(({ status, alerts }) => `${status} ${alerts.map(({ labels }) => labels['alertname']).join()}`)
      expect(received).toStrictEqual([
        'firing DcsimIncidentMajor',
        'firing DcsimIncidentCritical',
        'resolved DcsimIncidentCritical',
      ])
    })
  },
)
