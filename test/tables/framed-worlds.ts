import type { Snapshot } from '../../src/contract/collections.ts'
import { ProspectSchema } from '../../src/contract/records/customers.ts'
import type { Frame } from '../../src/encoding/frames/frame.ts'
import { createSimulation } from '../../src/world/records/simulation.ts'
import { parseScenario } from '../../src/world/scenarios/parse-scenario.ts'
import { tables } from '../../src/tables/catalog.ts'
import { FrameRecords } from '../../src/tables/engine/frame-records.ts'
import { matchedItems, sortedItems } from '../../src/tables/engine/query.ts'
import type { TableQuery } from '../../src/tables/engine/query.ts'
import { rowOfItem } from '../../src/tables/engine/table.ts'
import type { AnyTable, Row } from '../../src/tables/engine/table.ts'
import { TableWorld } from '../../src/tables/engine/table-world.ts'
import { eventfulSteps } from '../dashboards/eventful-scenario.ts'
import { emptyRecord } from '../fixtures/handmade-snapshot.ts'
import { framesOf } from '../recording/recorded.ts'

const stepsPerHour = 360

/** Made once in a process, and shared by its tests: a snapshot never changes. */
function once(make: () => Snapshot): () => Snapshot {
  let made: Snapshot | undefined
  return () => (made ??= make())
}

export const quietSnapshot = once(() => {
  const world = createSimulation({ seed: 5n, scale: 'small', speed: 60, scenario: null, warmUp: 0 })
  for (let step = 0; step < stepsPerHour; step++) world.step()
  return world.snapshot()
})

/** A world with current and past incidents of hosts, links, a switch and customers. */
export const crisisSnapshot = once(() => {
  const parsed = parseScenario(JSON.stringify(eventfulSteps))
  if ('problem' in parsed) throw new Error(JSON.stringify(parsed.problem))
  const { scenario } = parsed
  const world = createSimulation({ seed: 2n, scale: 'medium', speed: 60, scenario, warmUp: 0 })
  for (let step = 0; step < 4 * stepsPerHour; step++) world.step()
  const snapshot = world.snapshot()
  const prospect = emptyRecord(ProspectSchema, {
    id: 9007199254740993n,
    name: 'Alder & Quay',
    expires_at_ns: snapshot.simTimeNs + 7_200_000_000_000n,
    requires_multi_az: true,
  })
  // Whether a prospect waits at that time is random.
  return { ...snapshot, collections: { ...snapshot.collections, prospects: [prospect] } }
})

export const frameOf = (snapshot: Snapshot): Frame => framesOf()(snapshot)
export const worldOf = (frame: Frame): TableWorld => new TableWorld(new FrameRecords(frame))

const everything: TableQuery = { filters: new Map(), sort: null, offset: 0, limit: 100_000 }

export function rowsOf(table: AnyTable, world: TableWorld, query: Partial<TableQuery> = {}): Row[] {
  const { filters, sort, offset, limit } = { ...everything, ...query }
  const matched = matchedItems(table, { filters, range: null, histories: [] }, world)
  const items = sort === null ? matched : sortedItems(table, matched, sort, world)
  return items.slice(offset, offset + limit).map((item) => rowOfItem(table, item, world))
}

export const rowsNamed = (name: string, world: TableWorld, query: Partial<TableQuery> = {}) =>
  rowsOf(tables.get(name)!, world, query)

export const textCells = (rows: readonly Row[]): [column: string, text: string][] =>
  rows.flatMap((row) =>
    Object.entries(row).filter((cell): cell is [string, string] => typeof cell[1] === 'string'),
  )

/** The subjects of a filter: items of a table, or the entities that they are made of. */
export const filteredIn = (table: AnyTable, filter: string, world: TableWorld): readonly unknown[] =>
  table.entities(world).flatMap((entity) => {
    const items = table.itemsOf(entity, world)
    return items.length > 0 && table.filters[filter].isOfEntity === true ? [entity] : items
  })
