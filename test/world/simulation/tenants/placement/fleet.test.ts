import { describe, expect, test } from 'vitest'
import type { Durability } from '../../../../../src/contract/vocabularies.ts'
import {
  evacuateLostUnits,
  findLostUnits,
  rebalanceHotHost,
} from '../../../../../src/world/simulation/tenants/placement/evacuation.ts'
import { createFleet } from '../../../../../src/world/simulation/tenants/placement/fleet.ts'
import { createHostLists } from '../../../../../src/world/simulation/tenants/placement/host-lists.ts'
import { createPlacer } from '../../../../../src/world/simulation/tenants/placement/placement.ts'
import { countServing } from '../../../../../src/world/simulation/tenants/placement/serving-hosts.ts'
import { createTenantsFixture } from '../tenants-fixture.ts'

/** Hosts 0 to 11 are in the first zone: 0 in one rack, 7 in another; hosts from 12 on are in the second zone. */
function createHosts() {
  const fixture = createTenantsFixture('small')
  const { world, context, state } = fixture
  for (const column of [world.network.hostConnected, world.network.hostReachable, world.facility.hostRunning])
    column.fill(1)
  const { hosts } = world.topology
  expect([hosts.zone[0], hosts.zone[7], hosts.zone[12]]).toEqual([0, 0, 1])
  expect(hosts.rack[0]).not.toBe(hosts.rack[7])
  const placer = createPlacer(context)
  const unitsOn = (host: number): number => {
    let count = 0
    for (let unit = state.units.firstOnHost[host]; unit !== -1; unit = state.units.nextOnHost[unit]) count++
    return count
  }
  return { ...fixture, placer, fleet: createFleet(context, placer), unitsOn }
}

/** The hosts of a zone in the pool of web front ends. */
const webHosts = (fixture: ReturnType<typeof createHosts>, zone: number): readonly number[] => [
  ...fixture.state.capacity.hostsOf[zone],
]

describe('units serve', () => {
  test('on hosts that users reach, or behind a front end on hosts that are connected', () => {
    const { context, world, state, addCustomer, addService } = createHosts()
    const account = addCustomer()
    const front = addService(account, {}, [0, 0, 7])
    const behind = addService(account, { role: 'behind' }, [0, 7])
    world.network.hostReachable[0] = 0
    countServing(context)
    const { services, load } = state
    expect([services.serving[front], services.stranded[front]]).toEqual([1, 2])
    expect([services.serving[behind], services.stranded[behind]]).toEqual([2, 0])
    expect([...state.servingHosts.subarray(0, 3)]).toEqual([7, 7, 0])
    expect([services.firstServing[front], services.firstServing[behind]]).toEqual([0, 1])
    expect([load.strandedUnits[0], load.strandedUnits[7], account.strandedUnits]).toEqual([2, 0, 2])
    countServing(context)
    expect([load.strandedUnits[0], account.strandedUnits]).toEqual([2, 2])
  })

  test('and requests go on to lost ones for three steps', () => {
    const { context, world, state, addCustomer, addService } = createHosts()
    const row = addService(addCustomer(), {}, [0, 0, 7, 7])
    world.tick = 100
    const failover = () => [state.services.failoverUntil[row], state.services.failoverShare[row]]
    countServing(context)
    expect(failover()).toEqual([0, 0])
    world.network.hostReachable[0] = 0
    countServing(context)
    expect(failover()).toEqual([103, 0.5])
    world.tick = 101
    countServing(context)
    expect(failover()).toEqual([103, 0.5])
    state.services.stranded[row] = 1
    countServing(context)
    expect(failover()).toEqual([104, 0.25])
  })

  test.each<[string, object, readonly number[], number]>([
    ['in one place', {}, [0, 0], 1],
    ['in one rack, against faults', { faultIsolation: true }, [0, 0], 0],
    ['in two racks', { faultIsolation: true }, [0, 7], 1],
    ['as the only one', { faultIsolation: true, multiZone: true }, [0], 1],
    ['in one zone instead of two', { multiZone: true }, [0, 7], 0],
    ['in two zones', { multiZone: true }, [0, 12], 1],
    ['in two zones and their racks', { multiZone: true, faultIsolation: true }, [0, 12], 1],
  ])('%s: as promised, or not', (_, contract, hosts, kept) => {
    const { context, state, addCustomer, addService } = createHosts()
    const account = addCustomer({}, contract)
    const row = addService(account, {}, hosts)
    countServing(context)
    expect([state.services.spreadKept[row], account.redundancyBroken]).toEqual([kept, kept === 0])
    account.live = false
    countServing(context)
    expect(account.redundancyBroken).toBe(false)
  })

  test.each<[Durability, readonly number[], number, boolean]>([
    ['Ephemeral', [], 0, false],
    ['Single', [], 0, true],
    ['Single', [0, 7], 1, false],
    ['Replicated2', [0, 0], 1, true],
    ['Replicated2', [0, 7], 2, false],
    ['Replicated3', [0, 7], 2, true],
    ['Replicated3', [0, 7, 12], 3, false],
    ['ErasureCoded', [0, 7, 12, 13], 3, false],
    ['ErasureCoded', [0, 7], 2, true],
  ])('with data %s on hosts %j: %i replicas, too few: %s', (durability, hosts, replicas, broken) => {
    const { context, state, addCustomer, addService } = createHosts()
    const account = addCustomer()
    const row = addService(account, { durability }, hosts)
    countServing(context)
    expect([state.services.replicasHeld[row], account.redundancyBroken]).toEqual([replicas, broken])
  })
})

describe('units of a lost host', () => {
  /** A service with a unit on a newly lost host, and the step of the unit's relocation. */
  const lost = (durability: Durability, maintenance = 0) => {
    const fixture = createHosts()
    const { context, world, state, placer, addCustomer, addService } = fixture
    const [host] = webHosts(fixture, 0)
    addService(addCustomer(), { durability }, [host])
    expect(findLostUnits(context)).toBe(true)
    expect([findLostUnits(context), state.placement.lostUnits]).toEqual([false, []])
    world.tick = 1_000
    world.network.hostReachable[host] = 0
    state.capacity.open[host] = 0
    state.capacity.roomVersion = 1
    world.condition.hostMaintenance[host] = maintenance
    expect([findLostUnits(context), state.placement.lostUnits, state.units.downSince[0]]).toEqual([
      true,
      [0],
      1_000,
    ])
    const evacuatedAt = (): number => {
      for (; world.tick < 1_300; world.tick++) {
        evacuateLostUnits(context, placer)
        if (state.units.host[0] !== host) return world.tick - 1_000
      }
      return -1
    }
    return { ...fixture, host, evacuatedAt }
  }

  test.each<[Durability, number, number]>([
    ['Ephemeral', 0, 9],
    ['Replicated2', 0, 18],
    ['Replicated3', 0, 18],
    ['ErasureCoded', 0, 24],
    ['Single', 0, 120],
    ['Single', 1, 0],
  ])('with data %s, in maintenance %i, stand elsewhere after %i steps', (durability, maintenance, steps) => {
    const { state, evacuatedAt } = lost(durability, maintenance)
    expect(evacuatedAt()).toBe(steps)
    expect([state.placement.lostUnits, state.units.downSince[0]]).toEqual([[], -1])
  })

  test('stay if the host returns', () => {
    const { context, world, state, host, evacuatedAt } = lost('Ephemeral')
    world.network.hostReachable[host] = 1
    expect([findLostUnits(context), state.units.downSince[0]]).toEqual([true, -1])
    expect([evacuatedAt(), state.placement.lostUnits]).toEqual([-1, []])
  })

  test('wait until there is room, and are not tried again before', () => {
    const { context, world, state, placer, host } = lost('Ephemeral')
    const { capacity, units, services } = state
    capacity.open.fill(0)
    world.tick = 1_009
    evacuateLostUnits(context, placer)
    expect([units.host[0], state.placement.lostUnits, services.attemptedAtRoomVersion[0]]).toEqual([
      host,
      [0],
      1,
    ])
    capacity.open.fill(1)
    capacity.open[host] = 0
    evacuateLostUnits(context, placer)
    expect(units.host[0]).toBe(host)
    capacity.roomVersion++
    evacuateLostUnits(context, placer)
    expect(units.host[0]).not.toBe(host)
  })

  test('move 120 a step', () => {
    const fixture = createHosts()
    const { context, world, state, placer, addCustomer, addService, unitsOn } = fixture
    const [host] = webHosts(fixture, 0)
    addService(
      addCustomer(),
      { vcpuMilli: 1 },
      Array.from({ length: 130 }, () => host),
    )
    findLostUnits(context)
    world.network.hostReachable[host] = 0
    state.capacity.open[host] = 0
    state.capacity.roomVersion = 1
    findLostUnits(context)
    world.tick = 9
    evacuateLostUnits(context, placer)
    expect([unitsOn(host), state.placement.lostUnits.length]).toEqual([10, 10])
  })
})

describe('a hot host', () => {
  const moved = (
    contention: number,
    cool: number,
    durability: Durability = 'Ephemeral',
    dedicatedHosts = false,
    open = 1,
  ): boolean => {
    const fixture = createHosts()
    const { context, world, state, placer, addCustomer, addService } = fixture
    const [host] = webHosts(fixture, 0)
    addService(addCustomer({ dedicatedHosts }), { durability }, [host, host])
    world.load.contention.fill(cool)
    world.load.contention[host] = contention
    world.load.contentionMax = 1
    state.capacity.open[host] = open
    rebalanceHotHost(context, placer)
    expect(state.placement.rebalanceFrom).toBe(
      state.units.host[1] === host ? state.capacity.open.length : host + 1,
    )
    expect(state.units.host[0]).toBe(host)
    return state.units.host[1] !== host
  }

  test.each<[string, Parameters<typeof moved>, boolean]>([
    ['loses a unit from a contention of 0.97 on', [0.97, 0.72], true],
    ['keeps its units below', [0.969, 0], false],
    ['keeps them if no host is below 0.72', [2, 0.721], false],
    ['keeps units with data', [2, 0, 'Single'], false],
    ['keeps those of dedicated hosts', [2, 0, 'Ephemeral', true], false],
    ['keeps them if it is not open', [2, 0, 'Ephemeral', false, 0], false],
  ])('%s', (_, args, expected) => {
    expect(moved(...args)).toBe(expected)
  })
})

describe('missing units', () => {
  test('are placed, which is no news without a lack', () => {
    const { fleet, state, takeEvents, addCustomer, addService } = createHosts()
    const account = addCustomer()
    const row = addService(account, { requested: 3 })
    expect(fleet.fill(account, row)).toBe(true)
    expect([state.services.placed[row], account.placedUnits, state.units.count]).toEqual([3, 3, 3])
    expect([fleet.fill(account, row), takeEvents()]).toEqual([true, []])
    state.services.requested[row] = 1
    fleet.trim(row)
    expect([state.services.placed[row], account.placedUnits, state.units.count]).toEqual([1, 1, 1])
    state.services.requested[row] = -1
    fleet.trim(row)
    expect(state.services.placed[row]).toBe(0)
    account.live = false
    state.services.requested[row] = 1
    fleet.fill(account, row)
    expect(takeEvents()).toEqual([])
  })

  test('are explained and announced once, and tried again when there is room', () => {
    const { fleet, state, world, takeEvents, addCustomer, addService } = createHosts()
    const { services, capacity } = state
    const account = addCustomer()
    const row = addService(account, { requested: 2, vcpuMilli: 1e6 })
    capacity.roomVersion = 5
    const text = 'Amber Mill Shoes: there is no host for 2 of its web units (pool General x86).'
    expect([fleet.fill(account, row), takeEvents()]).toEqual([false, [text]])
    expect(services.unplacedReason[row]).toMatchObject({ code: 'no_vcpu', needed: 1_000 })
    expect(services.attemptedAtRoomVersion[row]).toBe(5)
    expect([fleet.fill(account, row), takeEvents()]).toEqual([false, []])
    services.vcpuMilli[row] = 1_000
    fleet.step()
    expect(services.placed[row]).toBe(0)
    for (const isOut of [1, 0]) {
      world.condition.hostMaintenance[0] = isOut
      world.condition.version++
      fleet.step()
    }
    expect([
      services.placed[row],
      services.unplacedReason[row],
      services.attemptedAtRoomVersion[row],
    ]).toEqual([2, null, 0])
    expect(takeEvents()).toEqual(['Amber Mill Shoes: every web unit is placed, 2 in all.'])
  })

  test('in silence for those that begin', () => {
    const { fleet, takeEvents, addCustomer, addService } = createHosts()
    const account = addCustomer()
    const row = addService(account, { requested: 2, vcpuMilli: 1e6 })
    expect([fleet.fill(account, row, { silent: true }), takeEvents()]).toEqual([false, []])
  })

  test('of twelve services are tried in a step, in turns', () => {
    const { fleet, state, addCustomer, addService } = createHosts()
    const account = addCustomer()
    const rows = Array.from({ length: 15 }, () => addService(account, { requested: 1 }))
    state.capacity.roomVersion = 1
    const placed = () => rows.filter((row) => state.services.placed[row] === 1).length
    fleet.step()
    expect([placed(), state.placement.retryFrom]).toEqual([12, 12])
    fleet.step()
    expect([placed(), state.version]).toEqual([15, 3])
    expect(fleet.takeServingChanged()).toBe(true)
    expect(fleet.takeServingChanged()).toBe(false)
    fleet.step()
    expect([fleet.takeServingChanged(), state.version]).toEqual([false, 3])
  })
})

test('a unit takes what it needs of its host and pool, and gives it back', () => {
  const { state, placer, addCustomer, addService } = createHosts()
  const { load, capacity, services, units } = state
  const account = addCustomer({ dedicatedHosts: true }, { uncontended: true })
  const row = addService(account, { requested: 2, memMb: 512, ssdGb: 10, iops: 100, slices: 3 })
  const taken = (host: number) => {
    const usage = capacity.pools[capacity.pool[host]]
    return [
      [
        load.allocatedMilli[host],
        load.allocatedMemMb[host],
        load.allocatedSsdGb[host],
        capacity.allocatedIops[host],
        load.allocatedSlices[host],
        load.unitCount[host],
      ],
      [usage.milli, usage.memMb, usage.ssdGb, usage.iops, usage.slices, usage.units],
      [usage.dedicatedHosts, capacity.owner[host], capacity.uncontendedUnits[host]],
    ]
  }
  const one = [1_000, 512, 10, 100, 3, 1]
  const none = [
    [0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0],
    [0, 0, 0],
  ]
  placer.place(account, row, 0)
  expect(taken(0)).toEqual([one, one, [1, 1, 1]])
  expect([services.placed[row], account.placedUnits, capacity.roomVersion]).toEqual([1, 1, 1])
  account.hostsOutdated = state.unitsChanged = false
  placer.move(0, 12)
  expect([account.hostsOutdated, state.unitsChanged, units.host[0], capacity.roomVersion]).toEqual([
    true,
    true,
    12,
    2,
  ])
  expect(taken(12)[0]).toEqual(one)
  expect(taken(0)[0]).toEqual(none[0])
  placer.remove(0)
  expect([taken(0), taken(12)]).toEqual([none, none])
  expect([services.placed[row], account.placedUnits, units.count]).toEqual([0, 0, 0])
})

test('the hosts of a customer and the customers of a host are listed in order', () => {
  const { state, addCustomer, addService } = createHosts()
  const [first, second] = [addCustomer(), addCustomer()]
  addService(second, {}, [7, 0, 7])
  addService(first, {}, [7])
  addService(second, {}, [7])
  const lists = createHostLists(state)
  lists.update()
  expect([[...second.hosts], [...second.hostUnits], second.hostsOutdated]).toEqual([[0, 7], [1, 3], false])
  expect([lists.onHost(7), lists.onHost(0), lists.onHost(1)]).toEqual([[1, 2], [2], []])
  addService(first, {}, [1])
  lists.update()
  // Updates only customers with moved units, and host lists with the next version.
  expect([[...first.hosts], lists.onHost(1)]).toEqual([[7], []])
  state.version++
  first.hostsOutdated = true
  lists.update()
  expect([[...first.hosts], lists.onHost(1)]).toEqual([[1, 7], [1]])
})
