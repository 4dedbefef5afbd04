import { describe, expect, test } from 'vitest'
import type { Symptom } from '../../../../src/world/simulation/incidents/model.ts'
import { createCorrelator } from '../../../../src/world/simulation/incidents/correlation/correlator.ts'
import { createIncidentLifecycle } from '../../../../src/world/simulation/incidents/incident-lifecycle.ts'
import type { Incidents } from '../../../../src/world/simulation/incidents/incidents.ts'
import { activeTruths } from '../../../../src/world/simulation/truth/truth.ts'
import type { WorldView } from '../../../../src/world/simulation/state.ts'
import type { Tenant } from '../../../../src/world/simulation/tenants/tenant.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import type { FaultSpec } from '../../../../src/world/simulation/faults/model.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { createRunningWorld } from '../running-world.ts'
import type { Scale } from '../running-world.ts'
import { symptomAt } from './symptom-fixture.ts'

const from = 10 * hour

/** A world with its first fault, and the resulting incidents some minutes later. */
function worldWith(
  seed: bigint,
  scale: Scale,
  fault: Partial<FaultSpec> & Pick<FaultSpec, 'kind'>,
  targetOf: (state: WorldView) => FaultTarget,
  minutes: number,
) {
  const world = createRunningWorld(seed, scale, 0, from)
  world.run(10 * minute)
  const begun = world.faults.inject({ target: targetOf(world.state), magnitude: 1, lasts: null, ...fault })
  world.run(minutes * minute)
  const [at] = world.incidents.state.open.values()
  return { ...world, fault: begun, at }
}

const host = (row: number) => (): FaultTarget => ({ kind: 'Host', row })
const firstGateway = ({ topology }: WorldView): FaultTarget => ({
  kind: 'Gateway',
  row: topology.zones[0].gateways[0],
})
const brokenHost = (minutes: number) => worldWith(2n, 'small', { kind: 'HostFailure' }, host(3), minutes)

/** A core switch with a long-standing, confirmed loss of fabric that affects no customer. */
function crippledCore() {
  const world = createRunningWorld(1n, 'medium', 0, from)
  const { state, faults, incidents, work, run } = world
  run(10 * minute)
  const target = { kind: 'Switch', row: state.topology.zones[0].cores[0] } as const
  const crippled = faults.inject({ kind: 'FirmwareFault', target, magnitude: 0.3, lasts: null })
  run(4 * minute)
  const [known] = incidents.state.open.values()
  expect(incidents.diagnose(known.id, null)).toBe(crippled)
  for (const order of work.dispatcher.open) work.dispatcher.cancel(order)
  run(70 * minute)
  return { ...world, crippled, known }
}

const shareInFirstZone = ({ topology }: WorldView, { hosts }: Tenant): number =>
  hosts.filter((host) => topology.hosts.zone[host] === 0).length / hosts.length

/** A customer with failed requests since a given time, without any other symptom. */
const failing = ({ id }: Tenant, since: number, lastSeen: number): Symptom =>
  symptomAt('customer-failing', { kind: 'Customer', id }, { since, lastSeen, reading: 3 })

const correlatorOf = ({ context, state }: Incidents) =>
  createCorrelator(context, state, createIncidentLifecycle(context, state))

describe('an incident', () => {
  test('has evidence and a hint for its cause as soon as that is confirmed, and none to work on what is repaired', () => {
    const { at, fault, faults, incidents, records, run } = brokenHost(2)
    records.update()
    expect(records.incidents[0].evidence).toEqual([])
    incidents.diagnose(at.id, null)
    records.update()
    const [{ evidence, hint }] = records.incidents
    expect(evidence[0].detail_plain).not.toBe('')
    expect(hint).toContain('has failed. See the work orders')
    const held = 'On hold because no one is on shift: Restart emr-a-b01-u06.'
    incidents.noteWork(at.id, 7, 'WorkBlocked', held)
    run(minute)
    expect(at.hint).toBe(`Cause known: Host emr-a-b01-u06 has failed. ${held}`)
    incidents.noteWork(at.id, 8, 'WorkBlocked', 'On hold because no key is there: Renew a license.')
    run(minute)
    expect(at.hint).toBe(`Cause known: Host emr-a-b01-u06 has failed. ${held}`)
    incidents.noteWork(at.id, 7, 'WorkStarted', 'Otis L. started: Restart emr-a-b01-u06.')
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

  test('leaves what its own cause no longer explains to one that began after it, too', () => {
    const { state, incidents, known } = crippledCore()
    const there = state.tenants.active.find((tenant) => shareInFirstZone(state, tenant) === 1)!
    const { now } = state
    for (const host of there.hosts) state.network.hostDeliveredIn[host] = 0.9
    correlatorOf(incidents).assign([failing(there, now - 3 * hour, now)])
    const older = [...incidents.state.open.values()].find((at) => at !== known)!
    expect(correlatorOf(incidents).split(older)).toEqual([known])
  })
})

describe('the truth', () => {
  test('has a fault, the customers that setImpactBand it and its incident before the record shows them', () => {
    const throttling = { kind: 'AddonThrottling', magnitude: 0.85 } as const
    const world = worldWith(1n, 'medium', throttling, firstGateway, 2)
    const { state, faults, blastRadius, records } = world
    const [known] = activeTruths(state, faults, blastRadius)
    expect(known).toMatchObject({ kind: 'AddonThrottling', target: firstGateway(state), incidentId: 1 })
    expect(known.affectedCustomerIds.length).toBeGreaterThan(3)
    records.update()
    expect(records.incidents[0]).toMatchObject({
      root_kind: 'Unknown',
      root_entity_id: null,
      confirmed: false,
    })
  })

  test('has of a faulty release the customer whose it is, and not another on its hosts', () => {
    const { state, faults, blastRadius, run } = createRunningWorld(2n, 'small', 0, from)
    run(10 * minute)
    const { active } = state.tenants
    const [one, other] = active.filter(({ hosts }) => hosts.includes(active[0].hosts[0]))
    for (const { id } of [one, other])
      faults.inject({ kind: 'FailedRelease', target: { kind: 'Customer', id }, magnitude: 0.3, lasts: null })
    run(2 * minute)
    const hurt = activeTruths(state, faults, blastRadius).map((truth) => truth.affectedCustomerIds)
    expect(hurt.slice(-2)).toEqual([[one.id], [other.id]])
  })
})
