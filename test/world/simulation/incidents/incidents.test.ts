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
  test('is one for a failed core switch with all its hosts and links', () => {
    const { state, faults, incidents, run } = createRunningWorld(1n, 'medium', 0, from)
    run(10 * minute)
    for (const row of state.topology.zones[0].cores) {
      faults.inject({ kind: 'SwitchFailure', target: { kind: 'Switch', row }, magnitude: 1, lasts: null })
    }
    run(20 * minute)
    const [first, ...others] = incidents.state.open.values()
    expect(first.headline.kind).toBe('HostUnreachable')
    expect(first.impact.hostTotal).toBe(state.topology.zones[0].hosts.length)
    expect(first.band).toBe('Critical')
    expect(others.filter(({ headline }) => headline.signal === 'switch-silent')).toEqual([])
  })

  test('ends when its cause has, and announces that', () => {
    const { state, faults, incidents, records, run, fault } = worldWith(
      2n,
      'small',
      { kind: 'FanFailure' },
      host(0),
      5,
    )
    expect(state.incidents.size).toBe(1)
    faults.repair(fault)
    run(10 * minute)
    expect(state.incidents.size).toBe(0)
    records.update()
    expect(records.incidents).toHaveLength(0)
    expect(records.resolvedIncidents).toHaveLength(1)
    expect(records.resolvedIncidents[0].timeline.at(-1)).toMatchObject({ kind: 'Resolved' })
    const announced = state.events.state.window.map(({ kind }) => kind)
    expect(
      announced.filter((kind) =>
        ['PartFailed', 'IncidentOpened', 'PartRestored', 'IncidentResolved'].includes(kind),
      ),
    ).toEqual(['PartFailed', 'IncidentOpened', 'PartRestored', 'IncidentResolved'])
    const opened = state.events.state.window.find(({ kind }) => kind === 'IncidentOpened')!
    expect(opened.msg_key).toBe('event.incident-opened-as')
    expect(incidents.state.resolved).toHaveLength(1)
  })

  test('passes on symptoms with another cause once its own has ended', () => {
    const throttling = { kind: 'AddonThrottling', magnitude: 0.85 } as const
    const world = worldWith(4n, 'medium', throttling, firstGateway, 4)
    const { state, faults, incidents, run, fault: throttled, at } = world
    expect(incidents.diagnose(at.id, null)).toBe(throttled)
    const rule = { kind: 'Appliance', row: state.topology.zones[0].firewalls[0] } as const
    const second = faults.inject({ kind: 'Misconfiguration', target: rule, magnitude: 0.4, lasts: null })
    run(4 * minute)
    faults.repair(throttled)
    run(20 * minute)
    expect(at.resolved).not.toBeNull()
    expect(second.incidentId).not.toBeNull()
    expect(second.incidentId).not.toBe(at.id)
  })

  test('still concerns a host that has been taken out of service for its repair', () => {
    const { at, fault, state, run } = brokenHost(3)
    let out = 0
    run(4 * hour, () => {
      if (fault.ended !== null) return true
      if (state.condition.hostMaintenance[3] > 0) out++
      expect(at.impact).toMatchObject({ hosts: [3], hostTotal: 1 })
      return false
    })
    expect(out).toBeGreaterThan(20)
    expect(fault.ended).not.toBeNull()
  })

  test('of a host that breaks while it is out of service is opened when it should be back', () => {
    const { faults, incidents, run } = createRunningWorld(2n, 'small', 0, from)
    run(10 * minute)
    faults.setMaintenance(3, true)
    run(10 * minute)
    faults.inject({ kind: 'HostFailure', target: { kind: 'Host', row: 3 }, magnitude: 1, lasts: null })
    run(10 * minute)
    const kinds = () => [...incidents.state.open.values()].map(({ headline }) => headline.kind)
    expect(kinds()).not.toContain('HostUnreachable')
    faults.setMaintenance(3, false)
    run(3 * minute)
    expect(kinds()).toContain('HostUnreachable')
  })

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
    incidents.noteWork(at.id, 8, 'WorkBlocked', 'On hold because no spare part is in stock: Replace another.')
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

  test('in which nothing is broken turns out to be part of one that is known, where that may be the reason', () => {
    const { state, incidents, run, crippled, known } = crippledCore()
    const partly = state.tenants.active.find((tenant) => {
      const share = shareInFirstZone(state, tenant)
      return share > 0 && share < 0.25
    })!
    const lose = (): void => partly.hosts.forEach((host) => (state.network.hostDeliveredIn[host] = 0.9))
    correlatorOf(incidents).assign([failing(partly, state.now, state.now)])
    const unclear = [...incidents.state.open.values()].find((at) => at !== known)!
    run(3 * minute, lose)
    expect(unclear.root).toBeNull()
    expect(incidents.diagnose(unclear.id, null)).toBe(crippled)
    expect(unclear.partOfId).toBe(known.id)
    expect([...known.symptoms].map(({ key }) => key)).toContain(1)
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

  test('shows the progress of its work orders in its timeline', () => {
    const { incidents, records, at } = worldWith(6n, 'small', { kind: 'FanFailure' }, host(0), 3)
    incidents.noteWork(at.id, 9_001, 'WorkStarted', 'A technician is on the way.')
    incidents.noteWork(77_777, 9_002, 'WorkStarted', 'This incident is unknown.')
    records.update()
    expect(records.incidents[0].work_order_ids).toContain(9_001)
    expect(records.incidents[0].timeline).toContainEqual(
      expect.objectContaining({ kind: 'WorkStarted', detail: 'A technician is on the way.' }),
    )
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
