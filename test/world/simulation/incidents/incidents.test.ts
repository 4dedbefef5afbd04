import { describe, expect, test } from 'vitest'
import { activeTruths } from '../../../../src/world/simulation/truth/truth.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../quiet-world.ts'
import { createRunningWorld } from '../running-world.ts'

const from = 10 * hour

describe('an incident', () => {
  test('has evidence and a hint for its cause as soon as that is confirmed, and none to work on what is repaired', () => {
    const { faults, incidents, records, run } = createRunningWorld(2n, 'small', 0, from)
    run(10 * minute)
    const target = { kind: 'Host', row: 3 } as const
    const fault = faults.inject({ kind: 'HostFailure', target, magnitude: 1, lasts: null })
    run(2 * minute)
    const [at] = incidents.state.open.values()
    records.update()
    expect(records.incidents[0].evidence).toEqual([])
    incidents.diagnose(at.id, null)
    records.update()
    const [{ evidence, hint }] = records.incidents
    expect(evidence[0].detail_plain).not.toBe('')
    expect(hint).toContain('has failed. See the work orders')
    const [repair, other] = [
      { id: 7, repaired: [fault.id] },
      { id: 8, repaired: [fault.id + 1] },
    ]
    const held = 'On hold because no one is on shift: Restart emr-a-b01-u06.'
    incidents.noteWork(at.id, repair, 'WorkBlocked', held)
    const beside = 'On hold because no spare part is in stock: Replace an SSD in emr-a-b01-u06.'
    incidents.noteWork(at.id, other, 'WorkBlocked', beside)
    run(minute)
    expect(at.hint).toBe(`Cause known: Host emr-a-b01-u06 has failed. ${held}`)
    incidents.noteWork(at.id, other, 'WorkBlocked', 'On hold because no key is there: Renew a license.')
    run(minute)
    expect(at.hint).toBe(`Cause known: Host emr-a-b01-u06 has failed. ${held}`)
    incidents.noteWork(at.id, repair, 'WorkStarted', 'Otis L. started: Restart emr-a-b01-u06.')
    run(minute)
    faults.repair(fault)
    const hints = new Set<string | null>()
    run(10 * minute, () => hints.add(at.hint) && at.resolved !== null)
    expect([...hints]).toEqual([
      'Cause known: Host emr-a-b01-u06 has failed. See the work orders for progress.',
      'The cause has ended. Check that all it affected recovers.',
      'No symptoms remain. It closes if none returns.',
      'Resolved. Cause: failure of host emr-a-b01-u06.',
    ])
  })

  test.each([
    ['HostFailure', 'has to be diagnosed again', 'Host emr-a-b01-u06 has failed.'],
    [
      'PowerSupplyFailure',
      'Cause known: A power supply in emr-a-b01',
      'A power supply in emr-a-b01-u06 has failed.',
    ],
  ] as const)(
    'whose cause was repaired, and which lasts by a %s, has a hint about that',
    (kind, first, claim) => {
      const { faults, incidents, run } = createRunningWorld(2n, 'small', 0, from)
      run(10 * minute)
      const spec = { target: { kind: 'Host', row: 3 }, magnitude: 1, lasts: null } as const
      const fault = faults.inject({ kind: 'HostFailure', ...spec })
      run(2 * minute)
      const [at] = incidents.state.open.values()
      incidents.diagnose(at.id, null)
      const next = faults.inject({ kind, ...spec })
      next.incidentId = at.id
      incidents.noteFinding(at.id, next, false)
      incidents.noteWork(at.id, { id: 7, repaired: [fault.id] }, 'WorkBlocked', 'On hold: Restart it.')
      run(minute)
      fault.ended = at.opened + 2 * minute
      run(minute)
      expect(at.hint).toContain(first)
      incidents.noteWork(at.id, { id: 9, repaired: [next.id] }, 'WorkStarted', 'Otis L. started: Mend it.')
      run(minute)
      expect(at.hint).toBe(`Cause known: ${claim} See the work orders for progress.`)
    },
  )
})

test('the truth of a fault is who is hurt within its reach, of a defect its customer alone', () => {
  const { state, faults, blastRadius, addTenant } = createQuietWorld(1n)
  const hosts = Int32Array.of(3)
  for (const about of [
    { hosts, failing: 0.5 },
    { hosts },
    { hosts, strandedUnits: 1 },
    { hosts: Int32Array.of(9), failing: 0.5 },
  ])
    addTenant(about)
  const spec = { magnitude: 1, lasts: null } as const
  faults.inject({ kind: 'HostFailure', target: { kind: 'Host', row: 3 }, ...spec })
  faults.inject({ kind: 'FailedRelease', target: { kind: 'Customer', id: 1 }, ...spec }).incidentId = 7
  expect(activeTruths(state, faults, blastRadius)).toMatchObject([
    { kind: 'HostFailure', affectedCustomerIds: [1, 3], incidentId: null },
    { kind: 'FailedRelease', affectedCustomerIds: [1], incidentId: 7 },
  ])
})
