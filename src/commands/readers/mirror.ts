/** Reads a running mirror for commands that print what happened. */
import { parseLossless } from '../../encoding/lossless-json.ts'
import { sessionParameter } from '../../contract/session.ts'
import { askServer } from '../../command-line/ask-server.ts'

const timeoutMs = 10_000

export type AnsweredRow = Readonly<Record<string, unknown>>

/** A failed request; the message is a sentence for the operator. */
export class MirrorError extends Error {}

/** Reads what happened in a world, from its running mirror or from the file of its session. */
export interface WorldReader {
  /** An answer of the events route. */
  events(parameters: Readonly<Record<string, string>>): Promise<unknown>
  rows(table: string, parameters?: Readonly<Record<string, string>>): Promise<readonly AnsweredRow[]>
}

const eventsPath = '/api/v1/events'

export class MirrorReader implements WorldReader {
  readonly #url: string
  readonly #session: string

  constructor(url: string, session: string) {
    this.#url = url
    this.#session = session
  }

  events(parameters: Readonly<Record<string, string>>): Promise<unknown> {
    return this.json(eventsPath, parameters)
  }

  /** The JSON at a path; integers beyond 2^53 are exact. */
  async json(path: string, parameters: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const query = new URLSearchParams({
      ...parameters,
      ...(this.#session === '' ? {} : { [sessionParameter]: this.#session }),
    })
    let answer
    try {
      answer = await askServer(`${this.#url}${path}?${query}`, { timeoutMs })
    } catch (error) {
      throw new MirrorError(
        `No mirror answers at ${this.#url}: ${(error as Error).message}. Start one, or name another with --url.`,
        { cause: error },
      )
    }
    const body = parsed(answer.text)
    if (answer.isOk && body !== null) return body
    const detail = typeof body === 'object' && body !== null && 'detail' in body ? String(body.detail) : ''
    throw new MirrorError(`${this.#url}${path} answered ${answer.status}. ${detail}`.trim())
  }

  async rows(
    table: string,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<readonly AnsweredRow[]> {
    const rows = await this.json(`/tables/${table}`, parameters)
    if (!Array.isArray(rows)) throw new MirrorError(`${this.#url}/tables/${table} has no rows.`)
    return rows as AnsweredRow[]
  }
}

function parsed(text: string): unknown {
  try {
    return parseLossless(text)
  } catch {
    return null
  }
}
