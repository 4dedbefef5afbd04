import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { optionsAmong, filled } from '../../dashboards/filled.ts'
import { questionsOver, variables } from '../../dashboards/load/questions.ts'
import { MissingProgram } from '../harness/finding.ts'
import type { Row } from '../harness/finding.ts'
import { estimateOf, median, quantile } from '../harness/statistics.ts'
import { startService } from '../support/service.ts'

/** Time for a few scrapes. */
const settleMsOf = (scrapeSeconds: number): number => Math.max(60_000, 3_000 * scrapeSeconds)
const spanSeconds = 300
const rounds = 11
const generated = fileURLToPath(new URL('../../../alerts/generated/', import.meta.url))

/** Reads every series once: the yardstick for evaluations and queries. */
const everySeries = 'count({__name__=~"dcsim_.+"})'

interface RuleGroups {
  readonly data: { readonly groups: readonly { readonly evaluationTime: number }[] }
}

interface QueryCost {
  readonly seconds: number
  /** Samples that Prometheus read for all steps of the query, independent of other programs. */
  readonly samples: number
}

interface QueryAnswer {
  readonly status: string
  readonly error?: string
  readonly data: { readonly stats: { readonly samples: { readonly totalQueryableSamples: number } } }
}

class Asked {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async json<T>(path: string, body?: URLSearchParams): Promise<T> {
    const answer = await fetch(
      `${this.#url}/api/v1/${path}`,
      body === undefined ? {} : { method: 'POST', body },
    )
    return (await answer.json()) as T
  }

  async cost(query: string, stepSeconds: number | null = null): Promise<QueryCost> {
    const end = Math.floor(Date.now() / 1_000)
    const range = { start: String(end - spanSeconds), end: String(end), step: String(stepSeconds) }
    const beganMs = performance.now()
    const path = stepSeconds === null ? 'query' : 'query_range'
    const answer = await this.json<QueryAnswer>(
      path,
      new URLSearchParams({ query, stats: 'all', ...(stepSeconds === null ? {} : range) }),
    )
    if (answer.status !== 'success') throw new Error(`${query}: ${answer.error}`)
    const { totalQueryableSamples: samples } = answer.data.stats.samples
    return { seconds: (performance.now() - beganMs) / 1_000, samples }
  }

  async series(selector: string): Promise<Readonly<Record<string, string>>[]> {
    const found = await this.json<{ data: { result: { metric: Record<string, string> }[] } }>(
      'query',
      new URLSearchParams({ query: selector }),
    )
    return found.data.result.map(({ metric }) => metric)
  }

  async ruleSeconds(): Promise<number> {
    const { data } = await this.json<RuleGroups>('rules')
    return data.groups.reduce((sum, { evaluationTime }) => sum + evaluationTime, 0)
  }
}

/** The selected values of the dashboards' variables: all for those with multiple selection, otherwise the first. */
async function choices(prometheus: Asked): Promise<Record<string, string>> {
  const values: Record<string, string> = { job: '.+', instance: '.+' }
  for (const variable of variables) {
    if (variable.multi === true) values[variable.name] ??= variable.allValue!
    else {
      const [first] = await optionsAmong(variable, (selector) => prometheus.series(selector), values)
      values[variable.name] ??= first?.value ?? '1'
    }
  }
  return values
}

function shippedRules(): ReadonlyMap<string, string> {
  const names = readdirSync(generated).filter((name) => name.endsWith('.rules.yaml'))
  return new Map(names.map((name) => [name, readFileSync(generated + name, 'utf8')]))
}

const hosts = 10_000
/** A scrape that times out on a busy machine would store no samples. */
const scrapeSeconds = 30

export const prometheus: Row = {
  name: 'prometheus',
  async measure(progress) {
    if (spawnSync('prometheus', ['--version']).status !== 0)
      throw new MissingProgram('prometheus is not installed.')
    // Imported on demand: it loads the client of a container engine.
    const { RealPrometheus } = await import('../../metrics/real-prometheus.ts')
    progress(`starting the service with ${hosts} hosts, and a Prometheus with all rules`)
    const service = await startService(['--scale', String(hosts), '--warmup', '1h'])
    const rules = shippedRules()
    // Dashboards select a session: without this label their queries would find nothing.
    const dcsim = { url: service.origin, labels: { session: 'bench' } }
    const server = await RealPrometheus.start('installed', { dcsim }, scrapeSeconds, { rules })
    try {
      await pause(settleMsOf(scrapeSeconds))
      const client = new Asked(server.url)
      const values = await choices(client)
      const questions = questionsOver({ seconds: spanSeconds, everySeconds: scrapeSeconds })
      progress(`${questions.length} queries of dashboards, and ${rounds} evaluations of the rules`)
      const evaluations: number[] = []
      const costs: QueryCost[] = []
      const yardsticks: QueryCost[] = []
      for (let round = 0; round < rounds; round++) {
        yardsticks.push(await client.cost(everySeries))
        evaluations.push(await client.ruleSeconds())
        await pause(scrapeSeconds * 200)
      }
      const yardstick = median(yardsticks.map(({ seconds }) => seconds))
      let worst = { seconds: 0, panel: '' }
      for (const { expr, panel, stepSeconds } of questions) {
        const cost = await client.cost(filled(expr, values), stepSeconds)
        costs.push(cost)
        if (cost.seconds > worst.seconds) worst = { seconds: cost.seconds, panel }
      }
      const [seconds, samples] = (['seconds', 'samples'] as const).map((name) =>
        costs.map((cost) => cost[name]),
      )
      if (median(samples) === 0) throw new Error('Most queries of the dashboards found nothing.')
      const finding = {
        against: 'reading every series once (count)',
        unit: 'of it',
        better: 'lower',
      } as const
      const read = `${(1_000 * yardstick).toFixed(0)} ms`
      return [
        {
          ...finding,
          row: 'prometheus-rules',
          measured: `Prometheus evaluating all shipped rules, ${hosts} hosts`,
          ...estimateOf(evaluations.map((seconds, round) => seconds / yardsticks[round].seconds)),
          floor: 4,
          medians: `${(1_000 * median(evaluations)).toFixed(0)} ms : ${read}`,
        },
        {
          ...finding,
          row: 'prometheus-queries',
          measured: `samples read by a dashboard's query at p95 (${questions.length} queries), ${hosts} hosts`,
          ...estimateOf(yardsticks.map((once) => quantile(samples, 0.95) / once.samples)),
          floor: 0.15,
          medians: `median ${(1_000 * median(seconds)).toFixed(0)} ms, slowest ${(1_000 * worst.seconds).toFixed(0)} ms (${worst.panel}) : ${read}`,
        },
      ]
    } finally {
      await server.stop()
      service.process.kill()
    }
  },
}
