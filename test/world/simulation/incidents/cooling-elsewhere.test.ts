import { expect, test } from 'vitest'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'

test('a leak of coolant is no matter of an incident at hosts that stay cool', () => {
  const { state, faults, work, run } = createRunningWorld(13n, 'small', 0, 10 * hour)
  const { hosts, coolingUnits, zones } = state.topology
  run(10 * minute)
  // The loss of a host in one zone affects a customer with hosts in two zones.
  const host = hosts.rows.find(
    (row) =>
      hosts.zone[row] === 1 &&
      state.tenants.active.some(
        (tenant) => tenant.hosts.includes(row) && tenant.hosts.some((other) => hosts.zone[other] === 0),
      ),
  )!
  const leak = faults.inject({
    kind: 'CoolingFailure',
    target: { kind: 'CoolingUnit', row: zones[0].coolingUnits[0] },
    magnitude: 0.5,
    lasts: null,
  })
  const failure = faults.inject({
    kind: 'PowerSupplyFailure',
    target: { kind: 'Host', row: host },
    magnitude: 3,
    lasts: null,
  })
  expect(coolingUnits.zone[leak.target.kind === 'CoolingUnit' ? leak.target.row : -1]).toBe(0)
  const labels = new Set<string>()
  run(day, () => {
    for (const { label } of [...work.dispatcher.open, ...work.state.finished]) labels.add(label)
    return failure.ended !== null
  })
  expect(failure.ended).not.toBeNull()
  expect([...labels].filter((label) => label.includes('cooling unit'))).toEqual([])
  expect(leak.incidentId).toBeNull()
})
