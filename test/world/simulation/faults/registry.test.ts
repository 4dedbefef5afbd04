import { deserialize, serialize } from 'node:v8'
import { expect, test } from 'vitest'
import { faultKinds } from '../../../../src/world/simulation/faults/kinds.ts'
import type { FaultKind } from '../../../../src/world/simulation/faults/fault-kind.ts'
import { hour } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../quiet-world.ts'
import { createRunningWorld } from '../running-world.ts'

test('each hazard has a turn of its own', () => {
  const { state } = createQuietWorld(1n)
  const turns = Object.values<FaultKind>(faultKinds).flatMap(({ origin }) =>
    origin.type === 'hazard' ? origin.hazardsIn(state).map(({ turn }) => turn) : [],
  )
  expect(turns.toSorted((a, b) => a - b)).toEqual(turns.map((_, index) => index))
})

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
