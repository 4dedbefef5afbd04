import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { RealAlertmanager } from '../../inbox/alertmanager.ts'
import { Inbox } from '../../inbox/inbox.ts'
import type { Message } from '../../inbox/message.ts'
import type { Programs } from '../../inbox/program.ts'
import { scrapeSeconds } from '../play.ts'
import type { Texts } from './expand.ts'
import type { Post } from './posts.ts'

/**
 * Alertmanager itself uses the machine's clock, so every interval of the shipped configuration is divided by `pace`,
 * and alerts are posted faster by that factor. Durations in texts remain correct: a resolved alert is posted with the
 * start time that matches its true duration.
 */

interface ExpandedPost extends Post {
  readonly texts: { readonly labels: Texts; readonly annotations: Texts }
}

/** A message, and its arrival in wall seconds of the runs. */
export interface Received extends Message {
  readonly at: number
}

const inMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** The shipped configuration with shorter intervals; its templates are copied to a folder. */
export function paced(configuration: string, pace: number, folder: string): string {
  const [, shipped] = /^templates: \["(.*)\/\*\.tmpl"\]$/m.exec(configuration)!
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(shipped)) {
    const text = readFileSync(join(shipped, name), 'utf8')
    const shorter = text.replaceAll('.Seconds 150.0', `.Seconds ${(150 / pace).toFixed(3)}`)
    writeFileSync(join(folder, name), shorter)
  }
  return configuration
    .replace(shipped, folder)
    .replaceAll(
      /(_wait|_interval): (\d+)([smh])$/gm,
      (_, kind: string, count: string, unit: string) =>
        `${kind}: ${Math.round((Number(count) * inMs[unit]) / pace)}ms`,
    )
}

/** Prometheus repeats alerts every minute, and Alertmanager expires one without a repetition after four. */
const forgottenAfterMs = 240_000

export interface Delivery {
  readonly received: readonly Received[]
  /** Unreadable messages, and errors in Alertmanager's log. */
  readonly errors: readonly string[]
  /** The largest delay of posts, in wall seconds of the runs. */
  readonly lateness: number
  /** The same for each second with posts. */
  readonly lateAt: ReadonlyMap<number, number>
}

/** Posts all alerts on schedule, and collects the messages. */
export async function deliver(
  posts: readonly ExpandedPost[],
  { programs, folder, pace }: { programs: Programs; folder: string; pace: number },
): Promise<Delivery> {
  const inbox = await Inbox.open(folder)
  const alertmanager = await RealAlertmanager.start(programs, join(folder, 'alertmanager'), inbox, (text) =>
    paced(text, pace, join(folder, 'templates')),
  )
  try {
    const startMs = Date.now() + 500
    const msOf = (at: number): number => startMs + (at * 1000) / pace
    const atEach = Map.groupBy(posts, ({ at }) => at)
    const last = Math.max(0, ...atEach.keys())
    const lateAt = new Map<number, number>()
    for (let at = 0; at <= last; at += scrapeSeconds) {
      const due = atEach.get(at)
      if (due === undefined) continue
      await pause(Math.max(0, msOf(at) - Date.now()))
      lateAt.set(at, ((Date.now() - msOf(at)) * pace) / 1000)
      await alertmanager.post(
        due.map(({ rule, from, ended, texts }) => {
          const endsMs = ended === null ? msOf(at) + forgottenAfterMs / pace : msOf(ended)
          return {
            labels: { ...texts.labels, alertname: rule.alert },
            annotations: texts.annotations,
            startsAt: new Date(ended === null ? msOf(from) : endsMs - (ended - from) * 1000).toISOString(),
            endsAt: new Date(endsMs).toISOString(),
          }
        }),
      )
    }
    // Waits for the last check of every group.
    await pause(130_000 / pace + 1000)
    const received = inbox.messages.map((message) => ({
      ...message,
      at: ((message.atMs - startMs) * pace) / 1000,
    }))
    // A retried notification has arrived.
    const isFailure = (line: string): boolean => line !== '' && !line.includes('will retry later')
    const errors = [...inbox.errors, ...alertmanager.log.split('\n').filter(isFailure)]
    return { received, errors, lateness: Math.max(0, ...lateAt.values()), lateAt }
  } finally {
    await alertmanager.stop()
    inbox.close()
  }
}
