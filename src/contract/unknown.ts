import type { CollectionName } from './collections.ts'

/** What of a world its source may not know. `simTime` is the simulated time of a snapshot. */
export type WorldPart = CollectionName | 'events' | 'diagnostics' | 'simTime'

/** The parts that are unknown, each with the reason as a sentence. Their lists are empty. */
export type UnknownParts = Readonly<Partial<Record<WorldPart, string>>>

export const nothingUnknown: UnknownParts = {}

/** A list whose length is unknown. It has no items, so that most readers need not know. */
export const unknownList: never[] = Object.freeze([]) as unknown as never[]

/** The length of a list; NaN if it is unknown. */
export const countOf = (list: readonly unknown[]): number =>
  list === unknownList ? Number.NaN : list.length

/** Whether a word is known. */
export const isTold = (word: string): boolean => word !== ''

/** Why an upstream's record is left out. */
export type LeftOutReason = 'no_id' | 'same_id' | 'no_object'

/** The records of a list that are left out for one reason. */
export interface LeftOut {
  readonly part: WorldPart
  readonly reason: LeftOutReason
  readonly count: number
}
