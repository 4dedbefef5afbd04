/** What a report asks of a Prometheus. */
import type { RangeSeries } from '../../grading/evaluate.ts'

export interface AlertRule {
  readonly name: string
  readonly query: string
  /** Seconds for which the expression has to hold. */
  readonly holds: number
  /** Seconds for which it fires after the expression has ceased to hold. */
  readonly keeps: number
  readonly severity: string
  /** Seconds between two evaluations. */
  readonly interval: number
}

interface RulesAnswer {
  readonly groups: readonly {
    readonly interval: number
    readonly rules: readonly {
      readonly type: string
      readonly name: string
      readonly query: string
      readonly duration?: number
      readonly keepFiringFor?: number
      readonly labels?: Readonly<Record<string, string>>
    }[]
  }[]
}

/** Why a Prometheus could not be asked, as a sentence for the operator. */
export class PrometheusError extends Error {}

const unreachable = (url: string, { message, cause }: Error): string => {
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : message
  return `Cannot reach Prometheus at ${url}: ${reason}.`
}

export class PrometheusClient {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async #ask<T>(path: string, parameters: Record<string, string>): Promise<T> {
    let answer
    try {
      answer = await fetch(`${this.#url}/api/v1/${path}?${new URLSearchParams(parameters)}`)
    } catch (error) {
      throw new PrometheusError(unreachable(this.#url, error as Error))
    }
    const text = await answer.text()
    try {
      const { data, error } = JSON.parse(text) as { data?: T; error?: string }
      if (data !== undefined) return data
      throw new PrometheusError(`Prometheus at ${this.#url} refuses a query: ${error}.`)
    } catch (error) {
      if (error instanceof PrometheusError) throw error
      throw new PrometheusError(
        `${this.#url} is no Prometheus: ${path} answers ${answer.status} without JSON.`,
      )
    }
  }

  /** The alert rules that it has loaded. */
  async rules(): Promise<AlertRule[]> {
    const { groups } = await this.#ask<RulesAnswer>('rules', { type: 'alert' })
    return groups.flatMap(({ interval, rules }) =>
      rules.map(({ name, query, duration = 0, keepFiringFor = 0, labels = {} }) => ({
        name,
        query,
        holds: duration,
        keeps: keepFiringFor,
        severity: labels['severity'] ?? 'none',
        interval,
      })),
    )
  }

  async range(query: string, start: number, end: number, step: number): Promise<readonly RangeSeries[]> {
    const parameters = { query, start: `${start}`, end: `${end}`, step: `${step}` }
    const { result } = await this.#ask<{ result: readonly RangeSeries[] }>('query_range', parameters)
    return result
  }
}
