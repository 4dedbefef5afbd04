const msPerSecond = 1000
const secondsPerMinute = 60
/** Below this, minutes are too coarse. */
const minutesFromSeconds = 90
const secondsStep = 5

/** The estimated remaining time of work: `, about 20 s left`. Empty while less than a twentieth is done. */
export function timeLeft(done: number, elapsedMs: number): string {
  if (done < 0.05 || done >= 1 || elapsedMs < msPerSecond) return ''
  const seconds = (elapsedMs * (1 - done)) / done / msPerSecond
  if (seconds > minutesFromSeconds) return `, about ${Math.round(seconds / secondsPerMinute)} min left`
  return `, about ${Math.max(1, Math.ceil(seconds / secondsStep)) * secondsStep} s left`
}
