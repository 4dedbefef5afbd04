import { processClock as clock } from '../process/clock.ts'
import { timeLeft } from '../text/time-left.ts'
import type { Logger } from './logger.ts'

/** Tells the progress of long work, at the pace of the log: `Comparing worlds: 40 %, about 20 s left.` */
export function progressOf(log: Logger, text: string): (share: number) => void {
  const startedMs = clock.nowMs()
  let reportedMs = startedMs
  return (share) => {
    const nowMs = clock.nowMs()
    if (nowMs - reportedMs < log.progressIntervalMs) return
    reportedMs = nowMs
    log.progress(`${text}: ${Math.floor(share * 100)} %${timeLeft(share, nowMs - startedMs)}.`)
  }
}
