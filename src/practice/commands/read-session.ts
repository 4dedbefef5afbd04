/** Reads a game day from the file of its session, whose mirror may run. */
import type { AnswerLine } from '../../contract/game-days/answer-line.ts'
import { sessionOf } from '../../contract/game-days/session-line.ts'
import type { SessionLine, SessionRecord } from '../../contract/game-days/session-line.ts'
import type { TruthLine } from '../../contract/game-days/truth-line.ts'
import { OptionError } from '../../options/parse-options.ts'
import { gameDayRows } from '../../store/game-day-rows.ts'
import type { GameDayTable } from '../../store/game-day-rows.ts'
import { readSessionFile } from '../../store/read-session-file.ts'
import { parseActionLine, remedies } from '../../world/scenario-language.ts'
import type { Order } from '../debrief/game-day.ts'
import { sqliteErrorText } from '../../store/sqlite-error.ts'

/** The last session of a file, with its faults. */
export interface SessionTruth extends SessionRecord {
  readonly faults: readonly TruthLine[]
}

interface FileCommand {
  readonly argument: string
  readonly options: { readonly 'session-file': string }
  readonly origins: { readonly 'session-file': string }
}

/** The file that a command names by its argument or its option. */
export function fileOf({ argument, options, origins }: FileCommand): {
  readonly path: string
  readonly origin: string
} {
  const path = argument === '' ? options['session-file'] : argument
  if (path === '')
    throw new OptionError('missing argument FILE, the file of a session; a mirror keeps it by --session-file')
  return { path, origin: argument === '' ? origins['session-file'] : 'FILE' }
}

/** Throws an `OptionError` if the file cannot be read. */
function rowsAt(path: string, origin: string, table: GameDayTable): unknown[] {
  try {
    return readSessionFile(path, (database) => gameDayRows(database, table))
  } catch (error) {
    throw new OptionError(`${origin}: cannot read ${JSON.stringify(path)}: ${sqliteErrorText(error)}`)
  }
}

/** The faults, in the order in which they began. */
export const truthAt = (path: string, origin: string): readonly TruthLine[] =>
  (rowsAt(path, origin, 'fault') as TruthLine[]).toSorted((a, b) => a.begin.wall_s - b.begin.wall_s)

/** The answers and hints, in the order of their times. */
export const answersAt = (path: string, origin: string): readonly AnswerLine[] =>
  (rowsAt(path, origin, 'answer') as AnswerLine[]).toSorted((a, b) => a.wall_s - b.wall_s)

export function readSession(path: string, origin: string): SessionTruth {
  const faults = truthAt(path, origin)
  const session = sessionOf(rowsAt(path, origin, 'game_day_log') as SessionLine[])
  if (session === null)
    throw new OptionError(`${origin}: ${path} has no truth about a session: a mirror with --truth keeps it`)
  return { ...session, faults: faults.filter(({ world }) => world === session.opening.world) }
}

/** The part and the kinds of faults that an ordered repair is for; null for other actions. */
export function orderOf(line: string): Pick<Order, 'on' | 'kinds'> | null {
  const parsed = parseActionLine(line)
  if ('problem' in parsed || !('remedy' in parsed.line.action)) return null
  const { remedy, on } = parsed.line.action
  return { on, kinds: remedies[remedy].kinds }
}
