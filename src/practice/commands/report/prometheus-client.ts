/** A client for the queries that grading needs. It validates answers: the address may be that of another program. */
import type { RangeSeries } from '../../grading/evaluate.ts'
import { askServer } from '../../../command-line/ask-server.ts'
import type { ServerAnswer } from '../../../command-line/ask-server.ts'
import { quoted, shortened } from '../../../text/quoted.ts'

export interface AlertRule {
  readonly name: string
  readonly query: string
  /** Seconds for which the expression has to hold before the alert fires (`for`). */
  readonly forSeconds: number
  /** Seconds for which the alert keeps firing after the expression has ceased to hold (`keep_firing_for`). */
  readonly keepFiringSeconds: number
  readonly severity: string
  /** Evaluation interval in seconds. */
  readonly interval: number
}

/** A failed query; the message is a sentence for the operator. */
export class PrometheusError extends Error {}

/** A little more than the query timeout of Prometheus, so that its own error message arrives. */
const answerTimeoutMs = 150_000

/** The answer is not of the shape that Prometheus documents. */
class ShapeError extends Error {}

function mismatch(expected: string, found: unknown): ShapeError {
  const text = JSON.stringify(found) ?? 'nothing'
  return new ShapeError(`expected ${expected}, found ${shortened(text)}`)
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown, expected: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw mismatch(expected, value)
}

function listOf(value: unknown, expected: string): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[]
  throw mismatch(expected, value)
}

function textOf(value: unknown, expected: string): string {
  if (typeof value === 'string') return value
  throw mismatch(expected, value)
}

function secondsOf(value: unknown, expected: string): number {
  if (Number.isFinite(value) && (value as number) >= 0) return value as number
  throw mismatch(expected, value)
}

function labelsOf(value: unknown): Readonly<Record<string, string>> {
  const labels = fieldsOf(value, 'labels')
  for (const label of Object.values(labels)) textOf(label, 'the text of a label')
  return labels as Record<string, string>
}

function rulesOf(data: unknown): AlertRule[] {
  return listOf(fieldsOf(data, 'rules')['groups'], 'groups of rules').flatMap((group) => {
    const { interval, rules } = fieldsOf(group, 'a group of rules')
    const seconds = secondsOf(interval, 'an interval in seconds')
    if (seconds === 0) throw mismatch('an interval above 0', interval)
    return listOf(rules, 'rules').map((rule) => {
      const { name, query, duration = 0, keepFiringFor = 0, labels = {} } = fieldsOf(rule, 'a rule')
      return {
        name: textOf(name, 'the name of a rule'),
        query: textOf(query, 'the expression of a rule'),
        forSeconds: secondsOf(duration, 'a duration in seconds'),
        keepFiringSeconds: secondsOf(keepFiringFor, 'a duration in seconds'),
        severity: labelsOf(labels)['severity'] ?? 'none',
        interval: seconds,
      }
    })
  })
}

const seriesOf = (data: unknown): RangeSeries[] =>
  listOf(fieldsOf(data, 'a result')['result'], 'series').map((one) => {
    const { metric, values } = fieldsOf(one, 'a series')
    return {
      metric: labelsOf(metric),
      values: listOf(values, 'values').map((pair) => {
        const [at, value] = listOf(pair, 'a time and a value')
        return [secondsOf(at, 'a time'), textOf(value, 'a value as text')] as const
      }),
    }
  })

export class PrometheusClient {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** The loaded alert rules. */
  rules(): Promise<AlertRule[]> {
    return this.#ask('rules', { type: 'alert' }, rulesOf)
  }

  range(query: string, start: number, end: number, step: number): Promise<readonly RangeSeries[]> {
    const parameters = { query, start: `${start}`, end: `${end}`, step: `${step}` }
    return this.#ask('query_range', parameters, seriesOf)
  }

  async #ask<T>(path: string, parameters: Record<string, string>, read: (data: unknown) => T): Promise<T> {
    let answer: ServerAnswer
    try {
      answer = await askServer(`${this.#url}/api/v1/${path}?${new URLSearchParams(parameters)}`, {
        timeoutMs: answerTimeoutMs,
      })
    } catch (error) {
      throw new PrometheusError(`Cannot reach Prometheus at ${this.#url}: ${(error as Error).message}.`)
    }
    const { data, error } = this.#parse(path, answer)
    if (data === undefined)
      throw new PrometheusError(`Prometheus at ${this.#url} refuses a query: ${error}.${adviceOn(error)}`)
    try {
      return read(data)
    } catch (problem) {
      if (!(problem instanceof ShapeError)) throw problem
      throw new PrometheusError(`${this.#url} is no Prometheus: in ${path}, ${problem.message}.`)
    }
  }

  #parse(path: string, { status, text }: ServerAnswer): { readonly data?: unknown; readonly error: string } {
    let fields: Fields
    try {
      fields = fieldsOf(JSON.parse(text), 'an answer')
    } catch {
      throw new PrometheusError(`${this.#url} is no Prometheus: ${path} answers ${status} without JSON.`)
    }
    const { data, error, title, detail } = fields
    if (data !== undefined || typeof error === 'string') return { data, error: String(error) }
    // A mirror describes its problems so.
    const answer = [title, detail].filter((part) => typeof part === 'string').join(': ')
    throw new PrometheusError(
      `${this.#url} is no Prometheus: ${path} answers ${status}${answer === '' ? '' : `, ${quoted(answer)}`}. ` +
        'Name the Prometheus that scrapes the mirror, such as http://127.0.0.1:9090.',
    )
  }
}

/** History that was loaded has no end marks: for the lookback, a series that has ended stands beside its successor. */
const adviceOn = (error: string): string =>
  /duplicate series|many-to-many|multiple matches/.test(error)
    ? ' Series that have ended in a history are still shown with those that replaced them: begin after the history ' +
      '(--from), or start Prometheus with a lookback as short as the interval of the history (--query.lookback-delta).'
    : ''
