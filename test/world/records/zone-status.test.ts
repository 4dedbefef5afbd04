import { expect, test } from 'vitest'
import { status } from '../../../src/world/records/zones/zone-health.ts'
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
