/** Sizes, durations and counts in the output of commands. */
import { durationText } from '../text/duration.ts'

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

export function formatBytes(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return unit === 0 ? `${bytes} bytes` : `${(bytes / 1000 ** unit).toFixed(1)} ${units[unit]}`
}

/** Lines, or parts of one, that a report has before the rest is counted. */
export const shownMax = 8

/** A duration such as 2d 3h or 5m 10s. */
export const formatDuration = (seconds: number): string => durationText(seconds, 2)

export const formatCount = (count: number, name: string): string =>
  `${count.toLocaleString('en-US')} ${name}${count === 1 ? '' : 's'}`
