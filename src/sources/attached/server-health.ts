import type { Clock } from '../../contract/clock.ts'
import { bool, int, record, str } from '../../contract/fields.ts'
import { routes } from '../../contract/routes.ts'
import { SourceTrouble } from '../source.ts'
import { Body } from './body.ts'
import type { Answer, Exchange } from './exchange.ts'

/** At most this many questions are open at once; the oldest is given up for the next. */
export const questionsMax = 10

export const healthWithinMs = 10_000

const World = record('Health', 'Whether there is a world.', { world_ready: bool('Whether there is.') })
const Status = record('Health', 'How the server is.', { status: str('In a word.') })
const Reason = record('Health', 'How the server is.', { reason: str('Why.') })
const Seq = record('Health', 'Which publish it is at.', { publish_seq: int('Its number.') })

export interface ServerHealth {
  readonly isReady: boolean
  /** As the server says it; empty where it does not. */
  readonly status: string
  readonly reason: string
  readonly publishSeq: number
  readonly simTimeNs: bigint | null
  readonly capturedAtMs: number
}

/** A mirror's reason quotes that of its own server, and so on: in a circle there is no end to it. */
const reasonMax = 300

const shortened = (reason: string): string =>
  reason.length > reasonMax ? `${reason.slice(0, reasonMax)} …` : reason

function healthIn(answer: Answer): ServerHealth {
  const body = new Body(answer)
  const { capturedAtMs, simTimeNs } = body.envelope()
  return {
    isReady: body.read(World).world_ready,
    status: body.has('status') ? body.read(Status).status : '',
    reason: body.has('reason') ? shortened(body.read(Reason).reason) : '',
    publishSeq: body.read(Seq).publish_seq,
    simTimeNs,
    capturedAtMs,
  }
}

/**
 * Asks how the server is. A question that is swallowed does not hold up the others: new ones follow on connections of
 * their own, `againMs` apart in the end and closer at first, and the first answer counts. The question asked last
 * decides when it fails.
 */
export async function askHealth(
  exchange: Exchange,
  clock: Clock,
  againMs: number,
  isAside = false,
): Promise<ServerHealth> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const untilMs = clock.nowMs() + healthWithinMs
  const open: AbortController[] = []
  let waitMs = againMs / 3
  let stopWaiting = (): void => {}
  const ask = (isAlone: boolean): void => {
    if (clock.nowMs() >= untilMs) {
      const seconds = healthWithinMs / 1000
      return reject(new SourceTrouble('timed_out', `The server did not answer within ${seconds} s.`))
    }
    if (open.length === questionsMax) open.shift()!.abort()
    const control = new AbortController()
    open.push(control)
    exchange
      .get(routes.health.path, { alone: isAlone, signal: control.signal })
      .then(resolve, (error: unknown) => {
        if (control === open.at(-1)) reject(error)
      })
    stopWaiting = clock.after(waitMs, () => ask(true))
    waitMs = Math.min(1.5 * waitMs, againMs)
  }
  ask(isAside)
  try {
    const answer = await promise
    try {
      return healthIn(answer)
    } finally {
      answer.free()
    }
  } finally {
    stopWaiting()
    for (const control of open) control.abort()
  }
}
