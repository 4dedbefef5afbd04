import { expect, test } from 'vitest'
import { collectionNames } from '../../src/contract/collections.ts'
import type { Collections } from '../../src/contract/collections.ts'
import { HostPoolSchema, HostSchema } from '../../src/contract/records/hosts.ts'
import { GatewaySchema, PatchPanelSchema, SwitchSchema } from '../../src/contract/records/network.ts'
import { ZoneSchema } from '../../src/contract/records/facility.ts'
import { unknownRecord } from '../../src/contract/records/unknown.ts'
import { completed } from '../../src/encoding/completed-views.ts'

const hostOf = (id: number, values: object) => ({ ...unknownRecord(HostSchema), id, ...values })
const nothing = Object.fromEntries(collectionNames.map((name) => [name, []])) as unknown as Collections

const hosts = [
  hostOf(1, {
    az_id: 7,
    rack_id: 3,
    start_u: 1,
    u_size: 2,
    online: true,
    pool_id: 5,
    physical_vcpu: 32,
    used_millivcpu: 8_000,
    served_customer_ids: [1, 2],
  }),
  hostOf(2, {
    az_id: 7,
    rack_id: 3,
    start_u: 50,
    u_size: 2,
    online: false,
    pool_id: 5,
    physical_vcpu: 32,
    served_customer_ids: [2],
  }),
  hostOf(3, { az_id: 8, online: true, pool_id: null }),
]
const records: Collections = {
  ...nothing,
  hosts,
  switches: [{ ...unknownRecord(SwitchSchema), id: 1, az_id: 7, rack_id: 4, start_u: 40, u_size: 1 }],
  gateways: [
    {
      ...unknownRecord(GatewaySchema),
      id: 1,
      az_id: 8,
      rack_id: null,
      wan_ingress_gbps: 2,
      wan_egress_gbps: 3,
    },
  ],
  patchPanels: [{ ...unknownRecord(PatchPanelSchema), id: 9, rack_id: 4, start_u: 42, u_size: 1 }],
}

test('zones that no list tells are those that devices name, with what devices tell', () => {
  const [first, second] = completed(records, { azs: 'No list.' }).azs
  expect(first).toMatchObject({
    id: 7,
    name: 'zone 7',
    host_count: 2,
    hosts_online: 1,
    switch_count: 1,
    gateway_count: 0,
    rack_count: 2,
    customer_count: 2,
    physical_vcpu: 64,
    used_millivcpu: 8_000,
    power_draw_kw: Number.NaN,
    power_redundant: null,
  })
  expect(first.racks).toMatchObject([
    // As high as its devices stand, and at least as a usual one.
    {
      id: 3,
      name: 'rack 3',
      u_size: 51,
      used_u: 4,
      host_count: 2,
      hosts_online: 1,
      inlet_celsius: Number.NaN,
    },
    { id: 4, name: 'rack 4', u_size: 42, used_u: 2, host_count: 0, hosts_online: 0 },
  ])
  expect(second).toMatchObject({
    id: 8,
    host_count: 1,
    gateway_count: 1,
    wan_ingress_gbps: 2,
    wan_egress_gbps: 3,
  })
})

test('a list that is there is whole, though devices name other zones and pools', () => {
  const azs = [{ ...unknownRecord(ZoneSchema), id: 8, name: 'East' }]
  const hostPools = [{ ...unknownRecord(HostPoolSchema), id: 6, name: 'Silver' }]
  const { azs: zones, hostPools: pools } = completed({ ...records, azs, hostPools }, {})
  expect(zones.map(({ id, name }) => [id, name])).toEqual([[8, 'East']])
  expect(pools.map(({ id, name }) => [id, name])).toEqual([[6, 'Silver']])
})

test('values that a zone tells itself stay', () => {
  const told = { ...unknownRecord(ZoneSchema), id: 7, name: 'tfd-a', host_count: 5, wan_ingress_gbps: 9 }
  const [zone] = completed({ ...records, azs: [told] }, {}).azs
  expect(zone).toMatchObject({ name: 'tfd-a', host_count: 5, hosts_online: 1, wan_ingress_gbps: 9 })
})

test('hosts of which one does not tell whether it serves make no number', () => {
  const [zone] = completed({ ...records, hosts: [...hosts, hostOf(4, { az_id: 7 })] }, {}).azs
  expect(zone).toMatchObject({ host_count: 3, hosts_online: Number.NaN })
})

test('what comes of unknown lists is unknown, not zero', () => {
  const [zone] = completed(
    { ...records, azs: [{ ...unknownRecord(ZoneSchema), id: 7 }], hosts: [] },
    { hosts: 'None.' },
  ).azs
  expect(zone).toMatchObject({ host_count: Number.NaN, hosts_online: Number.NaN, switch_count: 1 })
})

test('pools are completed from their hosts', () => {
  const told = { ...unknownRecord(HostPoolSchema), id: 5, name: 'General' }
  expect(completed({ ...records, hostPools: [told] }, {}).hostPools).toMatchObject([
    { id: 5, name: 'General', host_count: 2, hosts_online: 1, host_ids: [1, 2], cpu_used_pct: 12.5 },
  ])
  expect(completed(records, {}).hostPools).toMatchObject([{ id: 5, name: 'pool 5', host_count: 2 }])
})

test('a world that tells all of it is not touched', () => {
  const azs = [{ ...unknownRecord(ZoneSchema), id: 1, racks: [], host_count: 0 }]
  const whole = { ...nothing, azs }
  expect(completed(whole, {})).toBe(whole)
})
