/**
 * The clocks of the process and its timers, passed in so that tests can drive them. A span, such as an age, a timeout
 * or a lease, is the difference between two readings of `nowMs`. The wall clock may jump by hours either way: `wallMs`
 * is an instant to print or to write down, and two readings of it say nothing about the time between them.
 */
export interface Clock {
  /** Milliseconds on the monotonic clock that all threads of the process share. */
  readonly nowMs: () => number
  /** Milliseconds since 1970 on the wall clock. */
  readonly wallMs: () => number
  /** Calls once after a delay. The returned function cancels the call. */
  readonly after: (delayMs: number, call: () => void) => () => void
}
