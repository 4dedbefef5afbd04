/** Prints what happens as JSON lines, for log shippers. */
import { pageLimitMax } from '../contract/routes.ts'
import { nsPerDay } from '../contract/time-units.ts'
import { EngineEventSchema } from '../contract/records/operations.ts'
import type { EventRecord } from '../contract/collections.ts'
import { recordMaker } from '../encoding/record-reader.ts'
import { eventsSettings, sessionFileArgument } from '../options/reading-settings.ts'
import { commonInfoFlags } from '../options/command.ts'
import { processClock as clock } from '../process/clock.ts'
import { sentenceOr } from '../words/incidents.ts'
import { isoTime } from '../words/moments.ts'
import { plainWords } from '../words/vocabulary.ts'
import { commandFrom, exitCodes } from '../command-line/command-line.ts'
import { FileReader } from './readers/session-file.ts'
import { MirrorError, MirrorReader } from './readers/mirror.ts'
import type { WorldReader } from './readers/mirror.ts'

export const eventsCommand = {
  name: 'events',
  usage: 'events [FILE] [OPTIONS]',
  summary:
    'Prints events, closed incidents and ended days of a running mirror, or in the file of a session, as JSON lines. A ' +
    'line of the type "missed" says where events are lacking.',
  settings: eventsSettings,
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror events --follow >> events.jsonl', 'dcsim-mirror events evening.dcsim'],
  argument: sessionFileArgument,
} as const

const pollMs = 1_000

/** An answer of the events route, of any upstream. */
interface EventsAnswer {
  readonly meta?: { readonly sim_time_ns?: unknown }
  readonly items?: readonly unknown[]
  readonly next_since_ns?: unknown
  readonly oldest_retained_ns?: unknown
  readonly possible_gap?: unknown
}

const eventOf = recordMaker(EngineEventSchema)

const withTexts = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
const line = (type: string, content: object): string => JSON.stringify({ type, ...content }, withTexts)

const bigintOr = (value: unknown, otherwise: bigint): bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))
    ? BigInt(value)
    : otherwise

/** Follows the events of a mirror by their times. */
export class EventFollower {
  readonly #mirror: WorldReader
  readonly #print: (text: string) => void
  #sinceNs: bigint | null = null

  constructor(mirror: WorldReader, print: (text: string) => void) {
    this.#mirror = mirror
    this.#print = print
  }

  /** Prints what has happened since the last call; at the first, what is there. Returns whether there may be more. */
  async poll(): Promise<boolean> {
    const since = this.#sinceNs
    const parameters = { limit: String(pageLimitMax), ...(since === null ? {} : { since_ns: String(since) }) }
    const answer = (await this.#mirror.events(parameters)) as EventsAnswer
    const nowNs = bigintOr(answer.meta?.sim_time_ns, since ?? 0n)
    if (since !== null && nowNs < since) {
      this.#print(
        line('world', { message: 'The time of the world went back: it is another one.', at_ns: nowNs }),
      )
      this.#sinceNs = null
      return true
    }
    if (since !== null && answer.possible_gap === true)
      this.#print(line('missed', { from_ns: since, to_ns: bigintOr(answer.oldest_retained_ns, since) }))
    for (const item of answer.items ?? []) await this.#printItem(item)
    this.#sinceNs = bigintOr(answer.next_since_ns, since ?? 0n)
    return (answer.items ?? []).length === pageLimitMax
  }

  async #printItem(item: unknown): Promise<void> {
    const event = eventOf(item) as EventRecord
    const { at_ns, kind, severity, msg_key, msg_args, entity_kind, entity_id } = event
    const message = sentenceOr(msg_key, msg_args, plainWords(kind))
    this.#print(
      line('event', {
        at_ns: String(at_ns),
        at: isoTime(at_ns),
        kind,
        severity,
        message,
        entity_kind,
        entity_id: entity_id === null ? null : String(entity_id),
      }),
    )
    if (kind === 'IncidentResolved' && entity_id !== null) await this.#printRow('incident', String(entity_id))
    if (kind === 'DayStarted') await this.#printRow('day', String(BigInt(at_ns) / nsPerDay - 1n))
  }

  /** A mirror without an archive has no days. */
  async #printRow(kind: 'incident' | 'day', id: string): Promise<void> {
    try {
      const [row] = await this.#mirror.rows(kind === 'day' ? 'days' : 'incidents', { [kind]: id })
      if (row !== undefined) this.#print(line(kind, row))
    } catch (error) {
      if (!(error instanceof MirrorError)) throw error
      this.#print(line('missed', { [kind]: id, message: error.message }))
    }
  }
}

export async function runEvents(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(eventsCommand, words, environment)
  if (command === null) return
  const { url, session, follow } = command.options
  const reader = command.argument === '' ? new MirrorReader(url, session) : new FileReader(command.argument)
  const follower = new EventFollower(reader, (text) => console.log(text))
  let failure = ''
  for (;;) {
    try {
      while (await follower.poll()) {}
      failure = ''
    } catch (error) {
      if (!(error instanceof MirrorError)) throw error
      if (error.message !== failure) console.error(error.message)
      failure = error.message
      if (!follow) process.exitCode = exitCodes.failed
    }
    if (!follow) return
    await new Promise<void>((resolve) => void clock.after(pollMs, resolve))
  }
}
