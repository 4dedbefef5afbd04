/** Tables of one entity at a time: a row per fact, in the order of the questions that people ask. */
import type { IncidentRecord } from '../contract/collections.ts'
import { str } from '../contract/fields.ts'
import { incidentHeadline } from '../words/incidents.ts'
import { severityColumn, wordsOrNone } from './columns.ts'
import type { TableWorld } from './table-world.ts'
import { column, defineTable, unlessUnknown } from './table.ts'
import type { AnyTable, Columns, Filters, Origin } from './table.ts'
import { bandRank } from '../words/vocabulary.ts'

/** A fact of an entity, with its severity. A fact without a value is left out. */
interface Fact<Thing> {
  readonly name: string
  readonly value: (thing: Thing, world: TableWorld) => string | null
  readonly severity: (thing: Thing, world: TableWorld) => number
}

/** A fact of one entity. */
interface FactItem<Thing> {
  readonly thing: Thing
  readonly fact: string
  readonly value: string
  readonly severity: number
}

interface FactTable<Thing> extends Pick<Origin<Thing>, 'things' | 'byId' | 'past'> {
  readonly name: string
  readonly meaning: string
  readonly row: readonly [name: string, meaning: string]
  /** The columns that identify the entity of a fact. */
  readonly identity: Columns<Thing>
  readonly facts: readonly Fact<Thing>[]
  readonly filters: Filters<Thing>
}

export const fact = <Thing>(
  name: string,
  value: Fact<Thing>['value'],
  severity: Fact<Thing>['severity'] = () => 0,
): Fact<Thing> => ({ name, value, severity })

/** The gravest active incident that concerns the entity, in one line. */
export const incidentFact = <Thing>(
  gravestOf: (thing: Thing, world: TableWorld) => IncidentRecord | undefined,
): Fact<Thing> => ({
  name: 'Incident',
  value: (thing, world) => wordsOrNone(gravestOf(thing, world) ?? null, incidentHeadline),
  severity: (thing, world) => bandRank(gravestOf(thing, world)?.band ?? ''),
})

function factsOf<Thing>(
  facts: readonly Fact<Thing>[],
  thing: Thing,
  world: TableWorld,
): readonly FactItem<Thing>[] {
  const items: FactItem<Thing>[] = []
  for (const { name, value, severity } of facts) {
    const text = unlessUnknown(() => value(thing, world))
    if (text === null || text === '') continue
    const grave = unlessUnknown(() => severity(thing, world)) ?? 0
    items.push({ thing, fact: name, value: text, severity: grave })
  }
  return items
}

export const defineFactTable = <Thing>(table: FactTable<Thing>): AnyTable => {
  const { things, byId, identity, facts, filters, ...text } = table
  const columns = Object.entries(identity).map(([name, { field, cell }]) => [
    name,
    { field, cell: ({ thing }: FactItem<Thing>, world: TableWorld) => cell(thing, world) },
  ])
  return defineTable<FactItem<Thing>, Thing>({
    ...text,
    things,
    ...(byId === undefined ? {} : { byId }),
    itemsOf: (thing, world) => factsOf(facts, thing, world),
    columns: {
      ...(Object.fromEntries(columns) as Columns<FactItem<Thing>>),
      fact: column(str('What the fact is about.'), ({ fact: name }) => name),
      value: column(str('The fact, in words.'), 'value'),
      severity: column(severityColumn, 'severity'),
    },
    thingFilters: filters,
  })
}
