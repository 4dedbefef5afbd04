import { expect, test } from 'vitest'
import type { CustomerRecord } from '../../../../src/contract/collections.ts'
import { defenseCapacity } from '../../../../src/world/simulation/faults/hazards/attackers.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { createRunningSimulation, runFor } from './running-simulation.ts'

/** A flood on the first customer, with a strength relative to its defenses. */
function startFlood(strength: number, attackClass: 'Volumetric' | 'Protocol') {
  const sim = createRunningSimulation(3, 'small')
  runFor(sim, 10 * hour)
  const { id } = sim.state.tenants.active[0]
  const recordOf = (): CustomerRecord =>
    sim.snapshot().collections.customers.find((customer) => Number(customer.id) === id)!
  sim.state.faults.inject({
    kind: 'Attack',
    target: { kind: 'Customer', id },
    magnitude: strength * defenseCapacity(sim.state, id, attackClass),
    lasts: 20 * minute,
    attackClass,
  })
  const before = recordOf().health
  runFor(sim, 6 * minute)
  return { sim, before, recordOf }
}

test('a customer is under attack while one aims at it, though all of it is stopped', () => {
  const { sim, before, recordOf } = startFlood(0.2, 'Volumetric')
  expect(sim.state.threats.remainders.size).toBe(0)
  expect(recordOf()).toMatchObject({ under_attack: true, attack_class: 'Volumetric', health: before })
  expect(recordOf().services.map(({ reason_tag }) => reason_tag)).not.toContain('under_attack')
  runFor(sim, 15 * minute)
  expect(recordOf()).toMatchObject({ under_attack: false, attack_class: null })
})

test('a customer whose users an attack pushes aside is not in good health', () => {
  const { sim, before, recordOf } = startFlood(1.6, 'Protocol')
  const [{ id, failing }] = sim.state.tenants.active
  expect(id).toBe(Number(recordOf().id))
  expect(failing).toBeGreaterThan(0.15)
  expect(recordOf().health).toBeLessThan(before - 0.05)
  expect(recordOf().services.map(({ reason_tag }) => reason_tag)).toContain('under_attack')
})
