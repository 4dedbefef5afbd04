/** The only reader of the process's clocks: composition roots pass it to everything else. */
import type { Clock } from '../contract/clock.ts'

export const processClock: Clock & {
  /** Milliseconds since the process started. */
  upMs(): number
} = {
  nowMs: () => Number(process.hrtime.bigint()) / 1e6,
  wallMs: () => Date.now(),
  upMs: () => performance.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs)
    return () => clearTimeout(timer)
  },
}
