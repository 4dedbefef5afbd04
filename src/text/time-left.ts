const msPerSecond = 1000
const secondsPerMinute = 60
/** Below this, a minute is too coarse. */
const minutesFromSeconds = 90
const secondsStep = 5

/**
 * How long work will take that has done a share of it in a time: `, about 20 s left`. Empty while that cannot be told.
 */
export function timeLeft(done: number, elapsedMs: number): string {
  if (done <= 0 || done >= 1 || elapsedMs < msPerSecond) return ''
  const seconds = (elapsedMs * (1 - done)) / done / msPerSecond
  if (seconds > minutesFromSeconds) return `, about ${Math.round(seconds / secondsPerMinute)} min left`
  return `, about ${Math.max(1, Math.ceil(seconds / secondsStep)) * secondsStep} s left`
}
