/** Names of entities, and relations between records, which tables look up. */
import { describe, expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import type { CollectionName, Collections, IncidentRecord } from '../../src/contract/collections.ts'
import { CoolingUnitSchema, PowerFeedSchema, RackSchema } from '../../src/contract/records/facility.ts'
import { CableEndSchema, PortSchema } from '../../src/contract/records/shared.ts'
import { byGravity, idOrNull, idText } from '../../src/tables/engine/table-world.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf, worldOf } from './framed-worlds.ts'
import { bandRank } from '../../src/words/vocabulary.ts'

type Given<C extends CollectionName> = Partial<Collections[C][number]>
const record = <C extends CollectionName>(name: C, given: Given<C>) =>
  emptyRecord(collections[name], given as never) as unknown as Collections[C][number]

const port = (port_id: number, label: string) => emptyRecord(PortSchema, { port_id, label })
const end = (
  device_kind: 'Switch' | 'Host' | 'PatchPanel' | 'Upstream',
  device_id: number,
  port_id: number,
) => emptyRecord(CableEndSchema, { device_kind, device_id, port_id })
const named = (display_name_plain: string) => ({ display_name_plain })

const incident = (id: number, given: Partial<IncidentRecord> = {}): IncidentRecord =>
  record('incidents', { id, band: 'Minor', started_at_ns: 10, ...given } as never)

const given: Partial<Collections> = {
  azs: [
    record('azs', { id: 1, name: 'za', display_name: '' }),
    record('azs', {
      id: 2,
      name: 'zb',
      display_name: 'Zone B',
      racks: [
        emptyRecord(RackSchema, { id: 5, name: 'A-01' }),
        emptyRecord(RackSchema, { id: 6, name: 'A-02' }),
      ],
      power_feeds: [
        emptyRecord(PowerFeedSchema, { id: 7, feed: 'A' }),
        emptyRecord(PowerFeedSchema, { id: 8, feed: 'B' }),
      ],
      cooling_units: [
        emptyRecord(CoolingUnitSchema, { id: 3, name: 'crac1' }),
        emptyRecord(CoolingUnitSchema, { id: 4, name: 'crac2' }),
      ],
    }),
  ],
  gateways: [record('gateways', { id: 1, ...named('gw') })],
  switches: [record('switches', { id: 1, ...named('sw'), ports: [port(30, 'p30'), port(31, 'p31')] })],
  appliances: [record('appliances', { id: 1, ...named('fw') })],
  patchPanels: [
    record('patchPanels', { id: 1, rack_id: 5, start_u: 40 }),
    record('patchPanels', { id: 2, rack_id: 6, start_u: null }),
    record('patchPanels', { id: 3, rack_id: null, start_u: 3 }),
  ],
  hosts: [
    record('hosts', { id: 1, ...named('h1'), served_customer_ids: [1, 2] }),
    record('hosts', { id: 2, ...named('h2'), served_customer_ids: [2] }),
  ],
  hostPools: [record('hostPools', { id: 1, name: 'web' })],
  segments: [record('segments', { id: 1, name: 'segment one' })],
  customers: [record('customers', { id: 1, name: 'Anvil' })],
  prospects: [record('prospects', { id: 1, name: 'Quay' })],
  workOrders: [record('workOrders', { id: 1, kind_label: 'Replace a fan' })],
  quests: [record('quests', { id: 1, title: 'foreign.title' })],
  cables: [
    record('cables', { id: 1, a: end('Switch', 1, 31), b: end('Host', 2, 1) }),
    record('cables', { id: 2, a: end('Upstream', 1, 1), b: null }),
    record('cables', { id: 3, a: end('Host', 9, 1), b: end('PatchPanel', 1, 1) }),
  ],
  incidents: [
    incident(1, { affected_host_ids: [1], revenue_at_risk_per_hour_dollars: 5, rack_id: 5 }),
    incident(2, { affected_host_ids: [1, 1, 2], revenue_at_risk_per_hour_dollars: 6, rack_id: 5 }),
    incident(3, {
      band: 'Critical',
      affected_host_ids: [1],
      affected_customer_ids: [1],
      symptom_customer_id: 1,
    }),
  ],
  resolvedIncidents: [
    incident(4, { band: 'Critical', affected_host_ids: [1], symptom_customer_id: 2, resolved_at_ns: 20 }),
  ],
}
const world = worldOf(frameOf(snapshotWith(given)))

describe('the name of an entity', () => {
  test.each([
    ['Zone', 1, 'za'],
    ['Zone', 2, 'Zone B'],
    ['Zone', 3, null],
    ['Rack', 5, 'A-01 in Zone B'],
    ['Rack', 7, null],
    ['PowerFeed', 7, 'power feed A of Zone B'],
    ['PowerFeed', 8, 'power feed B of Zone B'],
    ['PowerFeed', 9, null],
    ['CoolingUnit', 3, 'crac1'],
    ['CoolingUnit', 4, 'crac2'],
    ['CoolingUnit', 5, null],
    ['Gateway', 1, 'gw'],
    ['Switch', 1, 'sw'],
    ['Appliance', 1, 'fw'],
    ['Appliance', 2, null],
    ['PatchPanel', 1, 'patch panel in A-01, U40'],
    ['PatchPanel', 2, 'patch panel in A-02'],
    ['PatchPanel', 3, 'former patch panel 3'],
    ['Host', 2, 'h2'],
    ['Host', 3, null],
    ['Cable', 1, 'sw p31 – h2'],
    ['Cable', 2, 'upstream – nothing'],
    ['Cable', 3, 'host – patch panel in A-01, U40'],
    ['Cable', 4, null],
    ['Pool', 1, 'web'],
    ['Pool', 2, null],
    ['Segment', 1, 'segment one'],
    ['Customer', 1, 'Anvil'],
    ['Customer', 2, null],
    ['Prospect', 1, 'Quay'],
    ['Incident', 99, 'incident 99'],
    ['WorkOrder', 1, 'Replace a fan'],
    ['Quest', 1, 'foreign.title'],
    ['Quest', 2, null],
    ['Host', null, null],
    ['Incident', null, null],
    ['toString', 1, null],
    ['Something', 1, null],
  ])('%s %s is %j', (kind, id, name) => {
    expect(world.entityName(kind, id)).toBe(name)
  })

  test('that is gone has its number', () => {
    expect([world.customerName(1), world.customerName(7), world.customerName(null)]).toEqual([
      'Anvil',
      'former customer 7',
      null,
    ])
    expect([world.hostName(1), world.hostName(7), world.hostName(null)]).toEqual([
      'h1',
      'former host 7',
      null,
    ])
    expect(world.cableName(9)).toBe('former link 9')
    expect(world.customerNames([1, 7])).toEqual(['Anvil', 'former customer 7'])
    expect(world.hostNames([2, 7])).toEqual(['h2', 'former host 7'])
    expect([world.zoneName(2), world.zoneName(9), world.poolName(1), world.poolName(9)]).toEqual([
      'Zone B',
      null,
      'web',
      null,
    ])
    expect([world.rackName(6), world.rackName(9), world.rackName(null)]).toEqual(['A-02', null, null])
  })
})

test('ids are texts with all of their digits', () => {
  expect([idText(9007199254740993n), idText(0)]).toEqual(['9007199254740993', '0'])
  expect(() => idText(null as never)).toThrow(new RangeError('The record has no id.'))
  expect([idOrNull(7), idOrNull(0), idOrNull(null), idOrNull(undefined)]).toEqual(['7', '0', null, null])
})

describe('the incidents of an entity, the gravest first and resolved ones last', () => {
  test.each([
    ['host', 1, [3, 2, 1, 4], [3, 2, 1]],
    ['host', 2, [2], [2]],
    ['host', 3, [], []],
    ['customer', 1, [3], [3]],
    ['customer', 2, [4], []],
    ['rack', 5, [2, 1], [2, 1]],
  ] as const)('%s %d', (kind, id, all, active) => {
    const ids = (some: readonly IncidentRecord[]) => some.map((one) => Number(one.id))
    expect(ids(world.incidentsOf(kind, id))).toEqual(all)
    expect(ids(world.activeIncidentsOf(kind, id))).toEqual(active)
  })
})

test('an incident is found whether active or resolved', () => {
  expect([1, 4, 5, null].map((id) => world.incident(id)?.band)).toEqual([
    'Minor',
    'Critical',
    undefined,
    undefined,
  ])
})

test('the hosts of a customer', () => {
  const namesOf = (id: number) => world.hostsOfCustomer(id).map((host) => host.display_name_plain)
  expect([1, 2, 3].map(namesOf)).toEqual([['h1'], ['h1', 'h2'], []])
})

test.each([
  ['Watch', 1],
  ['Minor', 2],
  ['Major', 3],
  ['Critical', 4],
  ['Unheard', 3],
])('the band %s has the rank %d', (band, rank) => {
  expect(bandRank(band)).toBe(rank)
})

test.each<[string, Partial<IncidentRecord>, Partial<IncidentRecord>]>([
  ['the graver', { band: 'Major' }, { band: 'Minor', revenue_at_risk_per_hour_dollars: 9, started_at_ns: 1 }],
  [
    'the more expensive',
    { revenue_at_risk_per_hour_dollars: 6 },
    { revenue_at_risk_per_hour_dollars: 5, started_at_ns: 1 },
  ],
  ['the older', { started_at_ns: 9 }, {}],
])('%s of two incidents comes first', (_, one, other) => {
  const [first, second] = [incident(2, one), incident(1, other)]
  expect([second, first].toSorted(byGravity)).toEqual([first, second])
  expect([first, second].toSorted(byGravity)).toEqual([first, second])
})

test('a value that is derived from records is made once', () => {
  let made = 0
  const derivation = () => {
    made++
    return 'derived'
  }
  expect([world.derived(derivation), world.derived(derivation)]).toEqual(['derived', 'derived'])
  expect(made).toBe(1)
})
