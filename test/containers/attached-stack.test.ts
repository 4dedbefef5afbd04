import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyDashboard, panelsOf, placeOf } from '../dashboards/dashboard-json.ts'
import { filled, optionsAmong, selectedAmong } from '../dashboards/filled.ts'
import { TemplateProcess, templates } from '../examples/template-process.ts'
import { freePort } from '../fixtures/free-port.ts'
import { until } from '../metrics/real-prometheus.ts'
import { hasGrafana, missing, RunningStack } from './running-stack.ts'

const why = missing()

interface Series {
  readonly metric: Readonly<Record<string, string>>
}
interface Rule {
  readonly name: string
  readonly health: string
}

describe.skipIf(why !== '')(
  'the stack over a game that serves little (skipped where there is no engine, Compose or image)',
  () => {
    const values: Record<string, string> = {}
    let game: TemplateProcess
    let gamePort: number
    let stack: RunningStack

    async function ask<T>(path: string, parameters: Readonly<Record<string, string>> = {}): Promise<T> {
      const query = new URLSearchParams(parameters).toString()
      return (await stack.get<{ data: T }>('prometheus', `/api/v1/${path}?${query}`)).data
    }

    const find = async (query: string): Promise<Series['metric'][]> =>
      (await ask<{ result: Series[] }>('query', { query })).result.map(({ metric }) => metric)

    const rules = async (): Promise<Rule[]> =>
      (await ask<{ groups: { rules: Rule[] }[] }>('rules')).groups.flatMap((group) => group.rules)

    beforeAll(async () => {
      gamePort = await freePort()
      game = await TemplateProcess.start(templates.at(-1)!, String(gamePort))
      const files = ['docker-compose.yml', 'deploy/compose/attach.yml']
      stack = await RunningStack.prepare({ DCSIM_GAME_PORT: String(gamePort) }, files)
      await stack.build()
      const services = ['mirror', 'prometheus', 'alertmanager', 'guard', ...(hasGrafana ? ['grafana'] : [])]
      await stack.compose('up', '--detach', '--wait', ...services)
      await until('every rule was evaluated over the game', async () => {
        const isScraped = (await find('dcsim_host_info')).length > 0
        return isScraped && (await rules()).every(({ health }) => health !== 'unknown')
      })
      for (const variable of everyDashboard.flatMap(({ templating }) => templating.list))
        if (variable.type === 'query')
          values[variable.name] ??= selectedAmong(variable, await optionsAmong(variable, find, values)) ?? ''
    }, 400_000)

    afterAll(async () => {
      await game.stop()
      await stack.compose('down', '--volumes', '--timeout', '2')
    })

    test('evaluates every rule without an error', async () => {
      const all = await rules()
      expect(all.filter(({ health }) => health !== 'ok')).toStrictEqual([])
      expect(all.length).toBeGreaterThan(100)
    })

    test('answers every query of every dashboard', async () => {
      const wrong: string[] = []
      let asked = 0
      const end = Date.now() / 1000
      const times = { start: String(end - 60), end: String(end), step: '5' }
      for (const dashboard of everyDashboard)
        for (const panel of panelsOf(dashboard))
          for (const target of panel.targets ?? []) {
            asked++
            const text = filled(target.expr ?? target.url!, values)
            const answer =
              target.expr === undefined
                ? stack.get('mirror', text)
                : target.instant === true
                  ? ask('query', { query: text })
                  : ask('query_range', { query: text, ...times })
            await answer.catch((error: unknown) =>
              wrong.push(`${placeOf(dashboard, panel, target)}: ${String(error)}`),
            )
          }
      expect(wrong).toStrictEqual([])
      expect(asked).toBeGreaterThan(400)
    })

    test('says on the page Mirror what the game does not report', async () => {
      expect(values).toMatchObject({
        session: `game-${gamePort}`,
        unreported:
          'Not reported by this game: host pools, resolved incidents, gateways, cables, segments, subnets, appliances, switches, patch panels, prospects, quests, work orders, diagnostics.',
      })
      const page = everyDashboard.find(({ title }) => title === 'Mirror')!
      const panel = panelsOf(page).find(({ title }) => title === 'Not reported by the game')!
      const rows = await find(filled(panel.targets![0].expr!, values))
      expect(rows).toHaveLength(13)
      const quests = rows.find(({ part }) => part === 'quests')
      expect(quests?.['reason']).toMatch(/game:9740\/api\/v1\/quests\?.* has status 404, expected 200\.$/)
    })
  },
)
