/** Tables of one entity at a time: a row per fact, in the order of the questions that people ask. */
import type { IncidentRecord, WorldPart } from '../../contract/collections.ts'
import { str } from '../../contract/fields.ts'
import { incidentHeadline } from '../../words/incidents.ts'
import { severityColumn, wordsOrNone } from './columns.ts'
import type { TableWorld } from './table-world.ts'
import { column, defineTable, unlessUnknown } from './table.ts'
import type { AnyTable, Columns, Filters, Origin } from './table.ts'
import { bandRank } from '../../words/vocabulary.ts'

/** A fact of an entity, with its severity. A fact without a value is left out. */
interface Fact<Entity> {
  readonly name: string
  readonly value: (entity: Entity, world: TableWorld) => string | null
  readonly severity: (entity: Entity, world: TableWorld) => number
}

/** A fact of one entity. */
interface FactItem<Entity> {
  readonly entity: Entity
  readonly fact: string
  readonly value: string
  readonly severity: number
}

interface FactTable<Entity> extends Pick<Origin<Entity>, 'entities' | 'byId' | 'archived'> {
  readonly name: string
  readonly meaning: string
  readonly row: readonly [name: string, meaning: string]
  readonly worldParts: readonly WorldPart[]
  /** The columns that identify the entity of a fact. */
  readonly identity: Columns<Entity>
  readonly facts: readonly Fact<Entity>[]
  readonly filters: Filters<Entity>
}

export const fact = <Entity>(
  name: string,
  value: Fact<Entity>['value'],
  severity: Fact<Entity>['severity'] = () => 0,
): Fact<Entity> => ({ name, value, severity })

/** The gravest active incident that concerns the entity, in one line. */
export const incidentFact = <Entity>(
  gravestOf: (entity: Entity, world: TableWorld) => IncidentRecord | undefined,
): Fact<Entity> => ({
  name: 'Incident',
  value: (entity, world) => wordsOrNone(gravestOf(entity, world) ?? null, incidentHeadline),
  severity: (entity, world) => bandRank(gravestOf(entity, world)?.band ?? ''),
})

function factsOf<Entity>(
  facts: readonly Fact<Entity>[],
  entity: Entity,
  world: TableWorld,
): readonly FactItem<Entity>[] {
  const items: FactItem<Entity>[] = []
  for (const { name, value, severity } of facts) {
    const text = unlessUnknown(() => value(entity, world))
    if (text === null || text === '') continue
    const grave = unlessUnknown(() => severity(entity, world)) ?? 0
    items.push({ entity, fact: name, value: text, severity: grave })
  }
  return items
}

export const defineFactTable = <Entity>(table: FactTable<Entity>): AnyTable => {
  const { entities, byId, identity, facts, filters, ...text } = table
  const columns = Object.entries(identity).map(([name, { field, cell }]) => [
    name,
    { field, cell: ({ entity }: FactItem<Entity>, world: TableWorld) => cell(entity, world) },
  ])
  return defineTable<FactItem<Entity>, Entity>({
    ...text,
    entities,
    ...(byId === undefined ? {} : { byId }),
    itemsOf: (entity, world) => factsOf(facts, entity, world),
    columns: {
      ...(Object.fromEntries(columns) as Columns<FactItem<Entity>>),
      fact: column(str('What the fact is about.'), ({ fact: name }) => name),
      value: column(str('The fact, in words.'), 'value'),
      severity: column(severityColumn, 'severity'),
    },
    entityFilters: filters,
  })
}
