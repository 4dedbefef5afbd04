import { expect, test } from 'vitest'
import { createTenantContext } from '../../../../src/world/simulation/tenants/context.ts'
import type { Contract } from '../../../../src/world/simulation/tenants/contract.ts'
import {
  countUnservedContract,
  decayUnservedDemand,
} from '../../../../src/world/simulation/tenants/lifecycle/unserved-demand.ts'
import { createTenantsState } from '../../../../src/world/simulation/tenants/state.ts'
import { day, hour } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../quiet-world.ts'
import { createRunningSimulation, runFor } from './running-simulation.ts'

const contract: Contract = {
  name: 'Amber Mill Shoes',
  archetype: 'Shop',
  kindLabel: 'Online shop',
  tier: 'Silver',
  compliance: null,
  requiredArch: null,
  requiredRegion: null,
  multiZone: false,
  privateSegment: false,
  auditLogs: false,
  airGap: false,
  dedicatedHosts: false,
  uncontended: false,
  faultIsolation: false,
  growthCeiling: 10,
  services: [
    {
      class: 'web',
      count: 4,
      vcpu: 16,
      memMb: 1_024,
      ssdGb: 50,
      iops: 100,
      slices: 0,
      durability: 'Ephemeral',
    },
  ],
}

test('unserved demand is counted by pool, fades over two weeks and is forgotten', () => {
  const { state } = createQuietWorld(1n, 24)
  const context = createTenantContext(state, createTenantsState(state.topology, state.load, state.money))
  const { unservedDemand } = context.state
  countUnservedContract(context, contract, 1)
  expect([...unservedDemand.values()]).toEqual([
    { units: 4, vcpu: 64, memMb: 4_096, ssdGb: 200, slices: 0, gbps: 0 },
  ])
  const [pool] = unservedDemand.keys()
  expect(state.topology.pools[pool - 1].classes).toContain('web')
  const passDays = (days: number): void => {
    for (const end = state.now + days * day; state.now < end; ) {
      decayUnservedDemand(context)
      state.now += 10_000_000
      state.tick++
    }
  }
  passDays(14)
  expect(unservedDemand.get(pool)?.vcpu).toBeCloseTo(64 / Math.E, 0)
  passDays(120)
  expect(unservedDemand.size).toBe(0)
  countUnservedContract(context, contract, 1)
  countUnservedContract(context, contract, -1)
  expect(unservedDemand.get(pool)?.vcpu).toBe(0)
})

test('growth that finds the pools full counts as unserved demand', () => {
  const sim = createRunningSimulation(7919, 'small')
  const { state } = sim.customers
  for (const account of state.accounts) account.nextGrowth = 0
  runFor(sim, hour, () => {
    for (const usage of state.capacity.pools) usage.milli = usage.maxMilli
  })
  const wanted = [...sim.state.tenants.unservedDemand.values()]
  expect(wanted.reduce((sum, { vcpu }) => sum + vcpu, 0)).toBeGreaterThan(0)
})
