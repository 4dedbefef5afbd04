const msPerSecond = 1000
const secondsPerMinute = 60
/** Below this, minutes are too coarse. */
const minutesFromSeconds = 90
const secondsStep = 5
/** Before this share, what was loaded and compiled counts more than the work. */
const doneMin = 0.05

/** The estimated remaining time of work: `, about 20 s left`. Empty while no estimate is possible. */
export function timeLeft(done: number, elapsedMs: number): string {
  if (done < doneMin || done >= 1 || elapsedMs < msPerSecond) return ''
  const seconds = (elapsedMs * (1 - done)) / done / msPerSecond
  if (seconds > minutesFromSeconds) return `, about ${Math.round(seconds / secondsPerMinute)} min left`
  return `, about ${Math.max(1, Math.ceil(seconds / secondsStep)) * secondsStep} s left`
}
