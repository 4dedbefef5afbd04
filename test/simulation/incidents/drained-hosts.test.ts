import { expect, test } from 'vitest'
import { capacityExhaustion } from '../../../src/simulation/faults/kinds/capacity/capacity-exhaustion.ts'
import { hour, minute } from '../../../src/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'

test('units that find no room when hosts are drained point to their pool, not to dead hosts', () => {
  const { state, faults, incidents, run } = createRunningWorld(14n, 'small', 0, 10 * hour)
  run(20 * minute)
  const drained = state.topology.hosts.rows.filter((row) => row % 5 === 1)
  for (const row of drained) faults.setMaintenance(row, true)
  run(2 * hour)

  const [incident] = incidents.state.open.values()
  expect(incident.symptoms.values().map(({ signal }) => signal)).toContain('customer-stranded')
  const suspected = incident.causes.filter(({ cleared }) => !cleared)
  expect(suspected.map(({ kind }) => kind)).toEqual(['CapacityExhaustion'])
  expect(incident.causes.map(({ kind }) => kind)).not.toContain('HostFailure')
  expect(faults.active).toEqual([])

  const [check] = capacityExhaustion.diagnosis.checks
  const { value, detail } = check.observe(state, suspected[0].target, {
    demandRatio: () => 1,
    recentFlaps: () => 0,
  })
  expect(`${value}: ${detail}`).toBe(
    '**none for 3 left on drained hosts**: Their hosts were taken out of service, and no other host takes them.',
  )

  for (const row of drained) faults.setMaintenance(row, false)
  run(hour)
  expect(incidents.state.open.size).toBe(0)
})
