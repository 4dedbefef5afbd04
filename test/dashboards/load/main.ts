/**
 * The load of each dashboard on a running Prometheus per refresh: all queries of its panels, annotations and variables
 * over its default range, in Prometheus's own CPU time.
 */
import { answerOf, commandLine, exitWithUsage, namesFrom, numberFrom } from '../../fixtures/command-line.ts'
import type { DashboardJson } from '../dashboard-json.ts'
import { filled, optionsAmong, selectedAmong } from '../filled.ts'
import type { Question, Span } from './questions.ts'

const usage = `npm run node test/dashboards/load/main.ts -- URL [--session NAME] [--only UID,…] [--each] [--rounds N] [--cores N]
                              [--every SECONDS] [--at SECONDS]

Measures what each dashboard costs the Prometheus at URL, which should do little else meanwhile: what its scrapes and
rules take is measured first, and taken off.
  --session NAME    with this session chosen; all of them where left out
  --only UID,…      these dashboards alone: dcsim-session,dcsim-floor
  --each            also the costliest panels of each
  --rounds N        how often each is asked; 5 where left out
  --cores N         of how many processors the shares are; 2 where left out
  --every SECONDS   the interval of the data source; 15 where left out
  --at SECONDS      as if it were this time, in seconds since 1970; now where left out`

const { values: options, positionals } = commandLine(usage, {
  allowPositionals: true,
  options: {
    session: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    cores: { type: 'string', default: '2' },
    only: { type: 'string' },
    every: { type: 'string', default: '15' },
    at: { type: 'string' },
    each: { type: 'boolean', default: false },
  },
})
const [base] = positionals
if (base === undefined) exitWithUsage(usage, 'The address of a Prometheus is missing.')
const rounds = numberFrom(usage, '--rounds', options.rounds, 1)
const cores = numberFrom(usage, '--cores', options.cores, 1)
const everySeconds = numberFrom(usage, '--every', options.every, 1)
const atSeconds = options.at === undefined ? null : numberFrom(usage, '--at', options.at, 0)
// Imported only now: wrong arguments are refused at once.
const { everyDashboard } = await import('../dashboard-json.ts')
const { ofVariables, questionsOf, variables } = await import('./questions.ts')
const uids = everyDashboard.map(({ uid }) => uid)
const only = options.only === undefined ? uids : namesFrom(usage, '--only', options.only, uids)
await answerOf(usage, 'Prometheus', base, '/-/healthy')

/** The default range of a dashboard. */
function spanOf({ title, time }: DashboardJson): Span {
  const hours = Number(/^now-(\d+)h$/.exec(time.from)?.[1])
  if (Number.isNaN(hours))
    throw new Error(`${title} opens with ${time.from}, which is not a number of hours.`)
  return { seconds: 3600 * hours, everySeconds }
}

const idleSeconds = 20
const nowSeconds = (): number => atSeconds ?? Date.now() / 1000

type Labels = Readonly<Record<string, string>>

interface Answer {
  readonly status: string
  readonly error?: string
  readonly data: {
    readonly result: readonly { readonly metric: Labels; readonly value?: [number, string] }[]
  }
}

async function answerTo(path: string, query: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(new URL(path, base), { method: 'POST', body: new URLSearchParams(query) })
  const answer = (await response.json()) as Answer
  if (answer.status !== 'success') throw new Error(`${query['query']}: ${answer.error}`)
  return answer
}

/** CPU time of Prometheus since its start. */
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
    (await answerTo('/api/v1/query', { query: selector, time: String(nowSeconds()) })).data.result.map(
      ({ metric }) => metric,
    )
  for (const variable of variables) {
    if (values[variable.name] !== undefined) continue
    values[variable.name] = selectedAmong(variable, await optionsAmong(variable, find, values)) ?? '1'
  }
  return values
}

async function sendQuestion({ expr, stepSeconds }: Question, values: Labels, span: Span): Promise<void> {
  const query = filled(expr, values)
  const now = nowSeconds()
  const labelValues = /^label_values\((.+), (\w+)\)$/.exec(query)
  if (labelValues !== null) {
    const [, selector, label] = labelValues
    const times = { start: String(now - span.seconds), end: String(now) }
    const found = new URLSearchParams({ 'match[]': selector, ...times })
    await (await fetch(new URL(`/api/v1/label/${label}/values?${found}`, base))).text()
  } else if (stepSeconds === null) await answerTo('/api/v1/query', { query, time: String(now) })
  else {
    const times = { start: String(now - span.seconds), end: String(now), step: String(stepSeconds) }
    await answerTo('/api/v1/query_range', { query, ...times })
  }
}

const secondsOf = (refresh: string): number =>
  Number.parseFloat(refresh) * { s: 1, m: 60 }[refresh.at(-1) as 's' | 'm']

/** Concurrent queries, and their range. */
interface Page {
  readonly questions: readonly Question[]
  readonly span: Span
}

/** CPU time of concurrent queries. */
async function secondsFor({ questions, span }: Page, values: Labels, resting: number): Promise<number> {
  const beganMs = performance.now()
  const before = await cpuSeconds()
  for (let round = 0; round < rounds; round++)
    await Promise.all(questions.map((question) => sendQuestion(question, values, span)))
  const taken = (await cpuSeconds()) - before
  const wallSeconds = (performance.now() - beganMs) / 1000
  return Math.max(0, taken - resting * wallSeconds) / rounds
}

async function costOf(dashboard: DashboardJson, values: Labels, resting: number) {
  const span = spanOf(dashboard)
  const page = { questions: [...questionsOf(dashboard, span), ...ofVariables(dashboard, span)], span }
  const seconds = await secondsFor(page, values, resting)
  const refreshSeconds = secondsOf(dashboard.refresh)
  const share = seconds / (refreshSeconds * cores)
  return { title: dashboard.title, page, seconds, refreshSeconds, share }
}

/** The most expensive panels, annotations and variables, each queried alone. */
async function costliest({ questions, span }: Page, values: Labels, resting: number): Promise<string[]> {
  const costs: { panel: string; ms: number }[] = []
  for (const [panel, ofPanel] of Map.groupBy(questions, (question) => question.panel))
    costs.push({
      panel,
      ms: Math.round(1000 * (await secondsFor({ questions: ofPanel, span }, values, resting))),
    })
  const shownMax = 6
  return costs
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, shownMax)
    .map(({ panel, ms }) => `  ${panel}: ${ms} ms`)
}

const values = await choices()
const resting = await restingShare()
console.log(`At rest: ${(100 * resting).toFixed(1)} % of a core, for scrapes and rules.`)
console.log('| Dashboard | Queries | CPU ms a refresh | Refresh | Of the cores |')
console.log('| --- | ---: | ---: | ---: | ---: |')
const pages = everyDashboard.filter(({ uid }) => only.includes(uid))
for (const dashboard of pages) {
  const { title, page, seconds, refreshSeconds, share } = await costOf(dashboard, values, resting)
  const cells = [
    title,
    page.questions.length,
    Math.round(1000 * seconds),
    `${refreshSeconds} s`,
    `${(100 * share).toFixed(1)} %`,
  ]
  console.log(`| ${cells.join(' | ')} |`)
  if (options.each) console.log((await costliest(page, values, resting)).join('\n'))
}
