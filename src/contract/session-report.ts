/** Why a new world replaces the one in the session file. */
export const worldReplacementReasons = ['version', 'seed', 'scale', 'scenario', 'damaged'] as const
export type WorldReplacementReason = (typeof worldReplacementReasons)[number]

/** The outcome of reading the session file at the start, of each attempt to save, and notes on what else a world reads and writes. */
export type SessionReport =
  | {
      readonly kind: 'opened'
      readonly replacedFor: WorldReplacementReason | null
      /** A sentence for the operator; null if there is nothing to report. */
      readonly message: string | null
      /** The publish number at the last save; 0 for a new world. */
      readonly publishSeq: number
    }
  | { readonly kind: 'saved' }
  | {
      readonly kind: 'not-saved'
      /** A sentence for the operator; null if the last attempt failed, too. */
      readonly message: string | null
    }
  | {
      /** A note on a line in the file of actions, or on the truth. */
      readonly kind: 'note'
      readonly isProblem: boolean
      readonly message: string
    }
