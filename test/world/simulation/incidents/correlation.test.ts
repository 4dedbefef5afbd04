import { describe, expect, test } from 'vitest'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { defenseCapacity } from '../../../../src/world/simulation/faults/hazards/attackers.ts'
import type { Incident } from '../../../../src/world/simulation/incidents/model.ts'
import { writable } from '../../../../src/world/simulation/incidents/model.ts'
import { portRole } from '../../../../src/world/simulation/topology/tables.ts'
import type { WorldView } from '../../../../src/world/simulation/state.ts'
import type { Tenant } from '../../../../src/world/simulation/tenants/tenant.ts'
import { observe } from '../../../../src/world/simulation/incidents/diagnosis/confidence.ts'
import { causeCatalog } from '../../../../src/world/simulation/faults/kinds.ts'
import { hour, minute, second } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld, supplyPower } from '../quiet-world.ts'
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
const customersOf = (at: Incident): readonly number[] => at.impact.customers

describe('what a customer feels is counted', () => {
  /** An uplink loses some frames; a quarter of an hour later the gateway above it nearly stops forwarding. */
  function twoFaults() {
    const world = createRunningWorld(1n, 'medium', 0, from)
    const { state, faults, run } = world
    run(10 * minute)
    const port = state.topology.ports.role.indexOf(portRole.EdgeUp)
    faults.inject({
      kind: 'TransceiverFailure',
      target: { kind: 'Port', row: port },
      magnitude: 0.3,
      lasts: null,
    })
    for (const order of world.work.dispatcher.open) world.work.dispatcher.cancel(order)
    run(15 * minute)
    const [slight] = open(world)
    const target = { kind: 'Gateway', row: state.topology.zones[0].gateways[0] } as const
    const throttled = faults.inject({ kind: 'AddonThrottling', target, magnitude: 0.95, lasts: null })
    const before = customersOf(slight)
    run(6 * minute)
    const grave = open(world).find(({ id }) => id === throttled.incidentId)!
    return { world, before, slight, grave, throttled }
  }

  test('at the incident that it comes from, and at an older one whose fault they feel too', () => {
    const { before, slight, grave } = twoFaults()
    expect(before.length).toBeGreaterThan(2)
    expect(grave.id).not.toBe(slight.id)
    expect(customersOf(grave)).toEqual(expect.arrayContaining([...before]))
    expect(customersOf(slight)).toEqual(expect.arrayContaining([...before]))
    expect([...slight.symptoms].filter(({ subject }) => subject.kind === 'Customer')).toEqual([])
    // A moved symptom records the incident it left, so that it does not return while this one explains it.
    const moved = [...grave.symptoms].filter(({ leftIncidents }) => leftIncidents.includes(slight.id))
    expect(moved.length).toBeGreaterThan(2)
    // On recurrence it joins this incident, not the older one.
    expect(moved.filter(({ key }) => slight.symptomKeys.has(key))).toEqual([])
    const details = slight.timeline.map(({ detail }) => detail)
    expect(
      details.filter((detail) => /^The impact on .+ is now attributed to incident \d+\.$/.test(detail)),
    ).not.toEqual([])
  })

  test('at the older one again when the graver fault is over', () => {
    const { world, before, slight, grave, throttled } = twoFaults()
    expect(world.incidents.diagnose(grave.id, null)).toBe(throttled)
    world.faults.repair(throttled)
    world.run(25 * minute)
    expect(grave.resolved).not.toBeNull()
    expect(open(world).map(({ id }) => id)).toEqual([slight.id])
    expect(customersOf(slight)).toEqual(expect.arrayContaining([...before]))
  })
})

test('a link that loses frames is not reported as full', () => {
  const world = createRunningWorld(1n, 'medium', 0, from)
  world.run(10 * minute)
  const port = world.state.topology.hosts.firstPort[2]
  world.faults.inject({
    kind: 'CableFault',
    target: { kind: 'Cable', row: world.state.topology.ports.cable[port] },
    magnitude: 0.4,
    lasts: null,
  })
  world.run(6 * minute)
  expect(open(world).map(({ headline }) => headline.kind)).toEqual(['LinkErrors'])
  expect(open(world)[0].headline.text).toMatch(/ loses 40 % of its frames\.$/)
})

test('a silent host is not explained by the power supply of its switch', () => {
  const world = createRunningWorld(2n, 'small', 0, from)
  const { state, faults, incidents, blastRadius, run } = world
  run(10 * minute)
  const untilRepaired = { magnitude: 1, lasts: null }
  const row = state.topology.switches.role.indexOf('edge')
  const [host] = Array.from(blastRadius.hostsOf({ kind: 'Switch', row }))
  const cooling = faults.inject({
    kind: 'HostFailure',
    target: { kind: 'Host', row: host },
    ...untilRepaired,
  })
  run(3 * minute)
  const [first] = open(world)
  expect(incidents.diagnose(first.id, null)).toBe(cooling)
  faults.inject({ kind: 'PowerSupplyFailure', target: { kind: 'Switch', row }, ...untilRepaired })
  run(3 * minute)
  const second = open(world)[1]
  expect(incidents.diagnose(second.id, null)!).toMatchObject({ kind: 'PowerSupplyFailure' })
  // The first cause has ended, but the host stays off for another reason.
  faults.inject({
    kind: 'PowerSupplyFailure',
    target: { kind: 'Host', row: host },
    magnitude: 3,
    lasts: null,
  })
  faults.repair(cooling)
  run(10 * minute)
  expect(first.resolved).not.toBeNull()
  expect([...second.symptoms].map(({ signal }) => signal)).toEqual(['switch-supply'])
})

describe('attacks', () => {
  test('on two customers of one zone are two incidents', () => {
    const world = createRunningWorld(3n, 'medium', 0, from)
    world.run(10 * minute)
    const [first, second] = neighbors(world.state)
    attack(world, first, 1.3, hour)
    world.run(3 * minute)
    attack(world, second, 1.3, hour)
    world.run(6 * minute)
    const floods = open(world).filter(({ headline }) => headline.kind === 'TrafficFlood')
    expect(floods.map(({ headline }) => headline.customerId)).toEqual([first.id, second.id])
  })

  test('that keep the add-ons of gateways busy are one incident with what comes of that', () => {
    const world = createRunningWorld(3n, 'medium', 0, from)
    const { state, faults, run } = world
    run(10 * minute)
    const [victim] = neighbors(state)
    const { gateways } = state.topology.zones[0]
    for (const row of gateways) state.topology.gateways.addons[row] = 15
    const scan = { kind: 'Attack', attackClass: 'Scan', magnitude: 0 } as const
    state.threats.gatewayCapacity.fill(100)
    const target = { kind: 'Customer', id: victim.id } as const
    faults.inject({ ...scan, target, magnitude: 100 * gateways.length, lasts: hour })
    run(8 * minute)
    expect(open(world)).toHaveLength(1)
    expect(open(world)[0].headline.kind).toBe('SuspiciousLogins')
    const signals = [...open(world)[0].symptoms].map(({ signal }) => signal)
    expect(signals.filter((signal) => signal === 'gateway-throttled')).toHaveLength(gateways.length)
  })

  test('that end before a diagnosis are confirmed by their evidence', () => {
    const world = createRunningWorld(3n, 'medium', 0, 3 * hour)
    world.run(10 * minute)
    const [victim] = neighbors(world.state)
    const flood = attack(world, victim, 0.6, 8 * minute)
    world.run(2 * minute)
    const [at] = open(world)
    for (const order of world.work.dispatcher.open) world.work.dispatcher.cancel(order)
    world.run(20 * minute)
    expect(at.resolved).not.toBeNull()
    expect(at.root).toBe(flood)
    expect(at.timeline.map(({ kind }) => kind).slice(-2)).toEqual(['CauseConfirmed', 'Resolved'])
    expect(at.timeline.at(-2)!.detail).toMatch(/^The cause was an attack on .+, until 03:18\.$/)
    world.records.update()
    const [record] = world.records.resolvedIncidents
    expect(record).toMatchObject({ root_kind: 'Attack', root_entity_id: victim.id })
    expect(messageText(record.root_msg_key, record.root_msg_args)).toBe(`${victim.name} is under attack.`)
    expect(record.evidence[0]).toMatchObject({ value_plain: 'traffic flood' })
  })

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

  test('belong where they are seen, not where their victim suffers for another reason', () => {
    const world = createRunningWorld(1n, 'medium', 0, from)
    const { state, faults, run } = world
    run(10 * minute)
    const gateway = { kind: 'Gateway', row: state.topology.zones[0].gateways[0] } as const
    faults.inject({ kind: 'AddonThrottling', target: gateway, magnitude: 0.95, lasts: null })
    run(5 * minute)
    const [throttled] = open(world)
    const victim = neighbors(state).find(({ id }) => customersOf(throttled).includes(id))!
    const flood = attack(world, victim, 0.3, hour)
    run(5 * minute)
    const seen = open(world).find(({ headline }) => headline.kind === 'TrafficFlood')!
    expect(seen.id).not.toBe(throttled.id)
    expect(flood.incidentId).toBe(seen.id)
  })

  test('that begin when another one on the same customer is over are an incident of their own', () => {
    const world = createRunningWorld(3n, 'medium', 0, from)
    const { state, incidents, run } = world
    run(10 * minute)
    const [victim] = neighbors(state)
    const first = attack(world, victim, 1.3, 12 * minute)
    run(6 * minute)
    const [before] = open(world)
    expect(incidents.diagnose(before.id, null)).toBe(first)
    run(9 * minute)
    const second = attack(world, victim, 1.3, hour)
    run(3 * minute)
    const flooded = open(world).filter(({ symptoms }) =>
      symptoms.values().some(({ signal }) => signal === 'customer-flood'),
    )
    expect(flooded.map(({ id }) => id)).toEqual([second.incidentId])
    expect(second.incidentId).not.toBe(before.id)
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

  test('are sized by what stands in front of the customer, each device once', () => {
    const { state, run } = createRunningWorld(1n, 'small', 0, from)
    run(10 * minute)
    const tenant = neighbors(state)[0]
    const { gateways, appliances } = state.topology.zones[0]
    const protocol = 1
    const sum =
      gateways.reduce((total, row) => total + state.threats.gatewayCapacity[5 * row + protocol], 0) +
      appliances.reduce((total, row) => total + state.threats.applianceCapacity[5 * row + protocol], 0)
    expect(defenseCapacity(state, tenant.id, 'Protocol')).toBeCloseTo(sum, 9)
  })
})

test('add-ons that are busy with an attack do not count as idle', () => {
  const { state } = createQuietWorld(1n)
  supplyPower(state)
  const context = {
    world: state,
    catalog: causeCatalog,
    telemetry: { demandRatio: () => 1, recentFlaps: () => 0 },
  }
  const look = (taken: number) => {
    state.network.gatewayThrottle[0] = taken
    return observe(context, 'AddonThrottling', { kind: 'Gateway', row: 0 }, hour)[0]
  }
  expect(look(0.03).value).toBe('mostly idle')
  expect(look(0.24)).toMatchObject({
    value: 'busy, 24 % of forwarding',
    detail: 'They filter hostile traffic, as they should.',
  })
  expect(look(0.24).likelihood).toBeLessThan(1)
})

test('what a wrong rule refuses does not count as more than the appliance carries', () => {
  const { state } = createQuietWorld(1n)
  supplyPower(state)
  state.network.applianceDroppedGbps[0] = 0.14
  state.network.applianceRefusedGbps[0] = 0.14
  const context = {
    world: state,
    catalog: causeCatalog,
    telemetry: { demandRatio: () => 1, recentFlaps: () => 0 },
  }
  const [seen] = observe(context, 'FabricSaturation', { kind: 'Appliance', row: 0 }, hour)
  expect(seen).toMatchObject({ value: 'keeps up', detail: 'The fabric has headroom.' })
})

test('an inspection of a pool rules it out, and continues from there', () => {
  const world = createRunningWorld(1n, 'medium', 0, from)
  world.run(10 * minute)
  const target = { kind: 'Gateway', row: world.state.topology.zones[0].gateways[0] } as const
  const fault = world.faults.inject({ kind: 'AddonThrottling', target, magnitude: 0.9, lasts: null })
  world.run(3 * minute)
  const at = open(world).find(({ id }) => id === fault.incidentId)!
  const crowded = at.causes.find(({ target }) => target.kind === 'Pool')!
  expect(world.incidents.diagnose(at.id, crowded.target)).toBe('elsewhere')
  expect(at.confirmed).toBe(false)
  expect(crowded).toMatchObject({ cleared: true, confidence: 0 })
  expect(world.incidents.diagnose(at.id, null)).toBe(fault)
})

test('a second feed of a zone, and who loses units by it, belong to the incident of the first', () => {
  const world = createRunningWorld(2n, 'small', 0, from)
  const { state, faults, run } = world
  run(10 * minute)
  for (const row of state.topology.zones[0].feeds) {
    faults.inject({
      kind: 'PowerFeedLoss',
      target: { kind: 'PowerFeed', row },
      magnitude: 1,
      lasts: 5 * hour,
    })
    run(12 * minute)
  }
  expect(state.tenants.active.some(({ strandedUnits }) => strandedUnits > 0)).toBe(true)
  expect(open(world).map(({ headline }) => headline.signal)).toEqual(['host-silent'])
  expect(open(world)[0].impact.customers.length).toBeGreaterThan(1)
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
