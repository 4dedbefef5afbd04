/** Monotonic time and timers, passed in so that whoever waits can be driven by a test. */
export interface Clock {
  /** Milliseconds on the monotonic clock that all threads of the process share. */
  readonly nowMs: () => number
  /** Calls once after a delay. The function that it returns calls it off. */
  readonly after: (delayMs: number, call: () => void) => () => void
}

/** A clock of the machine's own parts, which the composition roots hand in. */
export function clockOf<T>(
  hrtimeNs: () => bigint,
  startTimer: (call: () => void, delayMs: number) => T,
  stopTimer: (timer: T) => void,
): Clock {
  return {
    nowMs: () => Number(hrtimeNs()) / 1e6,
    after: (delayMs, call) => {
      const timer = startTimer(call, delayMs)
      return () => stopTimer(timer)
    },
  }
}
