/** How long Prometheus takes to answer each panel over a day of a fleet of a thousand hosts. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RunningService } from '../../metrics/real-prometheus.ts'
import { filled, optionsAmong } from '../filled.ts'
import { neededFamilies, questionsOver, variables } from './questions.ts'
import type { Question, Span } from './questions.ts'
import { recordDay } from './recorded-day.ts'
import { StoredPrometheus } from './stored-prometheus.ts'
import type { Answered } from './stored-prometheus.ts'
import { commandLine, endWith } from '../../fixtures/command-line.ts'

const limitSeconds = 2
/** The quickest counts: the others had to wait for something else on the machine. */
const rounds = 3

/** A day, scraped as often as the stack does. */
const span: Span = { seconds: 86_400, everySeconds: 5 }

const usage = `npm run dashboards:timing -- FOLDER

Measures how long Prometheus takes to answer each panel over a day of a fleet of a thousand hosts. The day is recorded
into FOLDER the first time, which takes some minutes and two gigabytes, and is read from there afterwards. Needs
prometheus and promtool on the PATH.`

const { positionals } = commandLine(usage, { allowPositionals: true, options: {} })
const [place, ...others] = positionals
if (place === undefined || others.length > 0)
  endWith(usage, `Expected a folder, got ${positionals.join(' ') || 'nothing'}.`)
const folder = resolve(place)
const tell = (line: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`)

interface Day {
  readonly span: Span
  readonly endSeconds: number
}

async function ownMetrics(): Promise<string> {
  const service = await RunningService.start(['--scale', 'small', '--warmup', '1h'])
  for (const path of ['/health', '/api/v1/hosts', '/api/v1/incidents', '/metrics']) await service.get(path)
  const text = await service.get('/metrics')
  await service.stop()
  return text
}

/** The day in the folder, recorded where it is not there yet. */
async function dayIn(): Promise<Day> {
  const noted = join(folder, 'day.json')
  if (existsSync(noted)) return JSON.parse(readFileSync(noted, 'utf8')) as Day
  const endSeconds = Math.floor(Date.now() / 7_200_000) * 7200
  mkdirSync(folder, { recursive: true })
  tell(`Recording into ${folder}`)
  await recordDay({ folder, span, endSeconds, needed: neededFamilies(), ownText: await ownMetrics(), tell })
  // The last scrape of the day.
  const day = { span, endSeconds: endSeconds - span.everySeconds }
  writeFileSync(noted, JSON.stringify(day))
  return day
}

/** What is chosen in the variables: of those that take several values all, of the others the lowest. */
async function choices(prometheus: StoredPrometheus, endSeconds: number): Promise<Record<string, string>> {
  const values: Record<string, string> = { job: '.+', instance: '.+' }
  for (const variable of variables) {
    const find = (selector: string) => prometheus.series(selector, endSeconds)
    const options = variable.multi === true ? [] : await optionsAmong(variable, find, values)
    const [first] = options.toSorted((a, b) => Number(a.value) - Number(b.value))
    values[variable.name] ??= variable.multi === true ? variable.allValue! : (first?.value ?? '1')
  }
  return values
}

/** A block that is missing or cannot be read would make every answer look quick. */
async function checkWhole(prometheus: StoredPrometheus, { span, endSeconds }: Day): Promise<void> {
  const clock = `count_over_time(dcsim_sim_time_seconds[${span.seconds}s])`
  const { samples } = await prometheus.time(clock, endSeconds)
  const expected = span.seconds / span.everySeconds
  if (samples !== expected)
    throw new Error(
      `${folder} has ${samples} scrapes instead of ${expected}: remove it, so that it is recorded again.`,
    )
}

async function answered(prometheus: StoredPrometheus, question: Question, { span, endSeconds }: Day) {
  const { expr, stepSeconds } = question
  const answers: Answered[] = []
  for (let round = 0; round < rounds; round++) {
    const answer =
      stepSeconds === null
        ? await prometheus.time(expr, endSeconds)
        : await prometheus.timeOver(expr, endSeconds - span.seconds, endSeconds, stepSeconds)
    answers.push(answer)
  }
  const seconds = Math.min(...answers.map((answer) => answer.seconds))
  const busySeconds = Math.min(...answers.map((answer) => answer.busySeconds))
  return { ...answers[0], seconds, busySeconds }
}

interface Row {
  readonly panel: string
  readonly queries: number
  /** All its queries one after the other; Grafana asks them together. */
  readonly seconds: number
  readonly busySeconds: number
  readonly series: number
  readonly samples: number
}

async function measured(prometheus: StoredPrometheus, day: Day): Promise<Row[]> {
  const values = await choices(prometheus, day.endSeconds)
  const byPanel = Map.groupBy(questionsOver(day.span), ({ panel }) => panel)
  const rows: Row[] = []
  for (const [panel, questions] of byPanel) {
    const row = { panel, queries: questions.length, seconds: 0, busySeconds: 0, series: 0, samples: 0 }
    for (const question of questions) {
      const answer = await answered(prometheus, { ...question, expr: filled(question.expr, values) }, day)
      row.seconds += answer.seconds
      row.busySeconds += answer.busySeconds
      row.series += answer.series
      row.samples += answer.samples
    }
    rows.push(row)
  }
  return rows.toSorted((a, b) => b.seconds - a.seconds)
}

const day = await dayIn()
const prometheus = await StoredPrometheus.start(folder)
try {
  await checkWhole(prometheus, day)
  const rows = await measured(prometheus, day)
  const hours = day.span.seconds / 3600
  console.log(`Prometheus ${await prometheus.version()}, ${hours} h scraped every ${day.span.everySeconds} s`)
  const columns = [11, 9, 9, 8, 12] as const
  const line = (cells: readonly (string | number)[], panel: string): string =>
    `${cells.map((cell, at) => String(cell).padStart(columns[at])).join('')}  ${panel}`
  console.log(line(['seconds', 'of CPU', 'queries', 'series', 'samples'], 'panel'))
  for (const { panel, queries, seconds, busySeconds, series, samples } of rows)
    console.log(line([seconds.toFixed(3), busySeconds.toFixed(2), queries, series, samples], panel))
  const slow = rows.filter(({ seconds }) => seconds > limitSeconds)
  console.log(`${rows.length} panels, ${slow.length} of them over ${limitSeconds} s.`)
  if (slow.length > 0) process.exitCode = 1
} finally {
  await prometheus.stop()
}
