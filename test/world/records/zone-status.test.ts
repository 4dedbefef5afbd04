import { expect, test } from 'vitest'
import { health, status } from '../../../src/world/records/zones/zone-health.ts'
import { createQuietWorld } from '../simulation/quiet-world.ts'

type Zone = Parameters<typeof status>[1]

const healthy = { hosts_online: 100, host_count: 100, health: 1, cooling_state: 'Normal' } as const

test.each<[string, Partial<Zone>, boolean, string]>([
  ['in which all works', {}, true, 'Healthy'],
  ['at a health of 0.9999', { health: 0.9999 }, true, 'Healthy'],
  ['below it', { health: 0.9998 }, true, 'Degraded'],
  ['at a health of 0.85', { health: 0.85 }, true, 'Degraded'],
  ['below that', { health: 0.849 }, true, 'Impaired'],
  ['with 90 of 100 hosts', { hosts_online: 90 }, true, 'Healthy'],
  ['with 89', { hosts_online: 89 }, true, 'Impaired'],
  ['with 50', { hosts_online: 50 }, true, 'Impaired'],
  ['with none', { hosts_online: 0 }, true, 'Down'],
  ['whose cooling is strained', { cooling_state: 'Strained' }, true, 'Degraded'],
  ['that overheats', { cooling_state: 'Overheating' }, true, 'Impaired'],
  ['without cooling', { cooling_state: 'Failed' }, true, 'Impaired'],
  ['without a gateway that advertises it', {}, false, 'Impaired'],
])('a zone %s is %s', (_, changes, isAdvertised, expected) => {
  const { state } = createQuietWorld(1n, 1)
  state.network.gatewayAdvertising.fill(isAdvertised ? 1 : 0)
  expect(status(state as never, { ...healthy, ...changes } as Zone, 0)).toBe(expected)
})

/**
 * In the first zone, all works: twelve hosts, four edge, two aggregation and two core switches, a gateway, five
 * appliances, two feeds and two cooling units, from which 57 cables lead.
 */
function workingZone() {
  const { state } = createQuietWorld(1n)
  const { facility, network } = state
  for (const column of [
    network.hostReachable,
    network.gatewayAdvertising,
    network.portUp,
    facility.switchUp,
    facility.applianceUp,
    facility.feedLive,
  ])
    column.fill(1)
  const columns = { ...state.condition, ...facility, ...network } as unknown as Record<string, number[]>
  return { state, columns }
}

test.each<[string, Record<string, Record<number, number>>, number]>([
  ['in which all works', {}, 1],
  ['without one of twelve hosts', { hostReachable: { 0: 0 } }, 1 - 0.42 / 12],
  ['without an edge switch', { switchUp: { 0: 0 } }, 1 - 0.14 / 12],
  ['without an aggregation switch', { switchUp: { 12: 0 } }, 1 - 0.14 / 6],
  ['without a core switch', { switchUp: { 8: 0 } }, 1 - 0.14 / 6],
  ['without a switch of another zone', { switchUp: { 4: 0 } }, 1],
  ['without its gateway', { gatewayAdvertising: { 0: 0 } }, 0.86],
  ['without two of five appliances', { applianceUp: { 0: 0, 4: 0 } }, 0.96],
  ['on one feed', { feedLive: { 1: 0 } }, 0.975],
  ['with one cooling unit', { coolingBroken: { 1: 1 } }, 0.975],
  ['without cooling', { coolingBroken: { 0: 1, 1: 1 } }, 0.95],
  ['with as much cooling as heat', { zoneHeatKw: { 0: 8 }, zoneCoolingCapacityKw: { 0: 8 } }, 1],
  [
    'with half of the cooling that it needs',
    { zoneHeatKw: { 0: 8 }, zoneCoolingCapacityKw: { 0: 4 } },
    0.975,
  ],
  [
    'with one cooling unit and a quarter of the cooling that it needs',
    { coolingBroken: { 0: 1 }, zoneHeatKw: { 0: 8 }, zoneCoolingCapacityKw: { 0: 2 } },
    0.9625,
  ],
  [
    'that drops one of eight Gbit/s',
    {
      zoneWanInGbps: { 0: 1 },
      zoneWanOutGbps: { 0: 2 },
      zoneEastWestGbps: { 0: 4 },
      zoneDroppedGbps: { 0: 1 },
    },
    0.875,
  ],
  ['that drops everything', { zoneDroppedGbps: { 0: 1 } }, 0],
  ['beside one that drops everything', { zoneDroppedGbps: { 1: 1 } }, 1],
])('a zone %s has its health', (_, changes, expected) => {
  const { state, columns } = workingZone()
  for (const [name, rows] of Object.entries(changes)) Object.assign(columns[name], rows)
  expect(health(state, 0)).toBeCloseTo(expected, 12)
})

test('the links of a zone count for a tenth of its health, once connectivity changes', () => {
  const { state } = workingZone()
  const { topology, network } = state
  const { firstPort } = topology.gateways
  expect(health(state, 0)).toBe(1)
  network.portUp[firstPort[0]] = 0
  expect(health(state, 0)).toBe(1)
  network.connectivityVersion++
  expect(health(state, 0)).toBeCloseTo(1 - 0.1 / 57, 12)
  expect(health(state, 1)).toBe(1)
})
