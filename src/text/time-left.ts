const msPerSecond = 1000
const secondsPerMinute = 60
/** Below this, minutes are too coarse. */
const minutesFromSeconds = 90
const secondsStep = 5

/**
 * The estimated remaining time of work, from its completed share and the elapsed time: `, about 20 s left`. Empty while
 * no estimate is possible.
 */
export function timeLeft(done: number, elapsedMs: number): string {
  if (done <= 0 || done >= 1 || elapsedMs < msPerSecond) return ''
  const seconds = (elapsedMs * (1 - done)) / done / msPerSecond
  if (seconds > minutesFromSeconds) return `, about ${Math.round(seconds / secondsPerMinute)} min left`
  return `, about ${Math.max(1, Math.ceil(seconds / secondsStep)) * secondsStep} s left`
}
