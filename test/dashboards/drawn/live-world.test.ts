import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MirrorProcess } from '../../fixtures/mirror-process.ts'
import { hasPrometheus, RealPrometheus, until } from '../../metrics/real-prometheus.ts'
import type { DashboardJson, Panel, Target } from '../dashboard-json.ts'
import { everyDashboard, panelsOf, placeOf } from '../dashboard-json.ts'
import { eventfulScenario } from '../eventful-scenario.ts'
import { filled, optionsAmong, selectedAmong } from '../filled.ts'
import { shownRules } from '../shown-rules.ts'
import { rowsFrame, seriesFrames, tableFrame } from './frames.ts'
import type { Series } from './frames.ts'
import type { Frame, Version } from './grafana.ts'
import { Grafana, versions } from './grafana.ts'
import { readabilityProblems } from './readable.ts'

/** Columns that may be empty, by panel: few rows have a value, and at times none has. */
const mayBeEmpty: Readonly<Record<string, readonly string[]>> = {
  'Chronicle / Days': ['Gravest incident'],
  'Customer / Services in detail': ['Reason', 'Lacking'],
  'Growth / When resources run out': ['Days left', 'On day'],
  'Host / Hardware and cost': ['Services', 'Customers'],
  'Incident / Incident ${incident:raw}': ['Cause'],
  'Incident / Work': ['Took'],
  'Incidents / What is wrong': ['Assigned work'],
  'Money / Work orders': ['Waits for', 'Started'],
  'Session / Since you were away': ['Gravest incident'],
  'Session / What to do next': ['Expires'],
}

const allowed = new Set(
  Object.entries(mayBeEmpty).flatMap(([panel, columns]) =>
    columns.map((column) => `${panel}: nothing in column ${column}`),
  ),
)

interface Answer {
  readonly target: Target
  readonly series?: readonly Series[]
  readonly rows?: readonly Readonly<Record<string, unknown>>[]
}

interface Asked {
  readonly dashboard: DashboardJson
  readonly panel: Panel
  readonly answers: Answer[]
}

const drawnPanels: readonly Asked[] = everyDashboard.flatMap((dashboard) =>
  panelsOf(dashboard)
    .filter(({ type }) => type !== 'text')
    .map((panel) => ({ dashboard, panel, answers: [] })),
)

/** A world in crisis, and a quiet one. */
const worlds = {
  crisis: (path: string) => `--scenario ${path} --warmup 25h --speed 300 --seed 3`,
  quiet: () => '--scenario quiet-week --warmup 1d --speed 60 --seed 1',
} as const

const scrapesNeeded = 30
const shownSeconds = 30

describe.skipIf(!hasPrometheus('installed')).each(Object.keys(worlds) as (keyof typeof worlds)[])(
  'what a person reads on the dashboards, by Grafana’s own code: %s (skipped without Prometheus)',
  (world) => {
    const scenario = eventfulScenario()
    let service: MirrorProcess
    let prometheus: RealPrometheus
    const values: Record<string, string> = { job: '.+', instance: '.+', session: world }

    beforeAll(async () => {
      const flags = `${worlds[world](scenario.path)} --session ${world}`
      service = await MirrorProcess.start(flags.split(' '))
      const dcsim = { url: service.origin, labels: { session: world } }
      prometheus = await RealPrometheus.start('installed', { dcsim }, 1, { rules: shownRules })
      const scraped = 'count_over_time(dcsim_sim_time_seconds[5m])'
      await until(
        'there is enough to look at',
        async () => (await prometheus.query(scraped))[0]?.value >= scrapesNeeded,
        150_000,
      )
      const now = Date.now() / 1000
      await choose(now)
      for (const { panel, answers } of drawnPanels) {
        answers.length = 0
        for (const target of panel.targets ?? []) answers.push(await answerTo(target, now))
      }
      // Only these answers are drawn: from here on both would only take processor time.
      await stop()
    }, 300_000)

    const stop = async (): Promise<void> => {
      await prometheus?.stop()
      await service?.stop()
    }

    afterAll(async () => {
      scenario.remove()
      await stop()
    })

    async function choose(atSeconds: number): Promise<void> {
      const find = async (selector: string) =>
        (await prometheus.query(selector, atSeconds)).map(({ metric }) => metric)
      for (const variable of everyDashboard.flatMap(({ templating }) => templating.list)) {
        if (variable.type !== 'query' || values[variable.name] !== undefined) continue
        values[variable.name] = selectedAmong(variable, await optionsAmong(variable, find, values)) ?? ''
      }
    }

    async function answerTo(target: Target, now: number): Promise<Answer> {
      if (target.expr === undefined) {
        const response = await fetch(service.origin + filled(target.url!, values))
        return { target, rows: (await response.json()) as Record<string, unknown>[] }
      }
      const isInstant = target.instant === true
      const when = isInstant
        ? { time: String(now) }
        : { start: String(now - shownSeconds), end: String(now), step: '2' }
      const query = new URLSearchParams({ query: filled(target.expr, values), ...when })
      const url = `${prometheus.url}/api/v1/query${isInstant ? '' : '_range'}?${query.toString()}`
      const { data, error } = (await (await fetch(url)).json()) as {
        data?: {
          result: { metric: Record<string, string>; value?: [number, string]; values?: [number, string][] }[]
        }
        error?: string
      }
      if (data === undefined) throw new Error(`${target.expr}: ${error}`)
      const series = data.result.map(({ metric, value, values: several }) => ({
        metric,
        values: several ?? [value!],
      }))
      return { target, series }
    }

    function framesOf(grafana: Grafana, { answers }: Asked): Frame[] {
      return answers.flatMap(({ target, series, rows }) => {
        if (series === undefined) return [rowsFrame(grafana, target, rows!)]
        if (target.format !== 'table') return seriesFrames(grafana, target, series)
        return [tableFrame(grafana, target, series, answers.length === 1)]
      })
    }

    test.each(Object.keys(versions) as Version[])(
      'nothing to stumble over in Grafana %s',
      async (version) => {
        const grafana = new Grafana(version)
        const wrong: string[] = []
        for (const asked of drawnPanels) {
          const found = await readabilityProblems(grafana, asked.panel, framesOf(grafana, asked))
          wrong.push(...found.map((text) => `${placeOf(asked.dashboard, asked.panel)}: ${text}`))
        }
        expect(wrong.filter((text) => !allowed.has(text))).toStrictEqual([])
        expect(drawnPanels.length).toBeGreaterThan(150)
      },
    )
  },
)
