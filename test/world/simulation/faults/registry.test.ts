import { deserialize, serialize } from 'node:v8'
import { expect, test } from 'vitest'
import { hour } from '../../../../src/world/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'

test('the state of faults and incidents survives serialization', () => {
  const { faults, incidents, run } = createRunningWorld(7n, 'small', 40, 9 * hour)
  run(6 * hour)
  const state = { faults: faults.state, incidents: incidents.state }
  expect(state.incidents.openedCount).toBeGreaterThan(3)
  const copy = deserialize(serialize(state)) as typeof state
  expect(copy).toEqual(state)
  // The confirmed cause is still the fault itself, whose end closes the incident.
  const restored = [...copy.faults.active, ...copy.faults.ended]
  const roots = [...copy.incidents.open.values(), ...copy.incidents.resolved].flatMap(
    ({ root }) => root ?? [],
  )
  expect(roots.length).toBeGreaterThan(0)
  expect(roots.filter((root) => !restored.some((fault) => fault === root))).toEqual([])
})
