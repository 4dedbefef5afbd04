/**
 * What each dashboard costs a running Prometheus at its refresh: all that it asks over an hour, by the CPU time that
 * Prometheus itself counts.
 *
 *   npm run dashboards:load -- http://127.0.0.1:9090 [--session NAME] [--rounds 5] [--cores 2]
 *
 * That Prometheus should do little else meanwhile: what its scrapes and rules take is measured first, and taken off.
 */
import { parseArgs } from 'node:util'
import type { CommittedDashboard } from '../committed.ts'
import { committedDashboards } from '../committed.ts'
import { filled, optionsAmong } from '../filled.ts'
import { questionsOf, variables } from './questions.ts'
import type { Question, Span } from './questions.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    session: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    cores: { type: 'string', default: '2' },
  },
})
const [base] = positionals
if (base === undefined) throw new Error('Usage: npm run dashboards:load -- URL [--session NAME] [--rounds N]')

/** As the stack scrapes. */
const span: Span = { seconds: 3600, everySeconds: 15 }
const idleSeconds = 20

type Labels = Readonly<Record<string, string>>

interface Answer {
  readonly status: string
  readonly error?: string
  readonly data: {
    readonly result: readonly { readonly metric: Labels; readonly value?: [number, string] }[]
  }
}

async function asked(path: string, query: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(new URL(path, base), { method: 'POST', body: new URLSearchParams(query) })
  const answer = (await response.json()) as Answer
  if (answer.status !== 'success') throw new Error(`${query['query']}: ${answer.error}`)
  return answer
}

/** CPU time that Prometheus has taken since it was started. */
async function cpuSeconds(): Promise<number> {
  const text = await (await fetch(new URL('/metrics', base))).text()
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)![1])
}

const pause = (seconds: number): Promise<void> => new Promise((done) => setTimeout(done, 1000 * seconds))

async function restingShare(): Promise<number> {
  const before = await cpuSeconds()
  await pause(idleSeconds)
  return ((await cpuSeconds()) - before) / idleSeconds
}

async function choices(): Promise<Record<string, string>> {
  const values: Record<string, string> = { job: '.+', instance: '.+', session: options.session }
  const find = async (selector: string) =>
    (await asked('/api/v1/query', { query: selector })).data.result.map(({ metric }) => metric)
  for (const variable of variables) {
    if (values[variable.name] !== undefined) continue
    const [first] = variable.multi === true ? [] : await optionsAmong(variable, find, values)
    values[variable.name] = variable.multi === true ? variable.allValue! : (first?.value ?? '1')
  }
  return values
}

async function put({ expr, stepSeconds }: Question, values: Labels): Promise<void> {
  const query = filled(expr, values)
  const now = Date.now() / 1000
  if (stepSeconds === null) await asked('/api/v1/query', { query })
  else {
    const times = { start: String(now - span.seconds), end: String(now), step: String(stepSeconds) }
    await asked('/api/v1/query_range', { query, ...times })
  }
}

const secondsOf = (refresh: string): number =>
  Number.parseFloat(refresh) * { s: 1, m: 60 }[refresh.at(-1) as 's' | 'm']

async function costOf(dashboard: CommittedDashboard, values: Labels, resting: number) {
  const questions = questionsOf(dashboard, span)
  const rounds = Number(options.rounds)
  const beganMs = performance.now()
  const before = await cpuSeconds()
  for (let round = 0; round < rounds; round++)
    await Promise.all(questions.map((question) => put(question, values)))
  const taken = (await cpuSeconds()) - before
  const wallSeconds = (performance.now() - beganMs) / 1000
  const seconds = Math.max(0, taken - resting * wallSeconds) / rounds
  const refreshSeconds = secondsOf(dashboard.refresh)
  const share = seconds / (refreshSeconds * Number(options.cores))
  return { title: dashboard.title, queries: questions.length, seconds, refreshSeconds, share }
}

const values = await choices()
const resting = await restingShare()
console.log(`At rest: ${(100 * resting).toFixed(1)} % of a core, for scrapes and rules.`)
console.log('| Dashboard | Queries | CPU ms a refresh | Refresh | Of the cores |')
console.log('| --- | ---: | ---: | ---: | ---: |')
for (const dashboard of committedDashboards) {
  const { title, queries, seconds, refreshSeconds, share } = await costOf(dashboard, values, resting)
  const cells = [
    title,
    queries,
    Math.round(1000 * seconds),
    `${refreshSeconds} s`,
    `${(100 * share).toFixed(1)} %`,
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
