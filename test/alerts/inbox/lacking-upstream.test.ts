/** Alerts on a mirror of an upstream that tells little, beside those on a mirror of the same world told whole. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { designSpeed } from '../../../alerts/settings.ts'
import { hasTool } from '../../fixtures/tools.ts'
import { until } from '../../metrics/real-prometheus.ts'
import { attach } from '../../sources/attached/attached-mirror.ts'
import type { Attached } from '../../sources/attached/attached-mirror.ts'
import { FakeUpstream } from '../../sources/attached/fake-upstream.ts'
import { publishOf, withRecords, worldWithEveryCollection } from '../../sources/spec/plain-world.ts'
import type { Json, PlainWorld } from '../../sources/spec/plain-world.ts'
import { isOf, SpecUpstream, targetOf } from '../../sources/spec/spec-upstream.ts'
import { RealAlertmanager } from './alertmanager.ts'
import { Inbox } from './inbox.ts'
import type { WebhookBody } from './message.ts'
import { findAlertmanager } from './program.ts'
import { startPrometheus } from './prometheus.ts'

const speed = 8 * designSpeed
const publishEveryMs = 1_000
/** Hours of simulated time: alerts have had the time to fire. */
const watchedMs = 90_000

const lost = ['hostPools', 'gateways', 'appliances', 'prospects', 'subnets', 'quests', 'workOrders'] as const
const original = withRecords(worldWithEveryCollection(), ['incidents'], (incident) => ({
  ...incident,
  band: 'Critical',
}))
const [incident] = original.collections.incidents
/** The world has gone on, although nothing else changes in it: alerts wait for a world that stands still. */
function at(publishes: number): PlainWorld {
  const simTimeNs = original.simTimeNs + publishes * speed * publishEveryMs * 1_000_000
  const { simulation } = original.diagnostics
  const moved = { ...(simulation as Json), sim_time_ns: simTimeNs, tick: simTimeNs / 10_000_000_000 }
  return { ...original, simTimeNs, diagnostics: { ...original.diagnostics, simulation: moved } }
}
const untold = (world: PlainWorld): PlainWorld => ({
  ...withRecords(world, ['azs'], ({ id }) => ({ id })),
  diagnostics: {},
})

const programs = findAlertmanager()

interface Alert {
  readonly labels: Readonly<Record<string, string>>
  readonly state: string
}

/** The subject of an alert by its ids: names may be unknown. */
const about = ({ labels }: Alert): string =>
  ['alertname', 'az', 'rack', 'host', 'switch', 'gateway', 'pool', 'link', 'customer', 'incident']
    .map((label) => labels[label] ?? '')
    .join(' ')
    .trim()

describe.skipIf(programs === null || !hasTool('prometheus'))(
  'an upstream that tells little (skipped where Prometheus or Alertmanager is missing)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'lacking-'))
    let whole: FakeUpstream
    let lacking: SpecUpstream
    let mirrors: readonly Attached[] = []
    let inbox: Inbox
    let alertmanager: RealAlertmanager
    let prometheus: Awaited<ReturnType<typeof startPrometheus>>
    let publishing: NodeJS.Timeout

    const ask = async (path: string): Promise<Json> =>
      ((await (await fetch(`${prometheus.url}/api/v1/${path}`)).json()) as { readonly data: Json }).data
    const alertsOf = async (session: string): Promise<string[]> =>
      ((await ask('alerts'))['alerts'] as Alert[])
        .filter(({ labels }) => labels['session'] === session)
        .map(about)
        .toSorted()

    beforeAll(async () => {
      whole = await FakeUpstream.start(publishOf(original, 1))
      lacking = await SpecUpstream.start(untold(original), (reply, request) =>
        lost.some((part) => isOf(part, targetOf(request))) ? { ...reply, status: 404, body: '' } : reply,
      )
      let publishes = 1
      publishing = setInterval(() => {
        whole.publish = publishOf(at(publishes), ++publishes)
        lacking.publish(untold(at(publishes)))
      }, publishEveryMs)
      mirrors = await Promise.all([whole, lacking].map(({ origin }) => attach(origin, { cadenceMs: 500 })))
      inbox = await Inbox.open(folder)
      alertmanager = await RealAlertmanager.start(programs!, folder, inbox)
      const [ofWhole, ofLacking] = mirrors.map(({ origin }) => Number(new URL(origin).port))
      const sessions = { whole: ofWhole, lacking: ofLacking }
      prometheus = await startPrometheus(folder, sessions, alertmanager.url, { speed })
    })

    afterAll(async () => {
      clearInterval(publishing)
      prometheus.kill('SIGKILL')
      await alertmanager.stop()
      inbox.close()
      await Promise.all(mirrors.map(({ mirror }) => mirror.close()))
      await Promise.all([whole.close(), lacking.close()])
      rmSync(folder, { recursive: true, force: true })
    })

    test('a Critical incident is notified', async () => {
      const isOfLacking = ({ groupLabels, alerts }: WebhookBody): boolean =>
        groupLabels['incident'] === String(incident['id']) &&
        alerts.some(({ labels }) => labels['session'] === 'lacking')
      await until('the incident is notified', async () =>
        inbox.of('webhook').some(({ body }) => isOfLacking(body as WebhookBody)),
      )
      expect(await alertsOf('lacking')).toContainEqual(expect.stringMatching(/^DcsimIncidentCritical /))
    })

    test('no rule fails, and nothing but what the whole world has fires', async () => {
      await pause(watchedMs)
      const groups = (await ask('rules'))['groups'] as { readonly rules: Json[] }[]
      const rules = groups.flatMap((group) => group.rules)
      expect(rules.length).toBeGreaterThan(100)
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([])
      const ofWhole = new Set(await alertsOf('whole'))
      expect((await alertsOf('lacking')).filter((alert) => !ofWhole.has(alert))).toEqual([])
    }, 150_000)
  },
)
