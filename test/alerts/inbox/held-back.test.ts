import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AlertCase } from '../../../alerts/cases/alert-case.ts'
import { alertCases } from '../../../alerts/cases/alert-cases.ts'
import { alertSeverities, severityOfBand } from '../../../alerts/severity.ts'
import type { AlertSeverity } from '../../../alerts/severity.ts'
import { RealAlertmanager } from './alertmanager.ts'
import { open, posted } from './alerts-to-post.ts'
import { Inbox } from './inbox.ts'
import { findAlertmanager } from './program.ts'

type Labels = Readonly<Record<string, string>>

interface Received {
  readonly labels: Labels
  readonly fingerprint: string
  readonly status: { readonly inhibitedBy: readonly string[] }
}

const programs = findAlertmanager()
const batch = 2_000

/** Labels that state what an alert says; the others name what it is about, which is made the same for all. */
const statements = new Set(['alertname', 'severity', 'band', 'role', 'subject'])

/** Each alert with the labels of its case, where all that it can be about is one and the same; incidents of each band. */
const alerts: readonly Labels[] = Object.entries<AlertCase>(alertCases).flatMap(
  ([alertname, { labels }]): Labels[] => {
    const same = Object.fromEntries(
      Object.entries(labels)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => [name, statements.has(name) ? value : 'x']),
    )
    const one: Labels = { ...same, ...(labels['role'] === undefined ? {} : { role: 'edge' }), alertname }
    if (alertname === 'DcsimIncidentScope') {
      const entities: Labels[] = [
        { az: 'x' },
        { subject: 'Bell Media' },
        { customer: 'x' },
        { tier: 'x' },
        { class: 'x' },
        { host: 'x' },
      ]
      return entities.map((entity) => Object.assign({ alertname, severity: 'none', incident: 'x' }, entity))
    }
    return alertname === 'DcsimIncidentWasGrave'
      ? [
          { ...one, band: 'Major' },
          { ...one, band: 'Critical' },
        ]
      : [{ ...one, subject: 'Bell Media' }]
  },
)

/** The gravest message that stands for an alert: alerts that are never sent accompany that of an incident. */
const announced = ({ severity, band }: Labels): AlertSeverity =>
  severity === 'none'
    ? severityOfBand[(band ?? 'Major') as 'Major' | 'Critical']
    : (severity as AlertSeverity)

const rank = (severity: AlertSeverity): number => alertSeverities.indexOf(severity)

describe.skipIf(programs === null)(
  'what holds an alert back is as grave as the alert (skipped where there is no Alertmanager)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'held-back-'))
    let inbox: Inbox
    let alertmanager: RealAlertmanager

    beforeAll(async () => {
      inbox = await Inbox.open(folder)
      // Thousands of messages would say nothing more.
      alertmanager = await RealAlertmanager.start(programs!, folder, inbox, (configuration) =>
        configuration.replaceAll(/("?receiver"?: *"?)(?:critical|warning|watchdog)/g, '$1none'),
      )
    })

    afterAll(async () => {
      await alertmanager.stop()
      inbox.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('for all pairs of alerts about the same', async () => {
      const now = Date.now()
      const pairs = alerts.flatMap((source, at) =>
        alerts.map((target, other) => ({ source, target, instance: `${at}-${other}` })),
      )
      const post = ({ source, target, instance }: (typeof pairs)[number]) =>
        [source, target].map((labels) => posted({ ...labels, instance }, 'a', 'b', [now, now + open]))
      for (let from = 0; from < pairs.length; from += batch)
        await alertmanager.post(pairs.slice(from, from + batch).flatMap(post))
      const answer = await fetch(`${alertmanager.url}/api/v2/alerts`)
      const received = (await answer.json()) as readonly Received[]
      const byFingerprint = new Map(received.map(({ fingerprint, labels }) => [fingerprint, labels]))
      const heldBack = received.flatMap(({ labels, status }) =>
        status.inhibitedBy.map((by) => ({ target: labels, source: byFingerprint.get(by)! })),
      )
      const said = ({ alertname, severity, band = '' }: Labels) => `${alertname} (${severity}) ${band}`.trim()
      expect(heldBack.length).toBeGreaterThan(500)
      expect(
        heldBack
          .filter(({ source, target }) => rank(announced(source)) > rank(announced(target)))
          .map(({ source, target }) => `${said(target)} is held back by ${said(source)}`),
      ).toStrictEqual([])
      // Critical alerts are about Critical incidents, or a mirror that cannot be seen.
      const critical = heldBack.filter(({ target }) => target['severity'] === 'critical')
      expect(
        new Set(critical.map(({ source, target }) => `${said(target)} by ${said(source)}`)),
      ).toStrictEqual(new Set(['DcsimIncidentCritical (critical) by DcsimMirrorDown (critical)']))
    }, 240_000)
  },
)
