/** Tables that describe one thing at a time: a row a fact, in the order in which people ask. */
import { defineRecord, int, str } from '../contract/fields.ts'
import { severityColumn } from './columns.ts'
import type { TableWorld } from './table-world.ts'

export interface Fact {
  readonly fact: string
  readonly value: string
  readonly severity: number
}

interface FactOf<T> {
  readonly thing: T
  readonly rank: number
  readonly fact: Fact
}

/** A fact without a value is left out. */
export const factOf = (fact: string, value: string | null, severity = 0): Fact | null =>
  value === null || value === '' ? null : { fact, value, severity }

export const factRow = <I extends string>(name: string, what: string, id: I) =>
  defineRecord(name, `A fact about ${what}.`, {
    ...({ [id]: str(`Id of the ${what.replace(/^an? /, '')}, as text.`) } as Record<
      I,
      ReturnType<typeof str>
    >),
    rank: int('Place among the facts, from 1.', 'index'),
    fact: str('What the fact is about.'),
    value: str('The fact, in words.'),
    severity: severityColumn,
  })

export const factsOf = <T>(
  things: readonly T[],
  world: TableWorld,
  describe: (thing: T, world: TableWorld) => readonly (Fact | null)[],
): readonly FactOf<T>[] =>
  things.flatMap((thing) =>
    describe(thing, world)
      .filter((fact) => fact !== null)
      .map((fact, index) => ({ thing, rank: index + 1, fact })),
  )
