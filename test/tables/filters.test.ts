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

test('incidents that changed later than a moment, as a client asks for them', async () => {
  const all = rowsNamed('incidents', world)
  const moments = all.map((row) => String(row['changed_at'])).toSorted()
  const since = async (moment: string) =>
    rowsNamed('incidents', world, { filters: only('changed_since', moment) }).map((row) =>
      String(row['changed_at']),
    )
  expect((await since('2025-05-05T00:00:00.000Z')).length).toBe(all.length)
  const middle = moments[Math.floor(moments.length / 2)]
  expect((await since(middle)).toSorted()).toEqual(moments.filter((moment) => moment > middle))
  expect(await since(moments.at(-1)!)).toEqual([])
  expect(await since('no time')).toEqual([])
})

describe('a filter', () => {
  test('takes ids and names alike, in any case', () => {
    const [{ host, host_id: id }] = rowsNamed('hosts', world)
    const byId = rowsNamed('ports', world, { filters: only('host', String(id)) })
    const byName = rowsNamed('ports', world, { filters: only('host', String(host).toUpperCase()) })
    expect(byId.length).toBeGreaterThan(0)
    expect(byName).toEqual(byId)
    expect(new Set(byId.map(({ device }) => device))).toEqual(new Set([host]))
  })

  test.each(['hosts', 'host', 'ports'])('by ids finds the same rows of %s as by names', (name) => {
    const hosts = rowsNamed('hosts', world).slice(3, 6)
    const filters = (column: string) => only('host', hosts.map((row) => row[column]).join(','))
    const byId = rowsNamed(name, world, { filters: filters('host_id') })
    expect(byId.length).toBeGreaterThanOrEqual(3)
    expect(byId).toEqual(rowsNamed(name, world, { filters: filters('host') }))
  })

  test('takes several values, separated by commas or given again', async () => {
    const ids = rowsNamed('customers', world)
      .slice(0, 3)
      .map((row) => String(row['customer_id']))
    const kept = async (...values: string[]) =>
      rowsNamed('customers', world, { filters: only('customer', ...values) }).map((row) => row['customer_id'])
    expect(await kept(...ids)).toEqual(ids)
    expect(await kept(ids.join(','))).toEqual(ids)
  })

  test('of two a row has to match both', () => {
    const rows = rowsNamed('hosts', world)
    const { zone, pool } = rows[0]
    const filters = new Map([
      ['zone', [String(zone)]],
      ['pool', [String(pool)]],
    ])
    expect(rowsNamed('hosts', world, { filters })).toEqual(
      rows.filter((row) => row['zone'] === zone && row['pool'] === pool),
    )
  })

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

describe('order', () => {
  test('is by a column, numbers as numbers, with empty cells last', () => {
    const sorted = (table: string, column: string, descending: boolean) =>
      rowsNamed(table, world, { sort: { column, descending } }).map((row) => row[column])
    const loads = sorted('hosts', 'cpu_used_pct', true).map(Number)
    expect(loads).toEqual(loads.toSorted((one, other) => other - one))
    const ends = sorted('incidents', 'resolved_at', false)
    const firstEmpty = ends.indexOf(null)
    expect(firstEmpty).toBeGreaterThan(0)
    expect(ends.slice(firstEmpty).every((end) => end === null)).toBe(true)
    expect(sorted('incidents', 'resolved_at', true).at(-1)).toBeNull()
  })

  test('offset and limit cut a part out', () => {
    const all = rowsNamed('hosts', world)
    expect(rowsNamed('hosts', world, { offset: 5, limit: 3 })).toEqual(all.slice(5, 8))
    expect(rowsNamed('hosts', world, { offset: all.length })).toEqual([])
    expect(rowsNamed('hosts', world, { limit: 0 })).toEqual([])
    const sort = { column: 'host', descending: true }
    const last = rowsNamed('hosts', world, { sort, limit: 2 })
    expect(last).toEqual(all.toSorted((a, b) => (String(a['host']) < String(b['host']) ? 1 : -1)).slice(0, 2))
  })
})
