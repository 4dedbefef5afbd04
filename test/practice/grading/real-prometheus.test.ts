import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setFault } from '../../../src/store/game-day-rows.ts'
import { openSession } from '../../../src/store/session-file.ts'
import { newFile, truthIn } from '../../fixtures/session-file.ts'
import type { TruthLine } from '../../../src/contract/game-days/truth-line.ts'
import type { Grades } from '../../../src/practice/grading/grade.ts'
import { promtool } from '../../alerts/proof/play.ts'
import { PastPrometheus } from '../../alerts/proof/prometheus.ts'
import { hasTool } from '../../fixtures/tools.ts'
import { run } from '../../commands/run.ts'

/** Two outages in six hours without other faults. */
const scenario = {
  name: 'outages',
  title: 'Outages',
  description: 'For a test.',
  spontaneity: 0,
  times_count_from: 'beginning',
  steps: [
    { at: '2h', do: 'PowerFeedLoss', target: { kind: 'PowerFeed', zone: 1, side: 'A' }, for: '40m' },
    { at: '4h', do: 'PowerFeedLoss', target: { kind: 'PowerFeed', zone: 1 }, for: '20m' },
    { at: '4h', do: 'PowerFeedLoss', target: { kind: 'PowerFeed', zone: 1, side: 'B' }, for: '20m' },
  ],
}

/** A precise rule, one that fires late for half of the faults, and one with false positives. */
const rules = `groups:
  - name: graded
    interval: 5s
    rules:
      - alert: FeedDown
        expr: dcsim_az_power_feed_up == 0
        labels: { severity: critical }
      - alert: FeedDownLong
        expr: dcsim_az_power_feed_up == 0
        for: 10s
        labels: { severity: warning }
      - alert: OtherZoneWorks
        expr: dcsim_az_hosts_online{az="2"} > 0 and on () vector(time()) % 600 >= 300
        labels: { severity: warning }
`

describe.skipIf(!hasTool('prometheus') || !hasTool('promtool'))(
  'rules are graded by a dataset (skipped where there is no Prometheus)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'dcsim-grades-'))
    let prometheus: PastPrometheus
    let truth: readonly TruthLine[]
    beforeAll(async () => {
      const path = (name: string): string => join(folder, name)
      writeFileSync(path('outages.json'), JSON.stringify(scenario))
      writeFileSync(path('rules.yaml'), rules)
      const words =
        '--scale small --warmup 6h --speed 60 --interval 5s --unchanged 5s --ends-at 1795300000'.split(' ')
      const files = [
        '--scenario',
        path('outages.json'),
        '--truth-file',
        path('truth.dcsim'),
        '--out',
        path('om/'),
      ]
      const history = run(['backfill', ...words, ...files])
      await history.ended
      truth = truthIn(path('truth.dcsim'))
      for (const name of readdirSync(path('om')))
        promtool('tsdb', 'create-blocks-from', 'openmetrics', '--quiet', join(path('om'), name), path('data'))
      prometheus = await PastPrometheus.start(path('data'), `rule_files: [${path('rules.yaml')}]\n`)
    })
    afterAll(async () => {
      await prometheus.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    test('the truth has times of the wall clock that fit the samples', () => {
      const feeds = truth.filter(({ kind }) => kind === 'PowerFeedLoss')
      // At speed 60, six simulated hours are six minutes of wall time.
      expect(feeds.map(({ begin }) => begin)).toEqual([
        { sim_s: 7200, wall_s: 1_795_300_000 - 240 },
        { sim_s: 14_400, wall_s: 1_795_300_000 - 120 },
        { sim_s: 14_400, wall_s: 1_795_300_000 - 120 },
      ])
      expect(feeds.map(({ end }) => end?.sim_s)).toEqual([9600, 15_600, 15_600])
      expect(feeds.map(({ origin, ended_by: by }) => [origin, by])).toEqual([
        ['scenario', 'itself'],
        ['scenario', 'itself'],
        ['scenario', 'itself'],
      ])
      expect(feeds[0].alerts).toContainEqual({ alert: 'DcsimPowerFeedDown', labels: { az: '1' } })
      expect(feeds[1].customers.length).toBeGreaterThan(0)
      expect(feeds[1].revenue_hurt_dollars).toBeGreaterThan(0)
    })

    test('a rule that is right has a precision of 100 %, one that cries wolf has not', async () => {
      const words = ['report', join(folder, 'truth.dcsim'), '--prometheus', prometheus.url]
      const report = run([...words, '--format', 'json', '--grace', '10s'])
      expect(await report.ended).toEqual([0, null])
      const { grades, rules: count } = JSON.parse(report.out) as { grades: Grades; rules: number }
      expect(count).toBe(3)
      const [feed, ...others] = grades.rules
      expect(feed).toMatchObject({ name: 'FeedDown', severity: 'critical', precision: 1, recall: 1 })
      expect(feed.secondsToAlert.worst).toBeLessThanOrEqual(10)
      const waits = others.find(({ name }) => name === 'FeedDownLong')!
      expect(waits).toMatchObject({ fired: 3, rightly: 3 })
      expect(waits.secondsToAlert.median).toBeGreaterThanOrEqual(10)
      const wolf = others.find(({ name }) => name === 'OtherZoneWorks')!
      expect(wolf.precision).toBeLessThan(1)
      const table = run([...words, '--alerts', 'FeedDown'])
      expect(await table.ended).toEqual([0, null])
      expect(table.out).toMatch(/^1 alert rules? over /)
      expect(table.out).toMatch(/^FeedDown +3 +3 +100\.0 %/m)
    })

    test('a server without samples of that time, or without rules, is refused', async () => {
      const later = newFile(join(folder, 'later.dcsim'))
      const database = openSession(later)
      for (const { world, fault, ...line } of truth) {
        const text = JSON.stringify({ world, fault, ...line })
        const moved = JSON.parse(text.replaceAll(/"wall_s":\d+/g, '"wall_s":1700000000')) as TruthLine
        setFault(database, { world, fault, isOver: true }, moved)
      }
      database.close()
      const none = run(['report', later, '--prometheus', prometheus.url])
      expect(await none.ended).toEqual([1, null])
      expect(none.err).toMatch(
        /^Prometheus has no samples of dcsim_sim_time_seconds from the time of the truth, 2023/,
      )
      const unknown = run(['report', later, '--prometheus', prometheus.url, '--alerts', 'None'])
      expect(await unknown.ended).toEqual([1, null])
      expect(unknown.err).toMatch(/^Prometheus has no alert rules of such names to grade/)
    })
  },
)
