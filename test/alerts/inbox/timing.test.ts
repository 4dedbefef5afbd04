import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RealAlertmanager } from './alertmanager.ts'
import { open, posted } from './alerts-to-post.ts'
import { Inbox } from './inbox.ts'
import type { WebhookBody } from './message.ts'
import { findAlertmanager } from './program.ts'

const programs = findAlertmanager()
const folder = mkdtempSync(join(tmpdir(), 'timing-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const attack = (name: string, span: readonly [number, number]) =>
  posted(
    { alertname: 'DcsimAttackGetsThrough', severity: 'critical', class: name, az: '1' },
    `${name} attack gets through`,
    'Scale the defenses.',
    span,
  )

/** Tests the shipped configuration without changes. */
describe.skipIf(programs === null)(
  'the intervals as shipped (skipped where there is no Alertmanager)',
  () => {
    let inbox: Inbox
    let alertmanager: RealAlertmanager

    beforeAll(async () => {
      inbox = await Inbox.open(folder)
      alertmanager = await RealAlertmanager.start(programs!, folder, inbox)
    })

    afterAll(async () => {
      await alertmanager.stop()
      inbox.close()
    })

    /** The time of the webhook's first notification with an alert in this state. */
    const toldMs = (name: string, status: 'firing' | 'resolved'): number =>
      inbox
        .of('webhook')
        .find(({ body }) =>
          (body as WebhookBody).alerts.some(
            (alert) => alert.labels['class'] === name && alert.status === status,
          ),
        )?.atMs ?? Number.POSITIVE_INFINITY

    test('a critical alert that fires for 15 s in an existing group is notified as firing, within 10 s', async () => {
      const firstMs = Date.now()
      await alertmanager.post([attack('Protocol', [firstMs, firstMs + open])])
      // The first notification has just been sent: the next check is as far away as possible.
      await pause(5_300)
      const secondMs = Date.now()
      await alertmanager.post([attack('Application', [secondMs, secondMs + open])])
      await pause(15_000)
      await alertmanager.post([attack('Application', [secondMs, Date.now()])])
      await pause(10_000)
      expect(toldMs('Protocol', 'firing') - firstMs).toBeLessThan(10_000)
      expect(toldMs('Application', 'firing') - secondMs).toBeLessThan(10_000)
      expect(toldMs('Application', 'resolved') - secondMs).toBeLessThan(25_000)
      expect(inbox.of('webhook')).toHaveLength(3)
    })
  },
)
