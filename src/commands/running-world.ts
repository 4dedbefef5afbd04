/** Asks a mirror at which wall time its world passed a simulated time. */
import { setTimeout as pause } from 'node:timers/promises'
import { nsPerSecond } from '../contract/time-units.ts'
import { processClock as clock } from '../process/clock.ts'
import { MirrorReader } from './readers/mirror.ts'

const retryIntervalMs = 1_000
/** The warm-up of a large world takes minutes on a slow machine. */
const waitMaxMs = 600_000

interface RunningWorld {
  readonly origin: string
  /** The session of a mirror that has several; empty for its only one. */
  readonly session: string
  /** Simulated seconds per wall second. */
  readonly speed: number
  readonly onProgress: (text: string) => void
}

/** Wall seconds since 1970 at which the world passed a simulated time, as a line through its newest snapshot. */
export async function wallSecondsOf(simNs: bigint, world: RunningWorld): Promise<number> {
  const { origin, speed } = world
  const { sim_time_ns: nowNs, age_ms: ageMs } = await healthOf(world)
  const wallMs = clock.wallMs()
  if (nowNs < simNs)
    throw new Error(
      `the world of ${origin} is at ${nowNs / nsPerSecond} simulated seconds, before the end of the history at ` +
        `${simNs / nsPerSecond}: it is not the same world, or has another --warmup`,
    )
  return Math.round((wallMs - ageMs) / 1000 - Number(nowNs - simNs) / Number(nsPerSecond) / speed)
}

interface Health {
  readonly sim_time_ns: bigint
  readonly age_ms: number
}

/** Waits until the mirror has a world. */
async function healthOf({ origin, session, onProgress }: RunningWorld): Promise<Health> {
  const mirror = new MirrorReader(origin, session)
  const beganMs = clock.nowMs()
  for (;;) {
    let reason = 'it has no world yet'
    try {
      const { sim_time_ns: simNs, age_ms: ageMs } = (await mirror.json('/health')) as {
        readonly sim_time_ns?: number | bigint
        readonly age_ms?: number
      }
      if (simNs !== undefined && ageMs !== undefined) return { sim_time_ns: BigInt(simNs), age_ms: ageMs }
    } catch (error) {
      // The advice of a `MirrorError` names another option.
      const { message, cause = { message } } = error as Error
      reason = (cause as Error).message
    }
    if (clock.nowMs() - beganMs > waitMaxMs)
      throw new Error(`the mirror at ${origin} is not ready: ${reason}`)
    onProgress(`Waiting for the mirror at ${origin}: ${reason}.`)
    await pause(retryIntervalMs)
  }
}
