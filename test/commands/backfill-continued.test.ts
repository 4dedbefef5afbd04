import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { hasPrometheus, RealPrometheus, until } from '../metrics/real-prometheus.ts'

const fileOf = (path: string): string => join(import.meta.dirname, `../../${path}`)
const world = ['--scale', 'small', '--seed', '3', '--warmup', '2d', '--speed', '60']
const speed = 60
const ofOpenIncidents = 'ALERTS{incident!="", alertname!="DcsimIncidentWasGrave"}'

describe.skipIf(!hasPrometheus('installed'))(
  'a Prometheus with the default lookback, given the past of a running mirror (skipped where there is none)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'history-continued-'))
    const data = join(folder, 'data')
    let live: MirrorProcess
    let prometheus: RealPrometheus
    let written = ''

    beforeAll(async () => {
      live = await MirrorProcess.start(world)
      const instance = new URL(live.origin).host
      const past = join(folder, 'past')
      const flags = ['--out', `${past}/`, '--instance', instance, '--ends-at', live.origin]
      const history = [fileOf('src/main.ts'), 'backfill', ...world, ...flags]
      written = spawnSync(process.execPath, history, { encoding: 'utf8' }).stderr
      for (const text of readdirSync(past))
        spawnSync('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', '-q', join(past, text), data])
      const generated = readdirSync(fileOf('alerts/generated')).filter((name) => name.endsWith('.rules.yaml'))
      const rules = new Map(
        generated.map((name) => [name, readFileSync(fileOf(`alerts/generated/${name}`), 'utf8')]),
      )
      const dcsim = { url: live.origin, labels: { session: 'small-3' } }
      prometheus = await RealPrometheus.start('installed', { dcsim }, 1, { data, rules })
      await until('alerts', async () => (await prometheus.query(ofOpenIncidents)).length > 0)
    }, 300_000)

    afterAll(async () => {
      await Promise.all([prometheus?.stop(), live?.stop()])
      rmSync(folder, { recursive: true, force: true })
    })

    test('has one line of simulated time through the past and the present', async () => {
      expect(written).toMatch(/^The history ends at \S+Z, where the world of http:\S+ continues it\.$/m)
      const range = `timestamp(dcsim_sim_time_seconds) - dcsim_sim_time_seconds / ${speed}`
      const [{ value: now }] = await prometheus.query(range)
      const [{ values }] = await prometheus.history('dcsim_sim_time_seconds[1h]')
      expect(values).toContain(172_800)
      const [{ value: then }] = await prometheus.query(
        `max_over_time((${range})[10m:20s] @ ${Math.floor(now + (2 * 86_400) / speed)})`,
      )
      expect(Math.abs(now - then)).toBeLessThan(3)
    })

    test('has no series beside the one that replaced it, and alerts about open incidents alone', async () => {
      expect(await prometheus.query('count by (incident) (dcsim_incident_info) > 1')).toEqual([])
      const scraped = new Set(
        [...(await live.text('/metrics')).matchAll(/incident="(\d+)"/g)].map(([, id]) => id),
      )
      const alerts = await prometheus.query(ofOpenIncidents)
      expect(alerts.length).toBeGreaterThan(0)
      expect(alerts.filter(({ metric }) => !scraped.has(metric['incident']))).toEqual([])
    })

    test('evaluates every rule, with whole texts', async () => {
      const { data: found } = (await (await fetch(`${prometheus.url}/api/v1/rules`)).json()) as {
        data: {
          groups: { rules: { name: string; lastError?: string; alerts?: { annotations: object }[] }[] }[]
        }
      }
      const rules = found.groups.flatMap((group) => group.rules)
      expect(rules.length).toBeGreaterThan(100)
      expect(rules.filter(({ lastError }) => lastError !== undefined && lastError !== '')).toEqual([])
      const texts = rules.flatMap(({ alerts = [] }) =>
        alerts.map(({ annotations }) => JSON.stringify(annotations)),
      )
      expect(texts.filter((text) => /error expanding|<no value>/.test(text))).toEqual([])
    })
  },
)
