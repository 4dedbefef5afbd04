import type { SessionRecord } from '../../contract/game-days/session-line.ts'
import {
  readSessionLines,
  sessionFileBytesMax,
  sessionFileOf,
} from '../../contract/game-days/session-line.ts'
import type { TruthLine } from '../../contract/game-days/truth-line.ts'
import { readTruth, truthBytesMax } from '../../contract/game-days/truth-line.ts'
import { readTextFile } from '../../files/regular-file.ts'
import { systemErrorText } from '../../files/system-error.ts'
import { OptionError } from '../../options/parse-options.ts'

/** The last session of a truth file, with its faults. */
export interface SessionTruth extends SessionRecord {
  readonly faults: readonly TruthLine[]
}

function readFile(path: string, origin: string, bytesMax: number): string {
  try {
    return readTextFile(path, bytesMax)
  } catch (error) {
    throw new OptionError(`${origin}: cannot read ${JSON.stringify(path)}: ${systemErrorText(error)}`)
  }
}

export function readTruthAt(path: string, origin: string): readonly TruthLine[] {
  const truth = readTruth(readFile(path, origin, truthBytesMax))
  if (typeof truth === 'string') throw new OptionError(`${origin}: ${path}, ${truth}`)
  return truth
}

export function readSession(path: string, origin: string): SessionTruth {
  const faults = readTruthAt(path, origin)
  const beside = sessionFileOf(path)
  const session = readSessionLines(readFile(beside, origin, sessionFileBytesMax))
  if (typeof session === 'string') throw new OptionError(`${origin}: ${beside}, ${session}`)
  if (session === null)
    throw new OptionError(`${origin}: ${beside} has no session: a mirror with --truth ${path} begins one`)
  return { ...session, faults: faults.filter(({ world }) => world === session.opening.world) }
}
