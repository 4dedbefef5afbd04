/** Tells what is in a recording. */
import { clockOf } from '../contract/clock.ts'
import { usualQuestions } from '../options/command.ts'
import { OptionError, readCommand } from '../options/read.ts'
import { inspectionSettings } from '../options/recording-settings.ts'
import { logLevelSetting } from '../options/service-settings.ts'
import { RecordingError } from '../recording/frame-cursor.ts'
import { Inspection, type Findings } from '../recording/inspection.ts'
import type { IndexedFrame, RecordingIndex } from '../recording/recording-index.ts'
import type { Session } from '../recording/session.ts'
import { answer, exitCodes } from './command-line.ts'
import { countText, damageText, readIndex, sizeText, spanText } from './recordings.ts'
import { Reporter } from './reporter.ts'

export const inspect = {
  name: 'inspect',
  usage: 'npm start -- inspect FILE [FLAGS]',
  summary:
    'Tells what is in a recording: when, of what, how much of it, and whether any of it is damaged or missing.',
  settings: { ...inspectionSettings, 'log-level': logLevelSetting },
  questions: usualQuestions,
  argument: { takes: 'FILE', meaning: 'The recording.' },
} as const

const nsASecond = 1_000_000_000n
const secondsADay = 86_400
const labelWidth = 11
/** A world that is played in a loop is another one each time. */
const worldsToldMax = 8

const clock = clockOf(() => process.hrtime.bigint(), setTimeout, clearTimeout)

const say = (text: string): void => console.log(text)

const line = (label: string, text: string): string => `  ${label.padEnd(labelWidth)}${text}`

const wallText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`

function simulatedText(simTimeNs: bigint): string {
  const seconds = Number(simTimeNs / nsASecond)
  const time = new Date((seconds % secondsADay) * 1000).toISOString().slice(11, 19)
  return `day ${Math.floor(seconds / secondsADay)}, ${time}`
}

/** Simulated time that the frames cover. Where one world follows another, each counts for itself. */
function simulatedSeconds(frames: readonly IndexedFrame[]): number {
  let seconds = 0
  for (let i = 1; i < frames.length; i++) {
    if (!frames[i].isJoin) seconds += Number(frames[i].simTimeNs - frames[i - 1].simTimeNs) / 1e9
  }
  return seconds
}

function wallSeconds(frames: readonly IndexedFrame[]): number {
  let ms = 0
  for (let i = 1; i < frames.length; i++) {
    if (frames[i].session === frames[i - 1].session)
      ms += Math.max(0, frames[i].wallMs - frames[i - 1].wallMs)
  }
  return ms / 1000
}

function gapText(frames: readonly IndexedFrame[]): string {
  const gaps = frames.filter(({ hasEventGap }) => hasEventGap)
  if (gaps.length === 0) return 'none missing'
  const shown = gaps.slice(0, 5).map(({ simTimeNs }) => simulatedText(simTimeNs))
  const more = gaps.length > shown.length ? ' …' : ''
  return `some missing in ${countText(gaps.length, 'place')}, before ${shown.join('; ')}${more}`
}

/** The frames of each world, in their order. */
function worldsOf(frames: readonly IndexedFrame[]): IndexedFrame[][] {
  const worlds: IndexedFrame[][] = []
  for (const frame of frames) {
    if (frame.isJoin || worlds.length === 0) worlds.push([frame])
    else worlds.at(-1)!.push(frame)
  }
  return worlds
}

/** When it is in a world, and what to say to see it where that is not the beginning. */
function worldText(frames: readonly IndexedFrame[]): string {
  const [first, last] = [frames[0], frames.at(-1)!]
  const span = `${simulatedText(first.simTimeNs)} to ${simulatedText(last.simTimeNs)}: ${spanText(simulatedSeconds(frames))}`
  return first.elapsedNs === 0n ? span : `${span}; --from ${first.elapsedNs / nsASecond}s`
}

function sessionLines(
  { source, software, began, every_ms: everyMs }: Session,
  frames: readonly IndexedFrame[],
): string[] {
  const when = wallText(Date.parse(began))
  const told = line(
    'session',
    `${source}; begun ${when} by dcsim-mirror ${software}, a frame every ${everyMs / 1000} s`,
  )
  const [first, last] = [frames[0], frames.at(-1)]
  if (first === undefined || last === undefined) return [told, line('frames', 'none')]
  const whole = frames.filter(({ kind }) => kind === 'key').length
  const worlds = worldsOf(frames)
  const untold = worlds.length - worldsToldMax
  return [
    told,
    line('wall', `${wallText(first.wallMs)} to ${wallText(last.wallMs)}: ${spanText(wallSeconds(frames))}`),
    ...worlds.slice(0, worldsToldMax).map((world) => line('simulated', worldText(world))),
    ...(untold > 0 ? [line('', `and ${countText(untold, 'world')} more, one after the other`)] : []),
    line(
      'frames',
      `${frames.length.toLocaleString('en-US')}, ${whole} of them whole; publishes ${first.publishSeq} to ${last.publishSeq}`,
    ),
  ]
}

function outline({ frames, sessions, ending, bytes }: RecordingIndex): string[] {
  const framesOf = Map.groupBy(frames, ({ session }) => session)
  const lines = sessions.flatMap((session, position) => sessionLines(session, framesOf.get(position) ?? []))
  if (sessions.length > 1) {
    const [simulated, wall] = [simulatedSeconds(frames), wallSeconds(frames)]
    const length = `${spanText(simulated)} of simulated time in ${spanText(wall)}`
    lines.push(line('in all', `${countText(frames.length, 'frame')}, ${length}`))
  }
  if (ending?.is === 'unfinished') {
    const left = countText(bytes.size - ending.at, 'byte')
    lines.push(line('end', `${left} of a block that was not finished`))
  }
  return lines
}

function details(
  index: RecordingIndex,
  { sizes, records, events, incidents, mostIncidentsAtOnce }: Findings,
): string[] {
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const largest = [...sizes].toSorted(([, one], [, other]) => other - one)
  const width = Math.max(...[...sizes.keys()].map((name) => name.length)) + 2
  return [
    line('events', `${events.toLocaleString('en-US')}, ${gapText(index.frames)}`),
    line('incidents', `${incidents.toLocaleString('en-US')}, at most ${mostIncidentsAtOnce} open in a frame`),
    line('lists', 'records in the last frame, and what the list takes of the file'),
    ...largest.map(([name, size]) => {
      const count = (records.get(name) ?? 0).toLocaleString('en-US').padStart(8)
      const share = total === 0 ? 0 : (100 * size) / total
      return `    ${name.padEnd(width)}${count}  ${sizeText(Math.round(size)).padStart(11)}  ${share.toFixed(1).padStart(5)} %`
    }),
  ]
}

function inspectFrames(index: RecordingIndex, report: Reporter): Findings {
  const inspection = new Inspection(index)
  let toldMs = clock.nowMs()
  for (let position = 0; position < index.frames.length; position++) {
    inspection.inspect(position)
    if (clock.nowMs() - toldMs < report.progressEveryMs) continue
    toldMs = clock.nowMs()
    report.progress(`Reading frames: ${Math.floor((100 * position) / index.frames.length)} %.`)
  }
  return inspection.findings
}

export async function runInspect(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const told = readCommand(inspect, words, environment)
  if (typeof told === 'string') {
    console.log(answer(inspect, told))
    return
  }
  const { argument: file, options } = told
  const report = new Reporter(options['log-level'], process.stderr)
  const index = readIndex(file, report)
  const damage = damageText(file, index)
  if (index.sessions.length === 0 && damage !== null) throw new OptionError(damage)
  if (index.bytes.size === 0) {
    say(`${file}: empty, nothing is recorded there`)
    return
  }
  say(`${file}: ${sizeText(index.bytes.size)}, ${damage === null ? 'sound' : 'damaged'}`)
  for (const text of outline(index)) say(text)
  try {
    const areRead = options.frames === 'read' && index.frames.length > 0
    if (areRead) for (const text of details(index, inspectFrames(index, report))) say(text)
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error
    report.fault(error.message)
    process.exitCode = exitCodes.failed
  }
  if (damage === null) return
  report.fault(damage)
  process.exitCode = exitCodes.failed
}
