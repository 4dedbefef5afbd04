import { expect, test } from 'vitest'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { shippedScenario } from '../../../src/world/scenarios/shipped.ts'
import { hour, minute } from '../../../src/world/simulation/time.ts'
import { runUntil } from '../simulation/scenarios/scripted-world.ts'

test('cooling units that hang read as running while hosts shut down, and a thermometer finds them', () => {
  const scenario = { ...shippedScenario('displays-freeze')!, spontaneity: 0 }
  const world = createSimulation({ seed: 13n, scale: 'medium', speed: 12, warmUp: hour, scenario })
  const { facility } = world.state
  runUntil(world, hour + 35 * minute)
  expect(facility.zoneCoolingCapacityKw[0]).toBe(0)
  expect(facility.zoneCelsius[0]).toBeGreaterThan(35)
  const { azs } = world.snapshot().collections
  expect(azs[0].cooling_units.map(({ working }) => working)).toEqual([true, true, true])
  expect(azs[0].cooling_capacity_kw).toBeGreaterThan(azs[0].cooling_load_kw)
  runUntil(world, hour + 60 * minute)
  const { incidents } = world.feedSnapshot().collections
  const { timeline, evidence } = incidents.find(({ root_kind }) => root_kind === 'HungController')!
  expect(timeline.map(({ detail }) => detail).join()).toMatch(/Ruled out: failure of cooling unit/)
  expect(evidence.map((seen) => `${seen.label_plain}: ${seen.value_plain}`).join()).toMatch(
    /Air behind .*: \d+ °C/,
  )
})
