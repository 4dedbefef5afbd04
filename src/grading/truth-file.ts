import type { TruthLine, TruthMoment } from '../contract/game-days/truth-line.ts'

/** The lines of a truth file, the last one of each fault; or an error message. */
export function readTruth(text: string): readonly TruthLine[] | string {
  const byFault = new Map<string, TruthLine>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const read = readLine(line)
    if (read === null) return `line ${index + 1}: expected a fault as JSON, as --truth writes it`
    byFault.set(`${read.world}/${read.fault}`, read)
  }
  return [...byFault.values()].toSorted((a, b) => a.begin.wall_s - b.begin.wall_s)
}

/** The year 5138. */
const wallSecondsMax = 1e11

const isMoment = ({ wall_s: seconds }: TruthMoment): boolean =>
  Number.isFinite(seconds) && seconds >= 0 && seconds <= wallSecondsMax

/** Files of earlier versions have none. */
const isSession = (session: TruthLine['session'] | undefined): boolean =>
  (session ?? null) === null ||
  (isMoment(session!.began) && (session!.ended === null || isMoment(session!.ended)))

function readLine(line: string): TruthLine | null {
  try {
    const value = JSON.parse(line) as TruthLine
    const isFault =
      typeof value.kind === 'string' &&
      isMoment(value.begin) &&
      (value.end === null || isMoment(value.end)) &&
      isSession(value.session) &&
      Object.values(value.touched).every((ids) => Array.isArray(ids)) &&
      Array.isArray(value.customers)
    return isFault ? { ...value, session: value.session ?? null } : null
  } catch {
    return null
  }
}
