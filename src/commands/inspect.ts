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
import { formatBytes, formatCount, formatDuration } from '../command-line/formats.ts'

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

interface Frames {
  readonly first: FrameRow
  last: FrameRow
  count: number
}

/** How many frames there are, and the wall time and simulated time that they cover, with the flag of a replay. */
function formatFrames({ first, last, count }: Frames): string {
  const wallTime = `${formatDuration((last.wallMs - first.wallMs) / 1000)} from ${formatWallTime(first.wallMs)}`
  const simulated = `${formatSimTime(first.simTimeNs)} to ${formatSimTime(last.simTimeNs)}`
  const span = formatDuration(Number(last.elapsedNs - first.elapsedNs) / 1e9)
  const from = first.elapsedNs === 0n ? '' : `; --from ${first.elapsedNs / nsPerSecond}s`
  return `${formatCount(count, 'frame')} in ${wallTime}; ${simulated}: ${span}${from}`
}

function describeRecordings(database: DatabaseSync, onFault: (fault: string) => void): string[] {
  const rows = new RecordedFrames(() => database)
  const recordings = rows.recordings()
  const recorded = new Map<number, Frames>()
  for (const frame of rows.rows(({ message }) => onFault(message), recordings)) {
    const frames = recorded.get(frame.recording) ?? { first: frame, last: frame, count: 0 }
    recorded.set(frame.recording, Object.assign(frames, { last: frame, count: frames.count + 1 }))
  }
  return Array.from(recordings.values(), ({ number, source }) => {
    const frames = recorded.get(number)
    const text = frames === undefined ? 'no frames' : formatFrames(frames)
    return formatLine('recording', `${printable(source)}; ${text}`)
  })
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
