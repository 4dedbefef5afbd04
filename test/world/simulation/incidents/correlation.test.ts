import { describe, expect, test } from 'vitest'
import { defenseCapacity } from '../../../../src/world/simulation/faults/hazards/attackers.ts'
import type { Incident } from '../../../../src/world/simulation/incidents/model.ts'
import { writable } from '../../../../src/world/simulation/incidents/model.ts'
import type { WorldView } from '../../../../src/world/simulation/state.ts'
import type { Tenant } from '../../../../src/world/simulation/tenants/tenant.ts'
import { hour, minute, second } from '../../../../src/world/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'
import type { RunningWorld } from '../running-world.ts'

const from = 10 * hour

/** Customers with all their hosts in the first zone, in descending number of hosts. */
const neighbors = ({ tenants, topology }: WorldView): Tenant[] =>
  tenants.active
    .filter(({ hosts }) => hosts.length > 0 && hosts.every((host) => topology.hosts.zone[host] === 0))
    .toSorted((a, b) => b.hosts.length - a.hosts.length || a.id - b.id)

const attack = (world: RunningWorld, { id }: Tenant, strength: number, lasts: number) =>
  world.faults.inject({
    kind: 'Attack',
    target: { kind: 'Customer', id },
    magnitude: strength * Math.max(1, defenseCapacity(world.state, id, 'Volumetric')),
    lasts,
    attackClass: 'Volumetric',
  })

/** A flood of six times a customer's defenses saturates its links; no diagnosis has begun. */
function startFlood(lasts: number) {
  const world = createRunningWorld(5n, 'medium', 0, from)
  world.run(10 * minute)
  const [victim] = neighbors(world.state)
  const flood = attack(world, victim, 6, lasts)
  world.run(2 * minute)
  return { ...world, victim, flood }
}

const open = ({ incidents }: Pick<RunningWorld, 'incidents'>): Incident[] => [
  ...incidents.state.open.values(),
]

describe('attacks', () => {
  test('that have filled links and passed are found out, not the links', () => {
    const world = startFlood(10 * minute)
    const { incidents, run, flood } = world
    for (const order of world.work.dispatcher.open) world.work.dispatcher.cancel(order)
    run(8 * minute + 20 * second)
    const [at] = open(world)
    expect(flood.ended).not.toBeNull()
    expect([...at.symptomKeys].length).toBeGreaterThan(5)
    expect(at.causes.map(({ kind }) => kind)).toContain('LinkSaturation')
    expect(incidents.diagnose(at.id, null)).toBe(flood)
    const attacked = at.causes.filter(({ confidence }) => confidence > 0)
    expect(attacked.map(({ kind, confidence }) => ({ kind, confidence }))).toEqual([
      { kind: 'Attack', confidence: 100 },
    ])
  })

  test('that leave too little room are found out, not the pool that they crowd', () => {
    const world = startFlood(40 * minute)
    const { state, faults, incidents, victim, flood } = world
    const [at] = open(world)
    const pool = { kind: 'Pool', row: state.topology.hosts.pool[victim.hosts[0]] } as const
    const shortage = faults.inject({ kind: 'CapacityExhaustion', target: pool, magnitude: 1, lasts: null })
    shortage.incidentId = at.id
    const suspected = writable(at, 'causes').causes.find(({ kind }) => kind === 'Attack')!
    suspected.confidence = 30
    writable(at, 'causes').causes.push({
      ...suspected,
      kind: 'CapacityExhaustion',
      target: pool,
      confidence: 60,
    })
    expect(incidents.diagnose(at.id, null)).toBe(flood)
  })
})

test('a host that hangs and then does not answer is one incident', () => {
  const world = createRunningWorld(2n, 'small', 0, from)
  const { state, faults, incidents, run } = world
  run(10 * minute)
  const counts = state.load.unitCount
  const row = state.topology.hosts.rows.reduce((most, each) => (counts[each] > counts[most] ? each : most))
  faults.inject({ kind: 'HostFailure', target: { kind: 'Host', row }, magnitude: 0.5, lasts: 40 * minute })
  run(40 * minute)
  const [incident] = [...open(world), ...incidents.state.resolved]
  // Customers notice it first; once their units have moved, the host alone is left.
  expect(incident.timeline[0].detail).toMatch(/^2 units of .+ are on hosts that cannot serve them\.$/)
  expect(incident.headline.signal).toBe('host-silent')
  expect(incident.timeline.map(({ detail }) => detail)).toContainEqual(
    expect.stringMatching(/^Host \S+ in .+ does not respond\.$/),
  )
  expect(incidents.state.openedCount).toBe(1)
})
