/** Prints what the file of a session contains. */
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { isReadable } from '../store/archive/record-body.ts'
import { archivedKinds } from '../contract/archive.ts'
import { nsPerSecond } from '../contract/time-units.ts'
import { commonInfoFlags } from '../options/command.ts'
import { RecordedFrames } from '../store/recording/recorded-frames.ts'
import type { FrameRow } from '../store/recording/recorded-frames.ts'
import { RecordingError } from '../store/recording/recording-error.ts'
import { readSessionFile } from '../store/read-session-file.ts'
import { fileBytes, ForeignFileError } from '../store/session-file.ts'
import { isDamage, sqliteErrorText } from '../store/sqlite-error.ts'
import { readHead } from '../store/world-state.ts'
import { printable } from '../text/printable.ts'
import { commandFrom, reportFailure } from '../command-line/command-line.ts'
import { formatBytes, formatCount, formatDuration, shownMax } from '../command-line/formats.ts'

export const inspectCommand = {
  name: 'inspect',
  usage: 'inspect FILE',
  summary: 'Prints what the file of a session contains, and whether it is sound. A mirror may have it open.',
  settings: {},
  infoFlags: commonInfoFlags,
  examples: ['dcsim-mirror inspect evening.dcsim'],
  argument: { placeholder: 'FILE', help: 'The file of a session.' },
} as const

const secondsPerDay = 86_400
const labelWidth = 11

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

/** The frames of a recording. */
class FrameSummary {
  readonly #worlds: { readonly first: FrameRow; last: FrameRow }[] = []
  readonly #gaps: bigint[] = []
  #keys = 0
  count = 0

  add(frame: FrameRow): void {
    this.count++
    if (frame.number === frame.key) this.#keys++
    if (frame.hasEventGap) this.#gaps.push(frame.simTimeNs)
    const world = this.#worlds.at(-1)
    if (frame.isJoin || world === undefined) this.#worlds.push({ first: frame, last: frame })
    else world.last = frame
  }

  get wallSeconds(): number {
    return (this.#worlds.at(-1)!.last.wallMs - this.#worlds[0].first.wallMs) / 1000
  }

  get simulatedSeconds(): number {
    return this.#worlds.reduce((sum, { first, last }) => sum + secondsBetween(first, last), 0)
  }

  get lines(): string[] {
    const worlds = this.#worlds
    const [{ first }, { last }] = [worlds[0], worlds.at(-1)!]
    const wallTimes = `${formatWallTime(first.wallMs)} to ${formatWallTime(last.wallMs)}`
    const hidden = worlds.length - shownMax
    const count = `${this.count.toLocaleString('en-US')}, ${this.#keys} of them key frames`
    return [
      formatLine('wall', `${wallTimes}: ${formatDuration(this.wallSeconds)}`),
      ...worlds.slice(0, shownMax).map((world) => formatLine('simulated', formatWorld(world))),
      ...(hidden > 0
        ? [formatLine('', `and ${formatCount(hidden, 'more world')}, one after the other`)]
        : []),
      formatLine('frames', `${count}; publishes ${first.publishSeq} to ${last.publishSeq}`),
      formatLine('events', this.#describeGaps()),
    ]
  }

  #describeGaps(): string {
    const gaps = this.#gaps
    if (gaps.length === 0) return 'none missing'
    const shown = gaps.slice(0, shownMax).map(formatSimTime).join('; ')
    const more = gaps.length > shownMax ? ' …' : ''
    return `some missing in ${formatCount(gaps.length, 'place')}, before ${shown}${more}`
  }
}

const secondsBetween = (first: FrameRow, last: FrameRow): number =>
  Number(last.simTimeNs - first.simTimeNs) / 1e9

/** The simulated time that a world covers, with the flag that starts a replay there. */
function formatWorld({ first, last }: { readonly first: FrameRow; readonly last: FrameRow }): string {
  const times = `${formatSimTime(first.simTimeNs)} to ${formatSimTime(last.simTimeNs)}`
  const span = `${times}: ${formatDuration(secondsBetween(first, last))}`
  return first.elapsedNs === 0n ? span : `${span}; --from ${first.elapsedNs / nsPerSecond}s`
}

function describeRecordings(database: DatabaseSync, onFault: (fault: string) => void): string[] {
  const frames = new RecordedFrames(() => database)
  const recordings = frames.recordings()
  const summaries = new Map([...recordings.keys()].map((number) => [number, new FrameSummary()]))
  for (const frame of frames.rows(({ message }) => onFault(message), recordings))
    summaries.get(frame.recording)!.add(frame)
  const lines = Array.from(recordings.values(), ({ number, source, software, beganMs, everyMs }) => {
    const start = `started ${formatWallTime(beganMs)} by dcsim-mirror ${printable(software)}`
    const summary = summaries.get(number)!
    return [
      formatLine('recording', `${printable(source)}; ${start}, one frame every ${everyMs / 1000} s`),
      ...(summary.count === 0 ? [formatLine('frames', 'none')] : summary.lines),
    ]
  })
  const recorded = [...summaries.values()].filter(({ count }) => count > 0)
  if (recorded.length < 2) return lines.flat()
  const sum = (of: (summary: FrameSummary) => number): number =>
    recorded.reduce((total, summary) => total + of(summary), 0)
  const times = `${formatDuration(sum((one) => one.simulatedSeconds))} of simulated time in ${formatDuration(sum((one) => one.wallSeconds))}`
  return [
    ...lines.flat(),
    formatLine(
      'total',
      `${formatCount(
        sum((one) => one.count),
        'frame',
      )}, ${times}`,
    ),
  ]
}

function describeWorld(database: DatabaseSync): string[] {
  const head = readHead(database)
  if (head === null) return []
  const { seed, scale, version, simTimeNs, publishSeq } = head
  const text = `seed ${seed}, scale ${scale}, of version ${version}`
  const at = `${formatSimTime(simTimeNs)}, publish ${publishSeq}`
  return [formatLine('world', printable(`${text}; saved on ${at}`))]
}

const nouns = { event: 'event', incident: 'incident', order: 'work order', day: 'day' } as const

function describeHistory(database: DatabaseSync): string[] {
  const rows = database.prepare('SELECT kind, count(*) AS count FROM record GROUP BY kind').all()
  const counts = new Map(rows.map(({ kind, count }) => [kind, Number(count)]))
  const parts = archivedKinds.flatMap((kind) => {
    const count = counts.get(kind) ?? 0
    return count === 0 ? [] : [formatCount(count, nouns[kind])]
  })
  return parts.length === 0 ? [] : [formatLine('history', parts.join(', '))]
}

function describeGameDays(database: DatabaseSync): string[] {
  const count = (table: string): number =>
    Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()!['count'])
  const [faults, answers] = [count('fault'), count('answer')]
  return [
    ...(faults === 0 ? [] : [formatLine('truth', formatCount(faults, 'fault'))]),
    ...(answers === 0 ? [] : [formatLine('team', `${formatCount(answers, 'line')} of answers and hints`)]),
  ]
}

/** The columns that have a checksum beside them. */
const summed = { frame: 'body', piece: 'bytes', entity: 'json' } as const

/** Damage that SQLite or a checksum finds. */
function faultsOf(database: DatabaseSync): string[] {
  const check = Object.values(database.prepare('PRAGMA integrity_check(1)').get()!)[0]
  const faults = check === 'ok' ? [] : [`Its pages are damaged: ${String(check).replaceAll(/\s+/g, ' ')}.`]
  for (const [table, column] of Object.entries(summed)) {
    let count = 0
    for (const row of database.prepare(`SELECT ${column} AS content, sum FROM ${table}`).iterate())
      if (crc32(row['content'] as string | Uint8Array) !== row['sum']) count++
    if (count > 0) faults.push(`${formatCount(count, 'row')} of the table ${table} cannot be read.`)
  }
  let records = 0
  for (const { body } of database.prepare('SELECT body FROM record').iterate())
    if (!isReadable(body as Uint8Array)) records++
  if (records > 0) faults.push(`${formatCount(records, 'row')} of the table record cannot be read.`)
  return faults
}

function inspect(path: string): {
  readonly bytes: number
  readonly lines: readonly string[]
  readonly faults: readonly string[]
} {
  return readSessionFile(path, (database) => {
    const faults: string[] = []
    const onFault = (fault: string): void => void faults.push(fault)
    const parts = [describeWorld, describeHistory, describeGameDays, describeRecordings].map(
      (describe) => (): string[] => describe(database, onFault),
    )
    const lines = parts.flatMap((part) => unlessDamaged(part, onFault))
    const found = unlessDamaged(() => faultsOf(database), onFault)
    return { bytes: fileBytes(database), lines, faults: [...new Set([...faults, ...found])] }
  })
}

/** A damaged page costs what is read through it. */
function unlessDamaged(read: () => string[], onFault: (fault: string) => void): string[] {
  try {
    return read()
  } catch (error) {
    if (!isDamage(error) && !(error instanceof RecordingError)) throw error
    onFault(isDamage(error) ? `Its pages are damaged: ${sqliteErrorText(error)}.` : (error as Error).message)
    return []
  }
}

export async function runInspect(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const command = commandFrom(inspectCommand, words, environment)
  if (command === null) return
  const { argument: file } = command
  try {
    const { bytes, lines, faults } = inspect(file)
    const state = faults.length === 0 ? 'sound' : 'damaged'
    console.log(`${file}: ${formatBytes(bytes)}, ${state}`)
    for (const line of lines.length === 0 ? [formatLine('content', 'none')] : lines) console.log(line)
    if (faults.length > 0) reportFailure(`${file} is damaged. ${faults.join(' ')}`)
  } catch (error) {
    reportFailure(
      error instanceof ForeignFileError
        ? `${error.message}.`
        : `Cannot read ${file}: ${sqliteErrorText(error)}.`,
    )
  }
}
