/** What commands tell of recordings, and when they refuse one. */
import { clockOf } from '../contract/clock.ts'
import { OptionError } from '../options/read.ts'
import { RecordingError } from '../recording/frame-cursor.ts'
import { FileBytes } from '../recording/recording-file.ts'
import { RecordingIndex } from '../recording/recording-index.ts'
import type { Reporter } from './reporter.ts'

const clock = clockOf(() => process.hrtime.bigint(), setTimeout, clearTimeout)

/** As many blocks are looked at between two looks at the clock. */
const blocksAtOnce = 64

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

export function sizeText(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  return unit === 0 ? `${bytes} bytes` : `${(bytes / 1000 ** unit).toFixed(1)} ${units[unit]}`
}

/** A span of time such as 2d 3h or 5m 10s, to its two largest parts unless more are wanted. */
export function spanText(seconds: number, partsMax = 2): string {
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

/** Looks a recording through, and tells how far it is. */
export function readIndex(file: string, report: Reporter): RecordingIndex {
  let index
  try {
    index = new RecordingIndex(new FileBytes(file))
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error
    throw new OptionError(error.message)
  }
  let toldMs = clock.nowMs()
  for (let block = 1; index.scanBlock(); block++) {
    if (block % blocksAtOnce !== 0 || clock.nowMs() - toldMs < report.progressEveryMs) continue
    toldMs = clock.nowMs()
    report.progress(`Looking ${file} through: ${Math.floor(100 * index.done)} %.`)
  }
  return index
}

/** Where a recording is damaged and what is still sound, in a sentence; null where nothing is wrong with it. */
export function damageText(file: string, { ending, frames }: RecordingIndex): string | null {
  if (ending?.is !== 'damage') return null
  const { at, found } = ending.damage
  if (at === 0) return `${file} is no recording that can be read: ${found}.`
  return `${file} is damaged at byte ${at}: ${found}. ${countText(frames.length, 'frame')} before it are sound.`
}

export const countText = (count: number, name: string): string =>
  `${count.toLocaleString('en-US')} ${name}${count === 1 ? '' : 's'}`
