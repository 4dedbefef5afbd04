/** The answers of a team in a game day, each with its time. */

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
