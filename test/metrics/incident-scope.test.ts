import { expect, test } from 'vitest'
import { CustomerSchema } from '../../src/contract/records/customers.ts'
import { ZoneSchema } from '../../src/contract/records/facility.ts'
import { GatewaySchema, SwitchSchema } from '../../src/contract/records/network.ts'
import { CauseSchema, IncidentSchema } from '../../src/contract/records/operations.ts'
import { ThreatSchema } from '../../src/contract/records/shared.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { parseChunks } from './parsed-exposition.ts'

/** The values of a label in the scopes of incidents, in the order of the exposition. */
function scopeOf(snapshot: ReturnType<typeof snapshotWith>, label: RegExp): string[] {
  const exposition = createExposition({ collectors: ['incidents'] })
  const samples = parseChunks(exposition.render(snapshot)).get('dcsim_incident_scope_info')?.samples
  return [...(samples?.keys() ?? [])].flatMap((sample) => label.exec(sample)?.[1] ?? [])
}

const zonesOf = (snapshot: ReturnType<typeof snapshotWith>) => scopeOf(snapshot, /\baz="(\d+)"/)

test('an incident concerns the cables that are suspected and the devices at their ends, without those ruled out', () => {
  const cable = (one: string, other: string, cleared: boolean) =>
    emptyRecord(CauseSchema, {
      cleared,
      msg_args: [
        { key: 'name', text: `Cable ${one}–${other}`, number: 0, is_number: false },
        { key: 'appliance', text: one, number: 10, is_number: false },
        { key: 'switch', text: other, number: 12, is_number: false },
      ],
    })
  const causes = [cable('lb1', 'core2', false), cable('fw1', 'core1', true)]
  const snapshot = snapshotWith({
    incidents: [emptyRecord(IncidentSchema, { id: 7n, band: 'Major', causes })],
  })
  expect(scopeOf(snapshot, /\bsubject="(.+?)"/)).toStrictEqual(['Cable lb1–core2', 'lb1', 'core2'])
})

test.each(['power feed B of tfd-a', 'power feed B of Tallford A'])('%s concerns its zone', (text) => {
  const named = [{ key: 'name', text, number: 0, is_number: false }]
  const snapshot = snapshotWith({
    incidents: [
      emptyRecord(IncidentSchema, { id: 7n, band: 'Critical', symptom_msg_args: named }),
      emptyRecord(IncidentSchema, { id: 8n, band: 'Critical' }),
    ],
    azs: [
      emptyRecord(ZoneSchema, { id: 1n, name: 'tfd-aa' }),
      emptyRecord(ZoneSchema, { id: 2n, name: 'tfd-a', display_name: 'Tallford A' }),
    ],
  })
  expect(zonesOf(snapshot)).toStrictEqual(['2'])
})

test('an attack concerns the zones whose gateways carry it', () => {
  const gateway = (id: bigint, reaching: number) =>
    emptyRecord(GatewaySchema, {
      id,
      az_id: id,
      threats: [emptyRecord(ThreatSchema, { class: 'Volumetric', reaching })],
    })
  const snapshot = snapshotWith({
    incidents: [emptyRecord(IncidentSchema, { id: 7n, band: 'Critical', symptom_customer_id: 3n })],
    customers: [emptyRecord(CustomerSchema, { id: 3n, attack_class: 'Volumetric' })],
    gateways: [gateway(1n, 0), gateway(2n, 900), gateway(4n, 700), gateway(5n, 10)],
  })
  expect(zonesOf(snapshot)).toStrictEqual(['2', '4'])
})

test.each([
  ['the zone of its symptom', [{ key: 'zone', text: 'Renamed', number: 2, is_number: false }], ['2']],
  ['the zone of its switch', [{ key: 'switch', text: 'core1', number: 5, is_number: false }], ['4']],
  ['the zone of its text if none is an id', [{ key: 'zone', text: '2', number: 2, is_number: true }], ['1']],
  [
    'no zone for a link between two devices',
    [
      { key: 'switch', text: 'core1', number: 5, is_number: false },
      { key: 'gateway', text: 'gw1', number: 1, is_number: false },
    ],
    [],
  ],
] as const)('an incident whose message has ids concerns %s', (_, args, expected) => {
  const name = { key: 'name', text: 'power feed B of Tallford A', number: 0, is_number: false }
  const snapshot = snapshotWith({
    incidents: [emptyRecord(IncidentSchema, { id: 7n, band: 'Critical', symptom_msg_args: [name, ...args] })],
    switches: [emptyRecord(SwitchSchema, { id: 5n, az_id: 4n })],
    azs: [
      emptyRecord(ZoneSchema, { id: 1n, name: 'tfd-a', display_name: 'Tallford A' }),
      emptyRecord(ZoneSchema, { id: 2n, name: 'tfd-b', display_name: 'Tallford B' }),
    ],
  })
  expect(zonesOf(snapshot)).toStrictEqual(expected)
})
