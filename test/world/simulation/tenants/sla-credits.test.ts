import { expect, test } from 'vitest'
import { hour } from '../../../../src/world/simulation/time.ts'
import { accountsOf, createRunningSimulation, runFor } from './running-simulation.ts'

test('a new customer whose first hours are an outage is credited no more than it has paid', () => {
  const sim = createRunningSimulation(23, 3)
  sim.state.condition.hostBroken.fill(1)
  const customers = [...accountsOf(sim)]
  runFor(sim, 6 * hour)
  expect(customers.filter(({ creditsMicro }) => creditsMicro > 0).length).toBeGreaterThan(0)
  expect(customers.filter(({ creditsMicro, revenueMicro }) => creditsMicro > revenueMicro)).toEqual([])
})
