/** The answers of a team in a game day, each with its time. */
import { countCheck, objectCheck, orNull, readJsonLines, secondsCheck, textCheck } from './line-checks.ts'

export const answerLengthMax = 500

export interface AnswerLine {
  /** Seconds since 1970. */
  readonly wall_s: number
  /** Who answers: a name or a role; empty if it does not matter. */
  readonly by: string
  /** The cause, its place and whom it hits, as far as they are known; or the text of a hint. */
  readonly text: string
  /** The fault that a hint is about, and how much it says; null for an answer. */
  readonly hint: { readonly world: string; readonly fault: number; readonly level: number } | null
}

/** How plain a hint is: what to look at, where, at which part, and what is wrong with it. */
export const hintLevelMax = 4

const answerCheck = objectCheck<AnswerLine>({
  wall_s: secondsCheck,
  by: textCheck,
  text: textCheck,
  hint: orNull(
    objectCheck<NonNullable<AnswerLine['hint']>>({ world: textCheck, fault: countCheck, level: countCheck }),
  ),
})

/** The answers, in the order of their times; or what is wrong with them. */
export function readAnswers(content: string): readonly AnswerLine[] | string {
  const lines = readJsonLines(content, 'an answer as JSON, as `answer` writes it', answerCheck)
  return typeof lines === 'string' ? lines : lines.toSorted((a, b) => a.wall_s - b.wall_s)
}
