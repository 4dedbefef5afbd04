/**
 * The session of a truth file: its world, what was injected and ordered, and its end. It is a file of its own beside the
 * truth, so that every line of the truth is a fault.
 */
import type { TruthMoment } from './truth-line.ts'

export const sessionFileOf = (truthPath: string): string => `${truthPath}.session`

/** Larger files are not read: a line is written by hand, or when a mirror starts and ends. */
export const sessionFileBytesMax = 16 << 20

/** The first line: everything that a world is made from, so that it can be run again. */
export interface SessionOpening {
  readonly world: string
  readonly opened: {
    readonly seed: string
    readonly scale: string | number
    readonly speed: number
    readonly warmup_s: number
    /** A name or a file, as `--scenario` takes it; empty without a scenario. */
    readonly scenario: string
    readonly blind: boolean
    readonly began: TruthMoment
  }
}

/** An action that was injected, or a repair that a team ordered. */
export interface SessionAction {
  readonly world: string
  readonly did: 'injected' | 'ordered'
  readonly at: TruthMoment
  /** The action in words. */
  readonly text: string
  /** The line of the file of actions, which repeats it. */
  readonly line: string
}

export interface SessionClosing {
  readonly world: string
  readonly closed: TruthMoment
}

type SessionLine = SessionOpening | SessionAction | SessionClosing

/** The last session of a file: a world that was restarted has several openings, of which the first counts. */
export interface SessionRecord {
  readonly opening: SessionOpening
  readonly actions: readonly SessionAction[]
  /** Null while the mirror runs. */
  readonly closed: TruthMoment | null
}

/** Null for a file without a session; the number of the first line that is none of these, if there is one. */
export function readSessionLines(text: string): SessionRecord | null | number {
  const lines: SessionLine[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const read = readLine(line)
    if (read === null) return index + 1
    lines.push(read)
  }
  const openings = lines.filter((line) => 'opened' in line)
  const world = openings.at(-1)?.world
  const opening = openings.find((line) => line.world === world)
  if (opening === undefined) return null
  const own = lines.filter((line) => line.world === world)
  return {
    opening,
    actions: own.filter((line) => 'did' in line),
    closed: own.findLast((line) => 'closed' in line)?.closed ?? null,
  }
}

const isMoment = ({ wall_s: wall, sim_s: sim }: TruthMoment): boolean =>
  [wall, sim].every((seconds) => Number.isFinite(seconds) && seconds >= 0 && seconds <= secondsMax)

/** The year 5138. */
const secondsMax = 1e11

function readLine(line: string): SessionLine | null {
  try {
    const value = JSON.parse(line) as SessionLine
    const isValid =
      'opened' in value ? isOpening(value) : 'did' in value ? isAction(value) : isMoment(value.closed)
    return isValid && typeof value.world === 'string' ? value : null
  } catch {
    return null
  }
}

const isOpening = ({ opened }: SessionOpening): boolean =>
  /^\d{1,19}$/.test(opened.seed) &&
  ['string', 'number'].includes(typeof opened.scale) &&
  [opened.speed, opened.warmup_s].every((value) => Number.isFinite(value) && value >= 0) &&
  typeof opened.scenario === 'string' &&
  typeof opened.blind === 'boolean' &&
  isMoment(opened.began)

const isAction = ({ did, at, text, line }: SessionAction): boolean =>
  ['injected', 'ordered'].includes(did) &&
  isMoment(at) &&
  typeof text === 'string' &&
  typeof line === 'string'
