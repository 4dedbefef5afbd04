/** Prints what a recording contains. */
import { nsPerSecond } from '../contract/clock.ts'
import { processClock as clock } from '../process-clock.ts'
import { commonInfoFlags } from '../options/command.ts'
import { parseCommand } from '../options/parse-options.ts'
import { inspectionSettings } from '../options/recording-settings.ts'
import { logLevelSetting } from '../options/service-settings.ts'
import { Inspection } from '../recording/inspection.ts'
import type { InspectionReport } from '../recording/inspection.ts'
import { RecordingError } from '../recording/recording-error.ts'
import type { Frames, IndexedFrame } from '../recording/frame-list.ts'
import type { RecordingIndex } from '../recording/recording-index.ts'
import type { Session } from '../recording/session.ts'
import { printable } from '../text/printable.ts'
import { answerInfoFlag, exitCodes } from './command-line.ts'
import { Logger } from './logger.ts'
import {
  describeDamage,
  formatBytes,
  formatCount,
  formatDuration,
  scanRecording,
} from './files/recording-summary.ts'

export const inspectCommand = {
  name: 'inspect',
  usage: 'inspect FILE [OPTIONS]',
  summary:
    'Prints what a recording contains: its sessions, their times, the size of each list, and any damage or gap.',
  settings: { ...inspectionSettings, 'log-level': logLevelSetting },
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror inspect evening.rec'],
  argument: { placeholder: 'FILE', help: 'The recording.' },
} as const

const secondsPerDay = 86_400
const labelWidth = 11
/** A recording of a loop has a new world for every iteration. */
const worldsShownMax = 8
const gapsShownMax = 5

const formatLine = (label: string, text: string): string => `  ${label.padEnd(labelWidth)}${text}`

function formatWallTime(ms: number): string {
  const date = new Date(ms)
  if (Number.isNaN(date.getTime())) return 'an unknown time'
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function formatSimTime(simTimeNs: bigint): string {
  const seconds = Number(simTimeNs / nsPerSecond)
  const time = new Date((seconds % secondsPerDay) * 1000).toISOString().slice(11, 19)
  return `day ${Math.floor(seconds / secondsPerDay)}, ${time}`
}

/** The sum over pairs of consecutive frames. */
function sumOverSteps(frames: Frames, stepOf: (now: IndexedFrame, before: IndexedFrame) => number): number {
  let sum = 0
  let before: IndexedFrame | null = null
  for (const frame of frames) {
    if (before !== null) sum += stepOf(frame, before)
    before = frame
  }
  return sum
}

/** Simulated time that the frames cover, without the step from one world to the next. */
const simulatedSeconds = (frames: Frames): number =>
  sumOverSteps(frames, (now, before) => (now.isJoin ? 0 : Number(now.simTimeNs - before.simTimeNs) / 1e9))

/** Wall time that the frames cover, without the gaps between sessions. */
const wallSeconds = (frames: Frames): number =>
  sumOverSteps(frames, (now, before) =>
    now.session === before.session ? Math.max(0, now.wallMs - before.wallMs) / 1000 : 0,
  )

function formatGaps(frames: Frames): string {
  const shown: string[] = []
  let count = 0
  for (const { hasEventGap, simTimeNs } of frames) {
    if (!hasEventGap) continue
    count++
    if (count <= gapsShownMax) shown.push(formatSimTime(simTimeNs))
  }
  if (count === 0) return 'none missing'
  const more = count > shown.length ? ' …' : ''
  return `some missing in ${formatCount(count, 'place')}, before ${shown.join('; ')}${more}`
}

/** The positions at which the worlds of a session begin. */
function worldStarts(frames: Frames): number[] {
  const starts: number[] = []
  let position = 0
  for (const { isJoin } of frames) {
    if (isJoin || position === 0) starts.push(position)
    position++
  }
  return starts
}

function countKeyFrames(frames: Frames): number {
  let count = 0
  for (const { kind } of frames) if (kind === 'key') count++
  return count
}

/** The frames of each session, which are consecutive. */
function splitBySession(frames: Frames, sessionCount: number): Frames[] {
  const ends = new Uint32Array(sessionCount)
  let position = 0
  for (const { session } of frames) ends[session] = ++position
  let from = 0
  return Array.from(ends, (end) => {
    const range = frames.range(from, Math.max(from, end))
    from = Math.max(from, end)
    return range
  })
}

/** The simulated time that a world covers, with the flag that starts a replay there. */
function formatWorld(frames: Frames): string {
  const [first, last] = [frames.at(0), frames.at(-1)]
  const times = `${formatSimTime(first.simTimeNs)} to ${formatSimTime(last.simTimeNs)}`
  const span = `${times}: ${formatDuration(simulatedSeconds(frames))}`
  return first.elapsedNs === 0n ? span : `${span}; --from ${first.elapsedNs / nsPerSecond}s`
}

function formatSession({ source, software, began, every_ms: everyMs }: Session, frames: Frames): string[] {
  const start = `started ${formatWallTime(Date.parse(began))} by dcsim-mirror ${printable(software)}`
  const head = formatLine('session', `${printable(source)}; ${start}, one frame every ${everyMs / 1000} s`)
  if (frames.length === 0) return [head, formatLine('frames', 'none')]
  const [first, last] = [frames.at(0), frames.at(-1)]
  const worlds = worldStarts(frames)
  const hidden = worlds.length - worldsShownMax
  const wallTimes = `${formatWallTime(first.wallMs)} to ${formatWallTime(last.wallMs)}`
  return [
    head,
    formatLine('wall', `${wallTimes}: ${formatDuration(wallSeconds(frames))}`),
    ...worlds
      .slice(0, worldsShownMax)
      .map((start, i) =>
        formatLine('simulated', formatWorld(frames.range(start, worlds[i + 1] ?? frames.length))),
      ),
    ...(hidden > 0 ? [formatLine('', `and ${formatCount(hidden, 'more world')}, one after the other`)] : []),
    formatLine(
      'frames',
      `${frames.length.toLocaleString('en-US')}, ${countKeyFrames(frames)} of them key frames; publishes ${first.publishSeq} to ${last.publishSeq}`,
    ),
  ]
}

function formatIndex({ frames, sessions, ending, bytes }: RecordingIndex): string[] {
  const framesOf = splitBySession(frames, sessions.length)
  const lines = sessions.flatMap((session, position) => formatSession(session, framesOf[position]))
  if (sessions.length > 1) {
    const [simulated, wall] = [simulatedSeconds(frames), wallSeconds(frames)]
    const times = `${formatDuration(simulated)} of simulated time in ${formatDuration(wall)}`
    lines.push(formatLine('total', `${formatCount(frames.length, 'frame')}, ${times}`))
  }
  if (ending?.is === 'unfinished') {
    const left = formatCount(bytes.size - ending.at, 'byte')
    lines.push(formatLine('end', `${left} of an unfinished block`))
  }
  return lines
}

function formatContents(
  index: RecordingIndex,
  { sizes, records, events, incidents, openIncidentsMax }: InspectionReport,
): string[] {
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const largest = [...sizes].toSorted(([, one], [, other]) => other - one)
  const width = Math.max(...[...sizes.keys()].map((name) => name.length)) + 2
  return [
    formatLine('events', `${events.toLocaleString('en-US')}, ${formatGaps(index.frames)}`),
    formatLine(
      'incidents',
      `${incidents.toLocaleString('en-US')}, at most ${openIncidentsMax} open in a frame`,
    ),
    formatLine('lists', 'records in the last frame, bytes in the file, share of the file'),
    ...largest.map(([name, size]) => {
      const count = (records.get(name) ?? 0).toLocaleString('en-US').padStart(8)
      const share = total === 0 ? 0 : (100 * size) / total
      const bytes = formatBytes(Math.round(size)).padStart(11)
      return `    ${printable(name).padEnd(width)}${count}  ${bytes}  ${share.toFixed(1).padStart(5)} %`
    }),
  ]
}

function inspectFrames(index: RecordingIndex, log: Logger): InspectionReport {
  const inspection = new Inspection(index)
  let reportedMs = clock.nowMs()
  for (let position = 0; position < index.frames.length; position++) {
    inspection.inspectFrame(position)
    if (clock.nowMs() - reportedMs < log.progressIntervalMs) continue
    reportedMs = clock.nowMs()
    log.progress(`Reading frames: ${Math.floor((100 * position) / index.frames.length)} %.`)
  }
  return inspection.report
}

/** Throws a RecordingError where the recording is damaged or cannot be read. */
function printInspection(file: string, frames: 'read' | 'check', log: Logger): void {
  const index = scanRecording(file, log)
  const damage = describeDamage(file, index)
  if (index.ending?.is === 'damage' && index.ending.damage.at === 0) throw new RecordingError(damage!)
  if (index.bytes.size === 0) {
    console.log(`${file}: empty, contains no session`)
    return
  }
  console.log(`${file}: ${formatBytes(index.bytes.size)}, ${damage === null ? 'sound' : 'damaged'}`)
  for (const line of formatIndex(index)) console.log(line)
  if (index.frames.length > 0) {
    if (frames === 'check') console.log(formatLine('content', 'not read; add --frames read to describe it'))
    else for (const line of formatContents(index, inspectFrames(index, log))) console.log(line)
  }
  if (damage !== null) throw new RecordingError(damage)
}

export async function runInspect(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = parseCommand(inspectCommand, words, environment)
  if (typeof command === 'string') {
    console.log(answerInfoFlag(inspectCommand, command))
    return
  }
  const { argument: file, options } = command
  const log = new Logger({ level: options['log-level'], out: process.stderr })
  try {
    printInspection(file, options.frames, log)
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error
    log.error(error.message)
    process.exitCode = exitCodes.failed
  }
}
