import { expect, test } from 'vitest'
import { capacityExhaustion } from '../../../../src/world/simulation/faults/kinds/capacity/capacity-exhaustion.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
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

test.each([14n, 3n, 5n, 8n])('an attack at the same time is not taken for the reason, seed %d', (seed) => {
  const { state, faults, incidents, run } = createRunningWorld(seed, 'small', 0, 10 * hour)
  run(20 * minute)
  const drained = state.topology.hosts.rows.filter((row) => row % 5 === 1)
  const [{ id }] = state.tenants.active.toSorted((a, b) => b.hosts.length - a.hosts.length)
  const target = { kind: 'Customer', id } as const
  faults.inject({ kind: 'Attack', target, magnitude: 2.5, lasts: 3 * hour, attackClass: 'Volumetric' })
  run(10 * minute)
  for (const row of drained) faults.setMaintenance(row, true)
  run(2 * hour)
  for (const row of drained) faults.setMaintenance(row, false)
  run(hour)

  expect(incidents.state.open.size).toBe(0)
  const [flood, stranded, ...others] = incidents.state.resolved.toSorted((a, b) => a.opened - b.opened)
  expect(others).toEqual([])
  expect(flood.rootKind).toBe('Attack')
  expect(flood.timeline.map(({ detail }) => detail).join()).not.toMatch(/cannot serve|redundancy/)
  expect(stranded.root).toBeNull()
  expect(stranded.partOfId).toBeNull()
  const [cause] = stranded.causes
  expect(cause).toMatchObject({ kind: 'CapacityExhaustion', cleared: false })
  // The observations during the symptom, not those after the hosts serve again.
  expect(cause.observations[0].value).toMatch(/^\*\*none for \d left on drained hosts\*\*$/)
  expect(stranded.timeline.at(-1)!.detail).toMatch(
    /^Resolved without a confirmed cause; suspected: lack of capacity in pool \w/,
  )
})
