/** Descriptions of recordings for the output of commands. */
import { processClock as clock } from '../../process-clock.ts'
import { FileBytes } from '../../recording/recording-file.ts'
import { RecordingIndex } from '../../recording/recording-index.ts'
import type { Logger } from '../logger.ts'

/** Blocks scanned between two clock reads. */
const blocksPerClockRead = 64

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

export function formatBytes(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return unit === 0 ? `${bytes} bytes` : `${(bytes / 1000 ** unit).toFixed(1)} ${units[unit]}`
}

/** A duration such as 2d 3h or 5m 10s, to its two largest parts by default. */
export function formatDuration(seconds: number, partsMax = 2): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3_600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'm'],
    [whole % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  if (first < 0) return '0s'
  return parts
    .slice(first, first + partsMax)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ')
}

export const formatCount = (count: number, name: string): string =>
  `${count.toLocaleString('en-US')} ${name}${count === 1 ? '' : 's'}`

/** Scans a recording from end to end with progress. Throws a RecordingError where the file cannot be read. */
export function scanRecording(file: string, log: Logger): RecordingIndex {
  const index = new RecordingIndex(new FileBytes(file))
  let reportedMs = clock.nowMs()
  for (let block = 1; index.scanBlock(); block++) {
    if (block % blocksPerClockRead !== 0 || clock.nowMs() - reportedMs < log.progressIntervalMs) continue
    reportedMs = clock.nowMs()
    log.progress(`Scanning ${file}: ${Math.floor(100 * index.done)} %.`)
  }
  return index
}

/** A sentence on the position of the damage and the readable rest of a recording; null for an intact one. */
export function describeDamage(file: string, { ending, frames }: RecordingIndex): string | null {
  if (ending?.is !== 'damage') return null
  const { at, reason } = ending.damage
  if (at === 0) return `${file} is not a recording that can be read: ${reason}.`
  const whole = frames.length === 0 ? 'No frame' : `The ${formatCount(frames.length, 'frame')}`
  return `${file} is damaged at byte ${at}: ${reason}. ${whole} before it can be read.`
}
