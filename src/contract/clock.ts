export const nsPerSecond = 1_000_000_000n

/** Monotonic time and timers, passed in so that tests can drive them. */
export interface Clock {
  /** Milliseconds on the monotonic clock that all threads of the process share. */
  readonly nowMs: () => number
  /** Calls once after a delay. The returned function cancels the call. */
  readonly after: (delayMs: number, call: () => void) => () => void
}

/** Builds a clock from the runtime's functions, which the composition roots pass in. */
export function createClock<T>(
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
