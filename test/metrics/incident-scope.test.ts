import { expect, test } from 'vitest'
import { CustomerSchema } from '../../src/contract/records/customers.ts'
import { ZoneSchema } from '../../src/contract/records/facility.ts'
import { GatewaySchema } from '../../src/contract/records/network.ts'
import { IncidentSchema } from '../../src/contract/records/operations.ts'
import { ThreatSchema } from '../../src/contract/records/shared.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { parseChunks } from './parsed-exposition.ts'

/** The zones that incidents concern, in the order of the exposition. */
function zonesOf(snapshot: ReturnType<typeof snapshotWith>): string[] {
  const exposition = createExposition({ collectors: ['incidents'] })
  const samples = parseChunks(exposition.render(snapshot)).get('dcsim_incident_scope')!.samples
  return [...samples.keys()].flatMap((sample) => /\baz="(\d+)"/.exec(sample)?.[1] ?? [])
}

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
