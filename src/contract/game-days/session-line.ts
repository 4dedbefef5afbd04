/** The log of a game day: its world, what was injected and ordered, and its end. */
import type { TruthMoment } from './truth-line.ts'

/** The first row: everything that a world is made from, so that it can be run again. */
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

export type SessionLine = SessionOpening | SessionAction | SessionClosing

/** The last game day of a file: a world that was restarted has several openings, of which the first counts. */
export interface SessionRecord {
  readonly opening: SessionOpening
  readonly actions: readonly SessionAction[]
  /** Null while the mirror runs. */
  readonly closed: TruthMoment | null
}

/** Null for a file without a game day. */
export function sessionOf(lines: readonly SessionLine[]): SessionRecord | null {
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
