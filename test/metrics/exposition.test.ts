import { expect, test } from 'vitest'
import { CustomerSchema } from '../../src/contract/records/customers.ts'
import { IncidentSchema } from '../../src/contract/records/operations.ts'
import { HostSchema } from '../../src/contract/records/hosts.ts'
import { PortSchema } from '../../src/contract/records/shared.ts'
import type { Band } from '../../src/contract/vocabularies.ts'
import {
  chooseCollectors,
  collectorNames,
  defaultCollectors,
} from '../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { families } from '../../src/metrics/families/all.ts'
import type { Family } from '../../src/metrics/declaration/family.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { parseChunks, textOf } from './parsed-exposition.ts'

const linesOf = (text: string, family: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(family))

test('a family is its help, its type and a line for each record', () => {
  const exposition = createExposition({ collectors: ['hosts'] })
  const hosts = [
    emptyRecord(HostSchema, { id: 4, az_id: 1, pool_id: 9, egress_gbps: 1.25 }),
    emptyRecord(HostSchema, { id: 12, az_id: 2, egress_gbps: 0.0001 }),
  ]
  const chunk = exposition
    .render(snapshotWith({ hosts }))
    .find(({ family }) => family === 'dcsim_host_transmit_bytes_per_second')!
  expect(textOf([chunk])).toBe(
    '# HELP dcsim_host_transmit_bytes_per_second Traffic sent.\n' +
      '# TYPE dcsim_host_transmit_bytes_per_second gauge\n' +
      'dcsim_host_transmit_bytes_per_second{host="4",az="1",pool="9"} 156250000\n' +
      'dcsim_host_transmit_bytes_per_second{host="12",az="2"}     12500\n',
  )
})

test('labels are escaped as the format asks', () => {
  const exposition = createExposition({ collectors: ['customers'] })
  const name = 'back\\slash "quoted"\nsecond line ü 漢 \u007F'
  const snapshot = snapshotWith({ customers: [emptyRecord(CustomerSchema, { id: 1, name })] })
  const [line] = linesOf(textOf(exposition.render(snapshot)), 'dcsim_customer_info{')
  expect(line).toContain('name="back\\\\slash \\"quoted\\"\\nsecond line ü 漢 \u007F"')
})

test('ids and totals beyond the safe integers keep the precision of the format', () => {
  const exposition = createExposition({ collectors: ['customers'] })
  const customer = emptyRecord(CustomerSchema, {
    id: 9_223_372_036_854_775_807n,
    total_requests_lifetime: 9_007_199_254_740_993n,
  })
  const text = textOf(exposition.render(snapshotWith({ customers: [customer] })))
  expect(linesOf(text, 'dcsim_customer_requests_total{')).toStrictEqual([
    'dcsim_customer_requests_total{customer="9223372036854775807",tier="Bronze"} 9007199254740992',
  ])
})

test("counters of a device's ports are summed, for more devices than are read at once", () => {
  const exposition = createExposition({ collectors: ['hosts'] })
  const ports = [
    emptyRecord(PortSchema, { bytes_ingress_total: 5, bytes_egress_total: 1 }),
    emptyRecord(PortSchema, { bytes_ingress_total: 9_007_199_254_740_993n, bytes_egress_total: 20 }),
  ]
  const without = Array.from({ length: 299 }, (_, index) =>
    emptyRecord(HostSchema, { id: index + 1, az_id: 1 }),
  )
  const hosts = [...without, emptyRecord(HostSchema, { id: 300, az_id: 1, ports })]
  const text = textOf(exposition.render(snapshotWith({ hosts })))
  expect(linesOf(text, 'dcsim_host_receive_bytes_total{').slice(-2)).toStrictEqual([
    'dcsim_host_receive_bytes_total{host="299",az="1"}                0',
    'dcsim_host_receive_bytes_total{host="300",az="1"} 9007199254740996',
  ])
  expect(linesOf(text, 'dcsim_host_transmit_bytes_total{').slice(-2)).toStrictEqual([
    'dcsim_host_transmit_bytes_total{host="299",az="1"}  0',
    'dcsim_host_transmit_bytes_total{host="300",az="1"} 21',
  ])
})

test('chunks come ordered by name, and families without samples not at all', () => {
  const exposition = createExposition({ collectors: ['hosts', 'incidents'] })
  const names = exposition.render(snapshotWith({})).map(({ family }) => family)
  expect(names).toStrictEqual(
    [
      'dcsim_incidents_active dcsim_incidents_opened_total dcsim_incidents_resolved_total',
      'dcsim_incidents_revenue_at_risk_dollars_per_hour dcsim_incidents_time_to_resolve_seconds',
      'dcsim_mirror_collector_success',
    ].flatMap((line) => line.split(' ')),
  )
  expect(names).toStrictEqual(names.toSorted())
})

test('only families in which something changed come as new chunks', () => {
  const exposition = createExposition({ collectors: ['hosts'] })
  const host = emptyRecord(HostSchema, { id: 1, unit_count: 3, free_mem_mb: 512 })
  const snapshot = snapshotWith({ hosts: [host] })
  const before = exposition.render(snapshot)
  host.unit_count = 8
  const after = exposition.render(snapshot)
  const changed = after.filter((chunk, index) => chunk !== before[index])
  expect(changed.map(({ family }) => family)).toStrictEqual(['dcsim_host_units'])
  expect(textOf(changed)).toContain('dcsim_host_units{host="1",az="0"} 8\n')
  expect(exposition.render(snapshot)).toStrictEqual(after)
})

test('a value may become wider or narrower, come and go', () => {
  const exposition = createExposition({ collectors: ['customers'] })
  const one = emptyRecord(CustomerSchema, { id: 1, rps: 5 })
  const second = emptyRecord(CustomerSchema, { id: 2, rps: 12_345.67 })
  const snapshot = snapshotWith({ customers: [one, second] })
  const rates = (): string[] =>
    linesOf(textOf(exposition.render(snapshot)), 'dcsim_customer_requests_per_second{').map((line) =>
      line.replace('dcsim_customer_requests_per_second', ''),
    )
  expect(rates()).toStrictEqual([
    '{customer="1",tier="Bronze"}        5',
    '{customer="2",tier="Bronze"} 12345.67',
  ])
  one.rps = 99_999.99
  second.rps = 1
  expect(rates()).toStrictEqual([
    '{customer="1",tier="Bronze"} 99999.99',
    '{customer="2",tier="Bronze"}        1',
  ])
  one.rps = 123_456.5
  expect(rates()).toStrictEqual([
    '{customer="1",tier="Bronze"} 123456.5',
    '{customer="2",tier="Bronze"}        1',
  ])
  second.rps = 1_234_567.25
  expect(rates()).toStrictEqual([
    '{customer="1",tier="Bronze"}   123456.5',
    '{customer="2",tier="Bronze"} 1234567.25',
  ])
})

test('records come and go, and labels change', () => {
  const exposition = createExposition({ collectors: ['incidents'] })
  const incidents = [1, 2, 3].map((id) => emptyRecord(IncidentSchema, { id, affected_host_total: id * 10 }))
  const lines = (ids: number[]): string[] => {
    const snapshot = snapshotWith({ incidents: incidents.filter(({ id }) => ids.includes(Number(id))) })
    return linesOf(textOf(exposition.render(snapshot)), 'dcsim_incident_hosts_affected{').map((line) =>
      line.slice('dcsim_incident_hosts_affected'.length),
    )
  }
  expect(lines([1, 2])).toStrictEqual([
    '{incident="1",band="Watch",root_kind="Unknown"} 10',
    '{incident="2",band="Watch",root_kind="Unknown"} 20',
  ])
  expect(lines([2, 3])).toStrictEqual([
    '{incident="2",band="Watch",root_kind="Unknown"} 20',
    '{incident="3",band="Watch",root_kind="Unknown"} 30',
  ])
  incidents[1].band = 'Critical'
  incidents[1].root_kind = 'CableCut'
  expect(lines([2])).toStrictEqual(['{incident="2",band="Critical",root_kind="CableCut"} 20'])
  expect(lines([])).toStrictEqual([])
  expect(lines([3])).toStrictEqual(['{incident="3",band="Watch",root_kind="Unknown"} 30'])
})

test('every band has a sample, and an incident of an unknown band is not lost', () => {
  const exposition = createExposition({ collectors: ['incidents'] })
  const incidents = [
    emptyRecord(IncidentSchema, {
      id: 1,
      band: 'Cataclysm' as Band,
      root_kind: 'CableCut',
      revenue_at_risk_per_hour_dollars: 7.5,
    }),
    emptyRecord(IncidentSchema, { id: 2, band: 'Minor', root_kind: 'Unknown' }),
  ]
  const parsed = parseChunks(exposition.render(snapshotWith({ incidents })))
  expect([...parsed.get('dcsim_incidents_active')!.samples]).toStrictEqual([
    ['dcsim_incidents_active{band="Watch",root_kind="Unknown"}', 0],
    ['dcsim_incidents_active{band="Minor",root_kind="Unknown"}', 1],
    ['dcsim_incidents_active{band="Major",root_kind="Unknown"}', 0],
    ['dcsim_incidents_active{band="Critical",root_kind="Unknown"}', 0],
    ['dcsim_incidents_active{band="Cataclysm",root_kind="CableCut"}', 1],
  ])
  expect(
    parsed
      .get('dcsim_incidents_revenue_at_risk_dollars_per_hour')!
      .samples.get('dcsim_incidents_revenue_at_risk_dollars_per_hour{band="Cataclysm",root_kind="CableCut"}'),
  ).toBe(7.5)
})

test('a collector that fails says so, blanks nothing else, and recovers', () => {
  const failures: string[] = []
  const exposition = createExposition({
    collectors: ['hosts', 'customers'],
    onFailure: (collector) => failures.push(collector),
  })
  const host = emptyRecord(HostSchema, { id: 1, unit_count: 3 })
  const customer = emptyRecord(CustomerSchema, { id: 5, rps: 2 })
  const snapshot = snapshotWith({ hosts: [host], customers: [customer] })
  const whole = textOf(exposition.render(snapshot))
  const { ports } = host
  host.ports = null as unknown as typeof ports
  exposition.render(snapshot)
  const parsed = parseChunks(exposition.render(snapshot))
  expect(failures).toStrictEqual(['hosts'])
  expect([...parsed.get('dcsim_mirror_collector_success')!.samples.values()]).toStrictEqual([0, 1])
  expect(parsed.has('dcsim_host_units')).toBe(false)
  expect(parsed.get('dcsim_customer_requests_per_second')!.samples.size).toBe(1)
  host.ports = ports
  expect(textOf(exposition.render(snapshot))).toBe(whole)
})

test('with a clock, the duration of each collector is exported', () => {
  let now = 0
  const exposition = createExposition({ collectors: ['hosts', 'quests'], clock: () => (now += 250) })
  const parsed = parseChunks(exposition.render(snapshotWith({})))
  expect([...parsed.get('dcsim_mirror_collector_duration_seconds')!.samples]).toStrictEqual([
    ['dcsim_mirror_collector_duration_seconds{collector="hosts"}', 0.25],
    ['dcsim_mirror_collector_duration_seconds{collector="quests"}', 0.25],
  ])
})

test('collectors are chosen by name, or added to and taken from the usual ones', () => {
  expect(defaultCollectors).not.toContain('ports')
  expect(chooseCollectors('')).toStrictEqual(defaultCollectors)
  expect(chooseCollectors('incidents, hosts')).toStrictEqual(['hosts', 'incidents'])
  expect(chooseCollectors('+ports')).toStrictEqual(
    collectorNames.filter((name) => name === 'ports' || defaultCollectors.includes(name)),
  )
  expect(chooseCollectors('-hosts')).toStrictEqual(defaultCollectors.filter((name) => name !== 'hosts'))
  expect(chooseCollectors('hosts,+ports,-hosts')).toStrictEqual(['ports'])
  expect(chooseCollectors('hostz')).toContain('there is no collector "hostz"')
})

test('every collector that can be chosen has families, and every family one of them', () => {
  const all: Readonly<Record<string, Family>> = families
  expect(new Set(Object.values(all).map(({ collector }) => collector))).toStrictEqual(new Set(collectorNames))
})
