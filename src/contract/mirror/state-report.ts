/** Why a new world replaces the one in the state file. */
export const worldReplacementReasons = ['version', 'seed', 'scale', 'scenario', 'damaged'] as const
export type WorldReplacementReason = (typeof worldReplacementReasons)[number]

/** What became of the state file of a world: at the start, and at each attempt to save. */
export type StateReport =
  | {
      readonly kind: 'opened'
      readonly replacedFor: WorldReplacementReason | null
      /** A sentence for the operator; null if there is nothing to tell. */
      readonly message: string | null
      /** The number of the last publish before; 0 for a new world. */
      readonly publishSeq: number
    }
  | { readonly kind: 'saved' }
  | {
      readonly kind: 'not-saved'
      /** A sentence for the operator; null if the last attempt failed, too. */
      readonly message: string | null
    }
