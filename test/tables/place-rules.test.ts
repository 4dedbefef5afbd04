/** The place of an incident in words, from the records that it names. */
import { expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import type { CollectionName, Collections, IncidentRecord } from '../../src/contract/collections.ts'
import { RackSchema } from '../../src/contract/records/facility.ts'
import { incidentPlace, incidentZone, placesOfIncident } from '../../src/tables/columns/incidents/place.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf, worldOf } from './framed-worlds.ts'

const record = <C extends CollectionName>(name: C, given: Partial<Collections[C][number]>) =>
  emptyRecord(collections[name], given as never) as unknown as Collections[C][number]
const rack = (id: number) => emptyRecord(RackSchema, { id, name: `A-0${id}` })
const threat = { ...emptyRecord(collections.gateways.fields.threats.of!.recordType!), class: 'Volumetric' }

const world = worldOf(
  frameOf(
    snapshotWith({
      azs: [
        record('azs', {
          id: 1,
          name: 'za',
          display_name: 'East A',
          host_count: 3,
          racks: [rack(1), rack(2)],
        }),
        record('azs', { id: 2, name: 'zb', display_name: 'East B', racks: [rack(3)] }),
      ],
      switches: [
        record('switches', { id: 1, display_name_plain: 's1', rack_id: 1, az_id: 1 }),
        record('switches', { id: 2, display_name_plain: 's2', rack_id: 3, az_id: 2 }),
        record('switches', { id: 3, display_name_plain: 's3', rack_id: null, az_id: 2 }),
      ],
      gateways: [
        record('gateways', { id: 1, az_id: 2, threats: [{ ...threat, reaching: 5 }] as never }),
        record('gateways', { id: 2, az_id: 1, threats: [{ ...threat, reaching: 0 }] as never }),
      ],
      hosts: [
        record('hosts', { id: 1, az_id: 1, rack_id: 1, served_customer_ids: [1] }),
        record('hosts', { id: 2, az_id: 1, rack_id: 1, served_customer_ids: [3] }),
        record('hosts', { id: 3, az_id: 1, rack_id: 2 }),
        record('hosts', { id: 4, az_id: 2, rack_id: 3, served_customer_ids: [1] }),
      ],
      customers: [
        record('customers', { id: 1, name: 'Anvil' }),
        record('customers', { id: 2, name: 'Birch', attack_class: 'Volumetric' }),
      ],
    }),
  ),
)

const naming = (key: string, number: number, text = '') => [{ key, text, number, is_number: false }]
const cause = (msg_args: object[]) =>
  ({ ...emptyRecord(collections.incidents.fields.causes.of!.recordType!), msg_args }) as never

test.each<[string, Partial<IncidentRecord>, string | null, string | undefined]>([
  ['of nothing', {}, null, undefined],
  ['in a rack', { rack_id: 3 }, 'Rack A-03, East B', 'East B'],
  ['in an unknown rack', { rack_id: 9 }, null, undefined],
  ['of hosts in one rack', { affected_host_ids: [1, 2] }, 'Rack A-01, East A', 'East A'],
  ['of hosts in one zone', { affected_host_ids: [1, 3] }, 'East A', 'East A'],
  [
    'of a device in another rack than its one affected host',
    { affected_host_ids: [3], symptom_msg_args: naming('switch', 1) },
    'Rack A-01, East A',
    'East A',
  ],
  [
    'of several hosts in one zone, with its cause in a rack',
    {
      rack_id: 1,
      affected_host_ids: [1, 3],
      symptom_msg_key: 'symptom.hosts-silent',
      symptom_msg_args: naming('zone', 1),
    },
    'East A',
    'East A',
  ],
  [
    'of several hosts in one rack, with its cause in another',
    {
      rack_id: 2,
      affected_host_ids: [1, 2],
      symptom_msg_key: 'symptom.hosts-silent',
      symptom_msg_args: naming('zone', 1),
    },
    'Rack A-01, East A',
    'East A',
  ],
  ['of hosts in two zones', { affected_host_ids: [1, 4] }, null, undefined],
  ['of an unknown host', { affected_host_ids: [9] }, null, undefined],
  ['that names a switch', { symptom_msg_args: naming('switch', 2) }, 'Rack A-03, East B', 'East B'],
  ['that names a switch on the wall', { symptom_msg_args: naming('switch', 3) }, 'East B', 'East B'],
  ['that names an unknown switch', { symptom_msg_args: naming('switch', 9) }, null, undefined],
  [
    'that names two switches',
    { symptom_msg_args: [...naming('switch', 1), ...naming('switch', 2)] },
    'Rack A-01, East A and rack A-03, East B',
    undefined,
  ],
  [
    'that names a switch twice',
    { symptom_msg_args: [...naming('switch', 1), ...naming('switch', 1)] },
    'Rack A-01, East A',
    'East A',
  ],
  ['that names a host', { symptom_msg_args: naming('host', 4) }, null, undefined],
  ['that names a zone', { symptom_msg_args: naming('zone', 2) }, 'East B', 'East B'],
  ['that names an unknown zone', { symptom_msg_args: naming('zone', 9) }, null, undefined],
  [
    'that names a zone and a switch',
    { symptom_msg_args: [...naming('zone', 2), ...naming('switch', 1)] },
    'Rack A-01, East A',
    undefined,
  ],
  [
    'that names a switch by name only',
    { symptom_msg_args: naming('device', 0, 's2') },
    'Rack A-03, East B',
    'East B',
  ],
  ['that names a zone by name only', { symptom_msg_args: naming('place', 0, 'East B') }, 'East B', 'East B'],
  ['of an attack', { symptom_customer_id: 2 }, 'Gateways of East B', undefined],
  ['of a customer without attack', { symptom_customer_id: 1 }, 'East A and East B', undefined],
  [
    'of an attack that is over',
    { symptom_customer_id: 1, symptom_kind: 'SuspiciousLogins' },
    'Gateways of East A and East B',
    undefined,
  ],
  [
    'whose confirmed cause is an attack that is over',
    { symptom_customer_id: 1, confirmed: true, root_kind: 'Attack' },
    'Gateways of East A and East B',
    undefined,
  ],
  [
    'whose suspect is an attack',
    { symptom_customer_id: 1, root_kind: 'Attack' },
    'East A and East B',
    undefined,
  ],
  ['of an unknown customer', { symptom_customer_id: 9 }, null, undefined],
  ['with a suspect', { causes: [cause(naming('switch', 2))] }, 'Rack A-03, East B', undefined],
  [
    'with a confirmed cause',
    { causes: [cause(naming('switch', 2))], confirmed: true, root_msg_args: naming('switch', 1) },
    'Rack A-01, East A',
    undefined,
  ],
  ['whose cause is not confirmed', { confirmed: false, root_msg_args: naming('switch', 1) }, null, undefined],
  [
    'in a rack, that names a switch elsewhere',
    { rack_id: 3, symptom_msg_args: naming('switch', 1) },
    'Rack A-03, East B',
    'East B',
  ],
  [
    'that names a zone, with hosts in another',
    { affected_host_ids: [1, 3], symptom_msg_args: naming('zone', 2) },
    'East B',
    'East A',
  ],
  [
    'with a suspect, of a zone',
    { affected_host_ids: [1, 3], causes: [cause(naming('switch', 2))] },
    'Rack A-03, East B',
    'East A',
  ],
])('an incident %s', (_, given, place, zone) => {
  const incident: IncidentRecord = record('incidents', given as never)
  expect(incidentPlace(incident, world)).toBe(place)
  expect(incidentZone(incident, world)?.display_name).toBe(zone)
})

const ends = [...naming('switch', 1), ...naming('switch', 3)]
const suspect = [cause(naming('switch', 2))]
const root_msg_args = naming('switch', 2)

test.each<[string, Partial<IncidentRecord>, places: string]>([
  ['in a rack', { rack_id: 3 }, 'East B: A-03'],
  ['of hosts in two zones', { affected_host_ids: [1, 4] }, 'East A, East B: A-01, A-03'],
  ['at a feed or a cooling unit', { symptom_msg_args: naming('zone', 2) }, 'East B: '],
  ['at the ends of a link', { symptom_msg_args: ends }, 'East A, East B: A-01'],
  ['that names a host', { symptom_msg_args: naming('host', 4) }, 'East B: A-03'],
  ['of a customer beside others', { symptom_customer_id: 3, affected_customer_ids: [1, 3] }, 'East A: '],
  [
    'with a suspected host',
    { symptom_customer_id: 3, causes: [cause(naming('host', 4))] },
    'East B, East A: A-03',
  ],
  ['with a suspect', { affected_customer_ids: [1], causes: suspect }, 'East B, East A: A-03'],
  ['with a cause', { affected_customer_ids: [1], confirmed: true, root_msg_args }, 'East B: A-03'],
  ['of a whole zone', { affected_host_ids: [1], affected_host_total: 3 }, 'East A: A-01, A-02'],
  ['of many', { affected_host_ids: [1, 4], affected_host_total: 9 }, 'East A, East B: A-01, A-03'],
])('an incident %s is found by each of its zones and racks', (_, given, places) => {
  const { zones, racks } = placesOfIncident(record('incidents', given as never), world)
  const names = [zones.map(({ display_name: name }) => name), racks.map(({ rack: { name } }) => name)]
  expect(names.map((all) => [...new Set(all)].join(', ')).join(': ')).toBe(places)
})
