import { expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import type { Collections } from '../../src/contract/collections.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { rackRecord, zoneRecord } from '../pictures/drawings.ts'
import { frameOf, rowsNamed, worldOf } from './framed-worlds.ts'

type Incident = Collections['incidents'][number]

const minuteNs = 60_000_000_000n

const incident = (id: number, given: Partial<Incident>): Incident =>
  emptyRecord(collections.incidents, {
    id,
    band: 'Minor',
    started_at_ns: BigInt(id) * minuteNs,
    symptom_msg_key: 'symptom.host-supply',
    symptom_msg_args: ['name', 'place'].map((key) => ({
      key,
      text: `${key} ${id}`,
      number: 0,
      is_number: false,
    })),
    ...given,
  })

const azs = [
  zoneRecord({
    id: 1,
    display_name: 'Zone A',
    racks: [1, 2].map((id) => rackRecord({ id, name: `A-0${id}` })),
  }),
  zoneRecord({ id: 2, name: 'zb', display_name: 'Zone B', racks: [rackRecord({ id: 3, name: 'B-01' })] }),
]
const customers = [5, 6, 7].map((id) => emptyRecord(collections.customers, { id, name: `Customer ${id}` }))

const rowsWith = (incidents: readonly Incident[], filters = new Map<string, string[]>()) =>
  rowsNamed(
    'incident-groups',
    worldOf(
      frameOf(snapshotWith({ azs, customers, incidents: [...incidents] }, { simTimeNs: 60n * minuteNs })),
    ),
    { filters },
  )

test('alike incidents of a zone are one row: their number, racks, customers, money, and the oldest', async () => {
  const rows = rowsWith([
    incident(1, { rack_id: 1, affected_customer_ids: [5, 6], revenue_at_risk_per_hour_dollars: 10.25 }),
    incident(2, { rack_id: 2, affected_customer_ids: [6, 7], revenue_at_risk_per_hour_dollars: 20.5 }),
    incident(3, { rack_id: 2, affected_host_total: 1 }),
    incident(4, { rack_id: 2, affected_host_total: 1 }),
  ])
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    incident_id: '2',
    incidents: 4,
    what: '4 hosts run on one power supply.',
    headline: 'Minor: 4 hosts run on one power supply (3 customers, $31/h at risk)',
    place: 'Racks A-01 and A-02, Zone A',
    customers: 3,
    hit: 'Customer 6 and 2 more',
    revenue_at_risk_dollars_per_hour: 30.75,
    opened: '59 min ago',
    leads_to: 'incidents',
  })
})

test('up to three of them are named', () => {
  const [row] = rowsWith([incident(1, { rack_id: 1 }), incident(2, { rack_id: 1 })])
  expect(row).toMatchObject({
    what: '2 hosts run on one power supply: name 1 and name 2.',
    place: 'Rack A-01, Zone A',
  })
})

test('the place of a group is its zone if one of it is in no rack', () => {
  const unseen = incident(2, { rack_id: null, affected_host_total: 1, affected_host_ids: [9] })
  const hosts = [emptyRecord(collections.hosts, { id: 9, az_id: 1, rack_id: 2 })]
  const incidents = [incident(1, { rack_id: 1 }), unseen]
  const rows = rowsNamed('incident-groups', worldOf(frameOf(snapshotWith({ azs, hosts, incidents }))))
  expect(rows.map(({ place, incidents: count }) => [count, place])).toEqual([[2, 'Zone A']])
})

test.each([
  ['in another zone', { rack_id: 3 }],
  ['of another band', { rack_id: 1, band: 'Major' }],
  ['with another symptom', { rack_id: 1, symptom_msg_key: 'symptom.host-fan' }],
  ['whose symptom is that of a zone', { rack_id: 1, symptom_msg_key: 'symptom.feed-dead' }],
  ['whose symptom is not known', { rack_id: 1, symptom_msg_key: 'toString' }],
  ['at an unknown place', { rack_id: null }],
] as const)('an incident %s stays by itself, as incidents have it', (_, other) => {
  const rows = rowsWith([incident(1, { rack_id: 1 }), incident(2, other)])
  expect(rows.map(({ incidents, leads_to }) => [incidents, leads_to])).toEqual([
    [1, 'incident'],
    [1, 'incident'],
  ])
})

test('filters choose by band, severity and zone', () => {
  const all = [incident(1, { rack_id: 1 }), incident(2, { rack_id: 3, band: 'Critical' })]
  const ids = (name: string, value: string) =>
    rowsWith(all, new Map([[name, [value]]])).map(({ incident_id }) => incident_id)
  expect(ids('band', 'Critical')).toEqual(['2'])
  expect(ids('severity', '2')).toEqual(['1'])
  expect(ids('zone', 'Zone B')).toEqual(['2'])
})

test('a world is of the severity of its gravest incident, or of the customers below their SLA', () => {
  const customer = { tier: 'Gold', sla_period_availability_frac: 0.99 } as const
  const rowOf = (bands: readonly string[], below: number, resolved: Parameters<typeof incident>[1] = {}) => {
    const incidents = bands.map((band, id) => incident(id, { band: band as 'Minor' }))
    const customers = Array.from({ length: below }, (_, id) =>
      emptyRecord(collections.customers, { id, ...customer }),
    )
    const resolvedIncidents = [incident(9, { affected_customer_ids: [0], ...resolved })]
    const snapshot = snapshotWith({ azs, incidents, resolvedIncidents, customers })
    const [row] = rowsNamed('world', worldOf(frameOf(snapshot)))
    return [row['severity'], row['state'], row['next']]
  }
  expect(rowOf([], 0)).toEqual([0, 'No incident', 'Nothing waits.'])
  const advice = 'Find out what caused incident 9.'
  expect(rowOf([], 2)).toEqual([2, 'No incident. 2 customers are below their SLA this period', advice])
  for (const known of [{ confirmed: true }, { hint: 'Resolved. It was part of incident 8.' }])
    expect(rowOf([], 2, known)[2]).toBe('Nothing waits.')
  expect(rowOf([], 2, { affected_customer_ids: [7] })[2]).toBe('Nothing waits.')
  expect(rowOf([], 1)[1]).toBe('No incident. 1 customer is below its SLA this period')
  expect(rowOf(['Watch', 'Apocalypse'], 1)[0]).toBe(3)
})
