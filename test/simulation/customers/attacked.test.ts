import { expect, test } from 'vitest'
import type { CustomerRecord } from '../../../src/contract/collections.ts'
import { defenceOf } from '../../../src/simulation/faults/attacks.ts'
import { hour, minute } from '../../../src/simulation/time.ts'
import { livingWorld, run } from './living.ts'

/** A flood on the first customer, so many times as strong as what stands in front of it. */
function flooded(strength: number, attackClass: 'Volumetric' | 'Protocol') {
  const sim = livingWorld(3, 'small')
  run(sim, 10 * hour)
  const { id } = sim.state.tenants.active[0]
  const recordOf = (): CustomerRecord =>
    sim.snapshot().collections.customers.find((customer) => Number(customer.id) === id)!
  sim.state.faults.inject({
    kind: 'Attack',
    target: { kind: 'Customer', id },
    magnitude: strength * defenceOf(sim.state, id, attackClass),
    lasts: 20 * minute,
    attackClass,
  })
  const before = recordOf().health
  run(sim, 6 * minute)
  return { sim, before, recordOf }
}

test('a customer is under attack while one aims at it, though all of it is stopped', () => {
  const { sim, before, recordOf } = flooded(0.2, 'Volumetric')
  expect(sim.state.threats.residual.size).toBe(0)
  expect(recordOf()).toMatchObject({ under_attack: true, attack_class: 'Volumetric', health: before })
  expect(recordOf().services.map(({ reason_tag }) => reason_tag)).not.toContain('under_attack')
  run(sim, 15 * minute)
  expect(recordOf()).toMatchObject({ under_attack: false, attack_class: null })
})

test('a customer whose users an attack pushes aside is not in good health', () => {
  const { sim, before, recordOf } = flooded(1.6, 'Protocol')
  const [{ id, failing }] = sim.state.tenants.active
  expect(id).toBe(Number(recordOf().id))
  expect(failing).toBeGreaterThan(0.15)
  expect(recordOf().health).toBeLessThan(before - 0.05)
  expect(recordOf().services.map(({ reason_tag }) => reason_tag)).toContain('under_attack')
})
