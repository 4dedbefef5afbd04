import { expect, test } from 'vitest'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { isBeingDrained } from '../../../../src/world/simulation/incidents/correlation/subjects.ts'
import { createQuietWorld } from '../quiet-world.ts'
import { createRunningWorld } from '../running-world.ts'

test('units left on drained hosts point to the drain, which ends when the operators call it off', () => {
  const { state, faults, incidents, run } = createRunningWorld(14n, 'small', 0, 10 * hour)
  run(20 * minute)
  const drained = state.topology.hosts.rows.filter((row) => row % 5 === 1)
  for (const row of drained) faults.setCampaign(row, true)
  run(8 * minute)
  const [incident] = incidents.state.open.values()
  expect(incident.symptoms.values().map(({ signal }) => signal)).toContain('customer-stranded')
  const suspected = incident.causes.filter(({ cleared }) => !cleared)
  expect(suspected.map(({ kind }) => kind)).toEqual(['HostDrained'])
  expect(incident.causes.map(({ kind }) => kind)).not.toContain('HostFailure')
  const [{ value, detail }] = suspected[0].observations
  expect(`${value}: ${detail}`).toBe(
    '**3 left, host out of service**: The drain was ordered although no other host can take them.',
  )
  const [fault] = faults.active
  expect(incidents.diagnose(incident.id, null)).toBe(fault)
  expect(fault).toMatchObject({ kind: 'HostDrained', target: suspected[0].target })
  Array.from(faults.active).forEach((each) => faults.repair(each))
  expect(faults.active).toEqual([])
  expect(drained.filter((row) => state.condition.hostMaintenance[row] > 0).length).toBeLessThan(
    drained.length,
  )
  // The campaign itself ends later, and finds them in service.
  for (const row of drained) faults.setCampaign(row, false)
  expect(drained.map((row) => state.condition.hostMaintenance[row])).toEqual(drained.map(() => 0))
  run(hour)
  expect(incidents.state.open.size).toBe(0)
  expect(incident.timeline.at(-1)!.detail).toBe('Resolved: all effects have ended.')
})

test.each([14n, 3n, 5n, 8n])('an attack at the same time is not taken for the reason, seed %d', (seed) => {
  const { state, faults, incidents, run } = createRunningWorld(seed, 'small', 0, 10 * hour)
  run(20 * minute)
  const drained = state.topology.hosts.rows.filter((row) => row % 5 === 1)
  const [{ id }] = state.tenants.active.toSorted((a, b) => b.hosts.length - a.hosts.length)
  const target = { kind: 'Customer', id } as const
  faults.inject({ kind: 'Attack', target, magnitude: 2.5, lasts: 3 * hour, attackClass: 'Volumetric' })
  run(10 * minute)
  for (const row of drained) faults.setCampaign(row, true)
  run(2 * hour)
  for (const row of drained) faults.setCampaign(row, false)
  run(hour)

  expect(incidents.state.open.size).toBe(0)
  const [flood, ...others] = incidents.state.resolved.toSorted((a, b) => a.opened - b.opened)
  expect(flood.rootKind).toBe('Attack')
  expect(flood.timeline.map(({ detail }) => detail).join()).not.toMatch(/cannot serve|redundancy/)
  expect(new Set(others.map(({ rootKind }) => rootKind))).toEqual(new Set(['HostDrained']))
  // The observations during the symptom, not those after the hosts serve again.
  expect(others[0].causes[0].observations[0].value).toMatch(/^\*\*\d left, host out of service\*\*$/)
})

test.each([0, 1])('a host with %i faults that stop it is out of service for their repair alone', (broken) => {
  const { state, addTenant } = createQuietWorld(1n)
  state.condition.hostMaintenance[0] = 1
  state.condition.hostBroken[0] = broken
  expect(isBeingDrained(state, addTenant())).toBe(broken === 0)
})
