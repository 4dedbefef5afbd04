import { describe, expect, test } from 'vitest'
import { messageText } from '../../../src/contract/messages/catalogue.ts'
import { isInSight } from '../../../src/simulation/faults/attribution.ts'
import { defenceOf } from '../../../src/simulation/faults/attacks.ts'
import type { Symptom } from '../../../src/simulation/faults/board.ts'
import type { Case } from '../../../src/simulation/faults/case.ts'
import { observe } from '../../../src/simulation/faults/evidence.ts'
import { createKinship, kin } from '../../../src/simulation/faults/kinship.ts'
import { hazardsOf } from '../../../src/simulation/faults/hazards.ts'
import { portRole } from '../../../src/simulation/plant/tables.ts'
import type { Tenant, WorldState } from '../../../src/simulation/state.ts'
import { hour, minute, second } from '../../../src/simulation/time.ts'
import { stillWorld } from '../still-world.ts'
import { type LiveWorld, liveWorld } from './live-world.ts'

const from = 10 * hour

/** Customers with all their hosts in the first zone, those with most hosts first. */
const neighbours = ({ tenants, plant }: WorldState): Tenant[] =>
  tenants.active
    .filter(({ hosts }) => hosts.length > 0 && hosts.every((host) => plant.hosts.zone[host] === 0))
    .toSorted((a, b) => b.hosts.length - a.hosts.length || a.id - b.id)

const attack = (world: LiveWorld, { id }: Tenant, strength: number, lasts: number) =>
  world.faults.inject({
    kind: 'Attack',
    target: { kind: 'Customer', id },
    magnitude: strength * Math.max(1, defenceOf(world.state, id, 'Volumetric')),
    lasts,
    attackClass: 'Volumetric',
  })

/** A customer is flooded with six times what its defence takes, fills its links, and nobody has been sent there yet. */
function overrun(lasts: number) {
  const world = liveWorld(5n, 'medium', 0, from)
  world.run(10 * minute)
  const [victim] = neighbours(world.state)
  const flood = attack(world, victim, 6, lasts)
  world.run(2 * minute)
  return { ...world, victim, flood }
}

const open = ({ incidents }: Pick<LiveWorld, 'incidents'>): Case[] => [...incidents.book.open.values()]
const customersOf = (at: Case): readonly number[] => at.stake.customers

describe('what a customer feels is counted', () => {
  /** An uplink loses some frames; a quarter of an hour later a gateway in front of it all but stops. */
  function twoTroubles() {
    const world = liveWorld(1n, 'medium', 0, from)
    const { state, faults, run } = world
    run(10 * minute)
    const port = state.plant.ports.role.indexOf(portRole.EdgeUp)
    faults.inject({
      kind: 'TransceiverFailure',
      target: { kind: 'Port', row: port },
      magnitude: 0.3,
      lasts: null,
    })
    for (const order of world.work.floor.open) world.work.floor.callOff(order)
    run(15 * minute)
    const [slight] = open(world)
    const target = { kind: 'Gateway', row: state.plant.zones[0].gateways[0] } as const
    const throttled = faults.inject({ kind: 'AddonThrottling', target, magnitude: 0.95, lasts: null })
    const before = customersOf(slight)
    run(6 * minute)
    const grave = open(world).find(({ id }) => id === throttled.incidentId)!
    return { world, before, slight, grave, throttled }
  }

  test('at the incident that it comes from, not at an older one of the same customers', () => {
    const { before, slight, grave } = twoTroubles()
    expect(before.length).toBeGreaterThan(2)
    expect(grave.id).not.toBe(slight.id)
    expect(customersOf(grave)).toEqual(expect.arrayContaining([...before]))
    expect(customersOf(slight)).toEqual([])
    const told = slight.timeline.map(({ detail }) => detail)
    expect(
      told.filter((detail) => /^What users of .+ feel now comes from incident \d+$/.test(detail)),
    ).not.toEqual([])
  })

  test('at the older one again when the graver trouble is over', () => {
    const { world, before, slight, grave, throttled } = twoTroubles()
    expect(world.faults.diagnose(grave.id, null)).toBe(throttled)
    world.faults.repair(throttled)
    world.run(25 * minute)
    expect(grave.resolved).not.toBeNull()
    expect(open(world).map(({ id }) => id)).toEqual([slight.id])
    expect(customersOf(slight)).toEqual(expect.arrayContaining([...before]))
  })
})

test('a link that loses frames is not told to be full', () => {
  const world = liveWorld(1n, 'medium', 0, from)
  world.run(10 * minute)
  const port = world.state.plant.hosts.firstPort[2]
  world.faults.inject({
    kind: 'TransceiverFailure',
    target: { kind: 'Port', row: port },
    magnitude: 0.4,
    lasts: null,
  })
  world.run(6 * minute)
  expect(open(world).map(({ headline }) => headline.kind)).toEqual(['LinkErrors'])
  expect(open(world)[0].headline.text).toMatch(/ loses 40 % of its frames\.$/)
})

test('a host that does not answer is not told to come from the power supply of its switch', () => {
  const world = liveWorld(2n, 'small', 0, from)
  const { state, faults, run } = world
  run(10 * minute)
  const untilRepaired = { magnitude: 1, lasts: null }
  const row = state.plant.switches.role.indexOf('edge')
  const [host] = Array.from(faults.domains.hostsOf({ kind: 'Switch', row }))
  const cooling = faults.inject({
    kind: 'HostFailure',
    target: { kind: 'Host', row: host },
    ...untilRepaired,
  })
  run(3 * minute)
  const [first] = open(world)
  expect(faults.diagnose(first.id, null)).toBe(cooling)
  faults.inject({ kind: 'PowerSupplyFailure', target: { kind: 'Switch', row }, ...untilRepaired })
  run(3 * minute)
  const second = open(world)[1]
  expect(faults.diagnose(second.id, null)!).toMatchObject({ kind: 'PowerSupplyFailure' })
  // The first cause is gone, yet the host stays off for another reason.
  faults.inject({ kind: 'HostFailure', target: { kind: 'Host', row: host }, ...untilRepaired })
  faults.repair(cooling)
  run(10 * minute)
  expect(first.resolved).not.toBeNull()
  expect([...second.symptoms].map(({ signal }) => signal)).toEqual(['switch-supply'])
})

describe('attacks', () => {
  test('on two customers of one zone are two incidents', () => {
    const world = liveWorld(3n, 'medium', 0, from)
    world.run(10 * minute)
    const [first, second] = neighbours(world.state)
    attack(world, first, 1.3, hour)
    world.run(3 * minute)
    attack(world, second, 1.3, hour)
    world.run(6 * minute)
    const floods = open(world).filter(({ headline }) => headline.kind === 'TrafficFlood')
    expect(floods.map(({ headline }) => headline.customerId)).toEqual([first.id, second.id])
  })

  test('that keep the add-ons of gateways busy are one incident with what comes of that', () => {
    const world = liveWorld(3n, 'medium', 0, from)
    const { state, faults, run } = world
    run(10 * minute)
    const [victim] = neighbours(state)
    const { gateways } = state.plant.zones[0]
    for (const row of gateways) state.plant.gateways.addons[row] = 15
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

  test('that pass before anybody has looked are known for what they were', () => {
    const world = liveWorld(3n, 'medium', 0, 3 * hour)
    world.run(10 * minute)
    const [victim] = neighbours(world.state)
    const flood = attack(world, victim, 0.6, 8 * minute)
    world.run(2 * minute)
    const [at] = open(world)
    // Nobody gets round to it.
    for (const order of world.work.floor.open) world.work.floor.callOff(order)
    world.run(20 * minute)
    expect(at.resolved).not.toBeNull()
    expect(at.root).toBe(flood)
    expect(at.timeline.map(({ kind }) => kind).slice(-2)).toEqual(['CauseConfirmed', 'Resolved'])
    world.records.update()
    const [record] = world.records.resolvedIncidents
    expect(record).toMatchObject({ root_kind: 'Attack', root_entity_id: victim.id })
    expect(messageText(record.root_msg_key, record.root_msg_args)).toBe(`${victim.name} is under attack.`)
    expect(record.evidence[0]).toMatchObject({ value_plain: 'volumetric' })
  })

  test('that have filled links and passed are found out, not the links', () => {
    const world = overrun(10 * minute)
    const { faults, run, flood } = world
    for (const order of world.work.floor.open) world.work.floor.callOff(order)
    run(8 * minute + 20 * second)
    const [at] = open(world)
    expect(flood.ended).not.toBeNull()
    expect([...at.known].length).toBeGreaterThan(5)
    expect(at.causes.map(({ kind }) => kind)).toContain('LinkSaturation')
    expect(faults.diagnose(at.id, null)).toBe(flood)
    const attacked = at.causes.filter(({ confidence }) => confidence > 0)
    expect(attacked.map(({ kind, confidence }) => ({ kind, confidence }))).toEqual([
      { kind: 'Attack', confidence: 100 },
    ])
  })

  test('belong where they are seen, not where their victim suffers for another reason', () => {
    const world = liveWorld(1n, 'medium', 0, from)
    const { state, faults, run } = world
    run(10 * minute)
    const gateway = { kind: 'Gateway', row: state.plant.zones[0].gateways[0] } as const
    faults.inject({ kind: 'AddonThrottling', target: gateway, magnitude: 0.95, lasts: null })
    run(5 * minute)
    const [throttled] = open(world)
    const victim = neighbours(state).find(({ id }) => customersOf(throttled).includes(id))!
    const flood = attack(world, victim, 0.3, hour)
    run(5 * minute)
    const seen = open(world).find(({ headline }) => headline.kind === 'TrafficFlood')!
    expect(seen.id).not.toBe(throttled.id)
    expect(flood.incidentId).toBe(seen.id)
  })

  test('may be behind what others suffer from since, not what they have suffered from for long', () => {
    const { state, faults } = liveWorld(3n, 'medium', 0, from)
    const [victim, other] = neighbours(state)
    const { explained } = createKinship(state, faults.domains)
    const seen = (signal: Symptom['signal'], { id }: Tenant, since: number): Symptom => ({
      key: id,
      signal,
      subject: { kind: 'Customer', id },
      since,
      seen: from,
      reading: 1,
      turned: since,
      best: 1,
      case: null,
    })
    const flood = seen('customer-flood', victim, from)
    expect(explained(flood, seen('customer-failing', other, from + 5 * minute))).toBeGreaterThan(kin)
    expect(explained(flood, seen('customer-failing', other, from - 5 * minute))).toBeGreaterThan(kin)
    expect(explained(flood, seen('customer-failing', other, from - 50 * minute))).toBe(0)
  })

  test('that begin when another one on the same customer is over are an incident of their own', () => {
    const world = liveWorld(3n, 'medium', 0, from)
    const { state, faults, run } = world
    run(10 * minute)
    const [victim] = neighbours(state)
    const first = attack(world, victim, 1.3, 12 * minute)
    run(6 * minute)
    const [before] = open(world)
    expect(faults.diagnose(before.id, null)).toBe(first)
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
    const world = overrun(40 * minute)
    const { state, faults, victim, flood } = world
    const [at] = open(world)
    const pool = { kind: 'Pool', row: state.plant.hosts.pool[victim.hosts[0]] } as const
    const shortage = faults.inject({
      kind: 'CapacityExhaustion',
      target: pool,
      magnitude: 1,
      lasts: null,
    })
    shortage.incidentId = at.id
    const suspected = at.causes.find(({ kind }) => kind === 'Attack')!
    suspected.confidence = 30
    at.causes.push({ ...suspected, kind: 'CapacityExhaustion', target: pool, confidence: 60 })
    expect(faults.diagnose(at.id, null)).toBe(flood)
  })

  test('are sized by what stands in front of the customer, each device once', () => {
    const { state, run } = liveWorld(1n, 'small', 0, from)
    run(10 * minute)
    const tenant = neighbours(state)[0]
    const { gateways, appliances } = state.plant.zones[0]
    const protocol = 1
    const sum =
      gateways.reduce((total, row) => total + state.threats.gatewayCapacity[5 * row + protocol], 0) +
      appliances.reduce((total, row) => total + state.threats.applianceCapacity[5 * row + protocol], 0)
    expect(defenceOf(state, tenant.id, 'Protocol')).toBeCloseTo(sum, 9)
  })
})

test('add-ons that are busy with an attack are not told to be idle', () => {
  const { state } = stillWorld(1n)
  const instruments = { rush: () => 1, flapsLately: () => 0 }
  const look = (taken: number) => {
    state.network.gatewayThrottle[0] = taken
    return observe(state, 'AddonThrottling', { kind: 'Gateway', row: 0 }, hour, instruments)[0]
  }
  expect(look(0.03).value).toBe('mostly idle')
  expect(look(0.24)).toMatchObject({
    value: 'busy, 24 % of forwarding',
    detail: 'They filter hostile traffic, as they should.',
  })
  expect(look(0.24).likelihood).toBeLessThan(1)
})

test('what a wrong rule refuses is not told to be more than the appliance carries', () => {
  const { state } = stillWorld(1n)
  state.network.applianceDroppedGbps[0] = 0.14
  state.network.applianceRefusedGbps[0] = 0.14
  const instruments = { rush: () => 1, flapsLately: () => 0 }
  const [seen] = observe(state, 'FabricSaturation', { kind: 'Appliance', row: 0 }, hour, instruments)
  expect(seen).toMatchObject({ value: 'keeps up', detail: 'The fabric has room.' })
})

describe('who inspects a pool', () => {
  const { state, faults } = liveWorld(1n, 'small', 0, from)
  const pool = { kind: 'Pool', row: state.plant.hosts.pool[0] } as const
  const sees = (target: Parameters<typeof isInSight>[3]) => isInSight(state, faults.domains, pool, target)

  test('comes upon what is wrong with it, its hosts and whom it serves', () => {
    expect(sees(pool)).toBe(true)
    expect(sees({ kind: 'Host', row: 0 })).toBe(true)
    const tenant = state.tenants.active.find(({ hosts }) => hosts.includes(0))!
    expect(sees({ kind: 'Customer', id: tenant.id })).toBe(true)
  })

  test('does not see the network from there', () => {
    expect(sees({ kind: 'Cable', row: 0 })).toBe(false)
    expect(sees({ kind: 'Gateway', row: 0 })).toBe(false)
    expect(sees({ kind: 'Switch', row: 0 })).toBe(false)
    expect(sees({ kind: 'Appliance', row: 0 })).toBe(false)
  })

  test('rules it out, and goes on from there', () => {
    const world = liveWorld(1n, 'medium', 0, from)
    world.run(10 * minute)
    const target = { kind: 'Gateway', row: world.state.plant.zones[0].gateways[0] } as const
    const fault = world.faults.inject({ kind: 'AddonThrottling', target, magnitude: 0.9, lasts: null })
    world.run(3 * minute)
    const at = open(world).find(({ id }) => id === fault.incidentId)!
    const crowded = at.causes.find(({ target }) => target.kind === 'Pool')!
    expect(world.faults.diagnose(at.id, crowded.target)).toBe('elsewhere')
    expect(at.view.confirmed).toBe(false)
    expect(crowded).toMatchObject({ cleared: true, confidence: 0 })
    expect(world.faults.diagnose(at.id, null)).toBe(fault)
  })
})

describe('hosts concerned', () => {
  test('are those that lost one of their legs', () => {
    const world = liveWorld(2n, 'small', 0, from)
    const { state, faults, run } = world
    run(10 * minute)
    const port = state.plant.hosts.firstPort[4]
    const cable = state.plant.ports.cable[port]
    faults.inject({ kind: 'CableCut', target: { kind: 'Cable', row: cable }, magnitude: 1, lasts: null })
    run(3 * minute)
    expect(state.network.hostReachable[4]).toBe(1)
    const [at] = open(world)
    expect(at.stake).toMatchObject({ hosts: [4], hostTotal: 1 })
    faults.repair(faults.active[0])
    run(10 * minute)
    expect(at.resolved).not.toBeNull()
    expect(at.stake).toMatchObject({ hosts: [4], hostTotal: 1 })
  })

  test('are all behind an edge switch that is gone', () => {
    const world = liveWorld(2n, 'small', 0, from)
    const { state, faults, run } = world
    run(10 * minute)
    const row = state.plant.switches.role.indexOf('edge')
    faults.inject({ kind: 'SwitchFailure', target: { kind: 'Switch', row }, magnitude: 1, lasts: null })
    run(3 * minute)
    const behind = Array.from(faults.domains.hostsOf({ kind: 'Switch', row }))
    expect(behind.length).toBeGreaterThan(2)
    expect(open(world)[0].stake.hosts).toEqual(behind.toSorted((a, b) => a - b))
  })
})

test('a switch that was just put in holds for days, and then fails far less often than one in use', () => {
  const { state, faults } = stillWorld(1n)
  state.now = 30 * 24 * hour
  const hazard = hazardsOf(state).find(({ kind }) => kind === 'SwitchFailure')!
  const before = hazard.strain(0)
  faults.renew({ kind: 'Switch', row: 0 })
  expect(hazard.strain(0)).toBe(0)
  state.now += 5 * 24 * hour
  expect(hazard.strain(0)).toBeGreaterThan(0)
  expect(hazard.strain(0)).toBeLessThan(before / 8)
})
