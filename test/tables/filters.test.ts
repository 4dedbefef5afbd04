import { beforeAll, describe, expect, test } from 'vitest'
import { tables } from '../../src/tables/catalog.ts'
import type { TableWorld } from '../../src/tables/engine/table-world.ts'
import { crisisSnapshot, filteredIn, frameOf, rowsNamed, rowsOf, worldOf } from './framed-worlds.ts'

let world: TableWorld
beforeAll(() => {
  world = worldOf(frameOf(crisisSnapshot()))
})

const only = (name: string, ...values: string[]) => new Map([[name, values]])
// The table of histories is not read from the frame.
const every = [...tables.values()]
  .filter(({ entitiesFor }) => entitiesFor === undefined)
  .flatMap((table) =>
    Object.keys(table.filters)
      .filter((filter) => table.filters[filter].isCursor !== true)
      .map((filter) => ({ table, filter, title: `${table.name}?${filter}=` })),
  )

test.each(every)(
  '$title keeps what has the value, and nothing for a value that nothing has',
  ({ table, filter }) => {
    const all = rowsOf(table, world)
    const values = filteredIn(table, filter, world)
      .flatMap((item) => table.filters[filter].values!(item, world))
      .filter((value) => value !== null && value !== undefined)
    expect(values.length).toBeGreaterThan(0)
    const kept = rowsOf(table, world, { filters: only(filter, String(values[0])) })
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length).toBeLessThanOrEqual(all.length)
    const known = new Set(all.map((row) => JSON.stringify(row)))
    expect(kept.filter((row) => !known.has(JSON.stringify(row)))).toEqual([])
    for (const unknown of ['no such thing', '', '987654321987654321', '__proto__'])
      expect(rowsOf(table, world, { filters: only(filter, unknown) })).toEqual([])
  },
)

describe('a filter', () => {
  test('by an incident finds the customers and hosts that it affects', () => {
    const incidents = rowsNamed('incidents', world)
    const wide = incidents.find(({ customers, hosts }) => Number(customers) > 0 || Number(hosts) > 0)!
    const filters = only('incident', String(wide['incident_id']))
    const customers = rowsNamed('customers', world, { filters })
    const hosts = rowsNamed('hosts', world, { filters })
    expect(customers.length + hosts.length).toBeGreaterThan(0)
    expect(hosts).toHaveLength(Math.min(50, Number(wide['hosts'])))
  })
})
