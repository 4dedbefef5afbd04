import { describe, expect, test } from 'vitest'
import type { Tier } from '../../../../../src/contract/vocabularies.ts'
import { admit, isAccepted } from '../../../../../src/world/simulation/tenants/placement/admission.ts'
import { updateOpenHosts } from '../../../../../src/world/simulation/tenants/placement/capacity.ts'
import { homeZoneIn } from '../../../../../src/world/simulation/tenants/placement/home-zone.ts'
import {
  contractTraffic,
  hasNetworkRoom,
  updateZonePeaks,
} from '../../../../../src/world/simulation/tenants/placement/network-room.ts'
import type { PlacementRequest } from '../../../../../src/world/simulation/tenants/placement/placement-rules.ts'
import {
  createPlacementRules,
  placementRule,
} from '../../../../../src/world/simulation/tenants/placement/placement-rules.ts'
import { perHostMax, spreadLimits } from '../../../../../src/world/simulation/tenants/placement/placement.ts'
import { classIndex } from '../../../../../src/world/simulation/tenants/demand/service-classes.ts'
import type { DeviceTable } from '../../../../../src/world/simulation/topology/tables.ts'
import { portRole } from '../../../../../src/world/simulation/topology/tables.ts'
import { createTenantsFixture, plainContract, webTerms } from '../tenants-fixture.ts'

test.each<[number, number, Tier, string]>([
  [70, 74, 'Bronze', 'Accept'],
  [70.1, 74, 'Silver', 'AddCapacity'],
  [70, 74.1, 'Silver', 'AddCapacity'],
  [70.1, 74, 'Gold', 'AcceptWithCare'],
  [76, 80, 'Platinum', 'AcceptWithCare'],
  [76.1, 80, 'Platinum', 'AddCapacity'],
  [76, 80.1, 'Gold', 'AddCapacity'],
  [70, 74, 'Gold', 'Accept'],
])(
  'with %f %% of CPU and %f %% of memory allocated, a %s contract is answered %s',
  (vcpu, mem, tier, answer) => {
    expect(admit({ ...plainContract, tier }, { vcpu, mem })).toBe(answer)
  },
)

test('accepted is what is accepted, with care or without', () => {
  expect((['Accept', 'AcceptWithCare', 'AddCapacity', 'Decline'] as const).map(isAccepted)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test.each([
  ['Ephemeral', 6, 6],
  ['Single', 6, 6],
  ['Single', 0, 1],
  ['Replicated2', 6, 3],
  ['Replicated2', 5, 2],
  ['Replicated3', 6, 2],
  ['ErasureCoded', 3, 1],
  ['Replicated3', 2, 1],
] as const)('of a service with data %s and %i units a host holds %i at most', (durability, units, most) => {
  expect(perHostMax(durability, units)).toBe(most)
})

test.each([
  [false, false, 7, 4, { perRackMax: 7, perZoneMax: 7 }],
  [true, false, 7, 4, { perRackMax: 7, perZoneMax: 4 }],
  [true, false, 1, 4, { perRackMax: 1, perZoneMax: 1 }],
  [false, true, 7, 4, { perRackMax: 3, perZoneMax: 7 }],
  [false, true, 7, 2, { perRackMax: 4, perZoneMax: 7 }],
  [false, true, 7, 0, { perRackMax: 7, perZoneMax: 7 }],
])(
  'two zones: %s, isolation: %s, %i units in a region of %i racks',
  (multiZone, faultIsolation, units, racks, limits) => {
    const { state } = createTenantsFixture()
    state.capacity.racksOfRegion[0] = racks
    expect(spreadLimits(state.capacity, 0, { multiZone, faultIsolation }, units)).toEqual(limits)
  },
)

/** Host 1 has 64 virtual CPUs with an overcommit limit of 2, 256 GB, 4 TB, 250,000 operations; it is not dedicated. */
const request: PlacementRequest = {
  customerId: 7,
  segmentId: 1,
  privateSegment: false,
  classIndex: classIndex.web,
  milli: 8_000,
  memMb: 16_384,
  ssdGb: 100,
  iops: 1_000,
  slices: 0,
  units: 4,
  arch: null,
  region: 0,
  dedicated: false,
  uncontended: false,
  perHostMax: 4,
  perRackMax: 4,
  perZoneMax: 4,
}
const createRules = () => {
  const fixture = createTenantsFixture()
  const spread = { onHost: new Int32Array(2), inRack: new Int32Array(9), inZone: new Int32Array(9) }
  return {
    ...fixture,
    spread,
    capacity: fixture.state.capacity,
    load: fixture.state.load,
    rules: createPlacementRules(fixture.context, spread),
  }
}
type Rules = ReturnType<typeof createRules>

describe('a host breaks', () => {
  const { cpu, memory, disk, iops, slices, online, region, arch, dedicated, uncontended, racks, zones } =
    placementRule
  test.each<[string, Partial<PlacementRequest>, (rules: Rules) => void, number]>([
    ['no rule', {}, () => {}, 0],
    [
      'no rule at the last of everything',
      {},
      ({ capacity, load }) => {
        load.allocatedMilli[1] = 120_000
        load.allocatedMemMb[1] = 245_760
        load.allocatedSsdGb[1] = 3_900
        capacity.allocatedIops[1] = 249_000
      },
      0,
    ],
    ['CPU', {}, ({ load }) => void (load.allocatedMilli[1] = 120_001), cpu],
    ['memory', {}, ({ load }) => void (load.allocatedMemMb[1] = 245_761), memory],
    ['disk', {}, ({ load }) => void (load.allocatedSsdGb[1] = 3_901), disk],
    ['disk operations', {}, ({ capacity }) => void (capacity.allocatedIops[1] = 249_001), iops],
    ['slices', { slices: 1 }, () => {}, slices],
    ['being open', {}, ({ capacity }) => void (capacity.open[1] = 0), online],
    ['the region', { region: 1 }, () => {}, region],
    ['no region', { region: null }, () => {}, 0],
    ['the architecture', { arch: 'arm64' }, () => {}, arch],
    ['not its own architecture', { arch: 'x86_64' }, () => {}, 0],
    ['being dedicated', { dedicated: true }, () => {}, dedicated],
    ['not being dedicated', {}, ({ capacity }) => void (capacity.owner[1] = 3), dedicated],
    [
      'no overcommit',
      { uncontended: true },
      ({ load }) => void (load.allocatedMilli[1] = 56_001),
      uncontended,
    ],
    ['not at physical CPU', { uncontended: true }, ({ load }) => void (load.allocatedMilli[1] = 56_000), 0],
    [
      'no overcommit, for another unit',
      {},
      ({ load, capacity }) => {
        load.allocatedMilli[1] = 56_001
        capacity.uncontendedUnits[1] = 1
      },
      uncontended,
    ],
    ['units of a service on a host', {}, ({ spread }) => void (spread.onHost[1] = 4), racks],
    ['not before', {}, ({ spread }) => void (spread.onHost[1] = 3), 0],
    ['units in a rack', {}, ({ spread, capacity }) => void (spread.inRack[capacity.rack[1]] = 4), racks],
    ['units of a service in a zone', {}, ({ spread }) => void (spread.inZone[0] = 4), zones],
    [
      'two rules',
      {},
      ({ spread, capacity }) => {
        spread.inZone[0] = 4
        capacity.open[1] = 0
      },
      zones | online,
    ],
  ])('%s', (_, changes, change, mask) => {
    const rules = createRules()
    change(rules)
    expect(rules.rules.brokenRules({ ...request, ...changes }, 1)).toBe(mask)
  })

  test.each([
    [false, 0, 6, 0],
    [true, 0, 5, 0],
    [true, 0, 6, placementRule.segment],
    [true, 6, 6, 0],
  ])(
    'segments, private: %s, of customer %i where %i others have theirs',
    (privateSegment, customer, others, mask) => {
      const { rules, addCustomer, addService } = createRules()
      for (let i = 0; i < others; i++)
        addService(addCustomer({ privateSegment: true, segmentId: 10 + i }), {}, [1, 1])
      addService(addCustomer({ segmentId: 99 }), {}, [1])
      expect(rules.brokenRules({ ...request, privateSegment, segmentId: 9 + customer }, 1)).toBe(mask)
    },
  )

  test.each([
    [7, 3, 0],
    [0, 0, 0],
    [0, 1, placementRule.dedicated],
    [8, 0, placementRule.dedicated],
  ])('being free for a customer, dedicated to %i with %i units', (owner, units, mask) => {
    const rules = createRules()
    Object.assign(rules.world.topology.pools[rules.capacity.pool[1]], { dedicated: true })
    rules.capacity.owner[1] = owner
    rules.load.unitCount[1] = units
    expect(rules.rules.brokenRules({ ...request, dedicated: true }, 1)).toBe(mask)
    expect(rules.rules.brokenRules(request, 1)).toBe(placementRule.dedicated)
  })
})

/** Utilization is allocated CPU of 128 or memory of 256 GB, including the unit. */
test.each<[string, Partial<PlacementRequest>, (rules: Rules) => void, number]>([
  ['an empty host', {}, () => {}, 0.0625],
  ['the higher utilization', {}, ({ load }) => void (load.allocatedMemMb[1] = 114_688), 0.5],
  ['up to the target of overcommit', {}, ({ load }) => void (load.allocatedMilli[1] = 94_400), 0.8],
  ['above it', {}, ({ load }) => void (load.allocatedMilli[1] = 96_000), 1.3125],
  ['units of the service on the host', {}, ({ spread }) => void (spread.onHost[1] = 2), 0.7625],
  [
    'units of the service in the rack',
    {},
    ({ spread, capacity }) => void (spread.inRack[capacity.rack[1]] = 5),
    0.3625,
  ],
  ['contention', {}, ({ load }) => void (load.contention[1] = 1), 0.2625],
  ['little contention', {}, ({ load }) => void (load.contention[1] = 0.8), 0.0625],
  ['a host of its own', { dedicated: true }, ({ capacity }) => void (capacity.owner[1] = 7), -0.5375],
  ['a host of its own that it does not ask for', {}, ({ capacity }) => void (capacity.owner[1] = 7), 0.0625],
  ["another's host", { dedicated: true }, () => {}, 0.0625],
])('the cost of %s', (_, changes, change, cost) => {
  const rules = createRules()
  change(rules)
  expect(rules.rules.cost({ ...request, ...changes }, 1)).toBeCloseTo(cost, 9)
})

test.each([
  [1, 1, 1, 0, 1],
  [0, 1, 1, 0, 0],
  [1, 0, 1, 0, 0],
  [1, 1, 0, 0, 0],
  [1, 1, 1, 2, 0],
])(
  'a host that is running %i, connected %i, reachable %i, in maintenance %i is open: %i',
  (running, connected, reachable, maintenance, open) => {
    const { world, state } = createTenantsFixture()
    world.facility.hostRunning.fill(1)
    world.network.hostConnected.fill(1)
    world.network.hostReachable.fill(1)
    updateOpenHosts(state.capacity, world)
    const { roomVersion } = state.capacity
    world.facility.hostRunning[1] = running
    world.network.hostConnected[1] = connected
    world.network.hostReachable[1] = reachable
    world.condition.hostMaintenance[1] = maintenance
    updateOpenHosts(state.capacity, world)
    expect([...state.capacity.open.subarray(0, 2)]).toEqual([1, open])
    expect(state.capacity.roomVersion).toBe(roomVersion)
    state.capacity.open[0] = 0
    updateOpenHosts(state.capacity, world)
    expect(state.capacity.roomVersion).toBe(roomVersion + 1)
  },
)

describe('the home zone of a new customer', () => {
  test.each([
    [[0, 0], null, 0],
    [[0.5, 0.4], null, 1],
    [[0.4, 0.5], null, 0],
    [[0.4, 0.4], null, 0],
  ])('where %j of the CPU is allocated, region %s, is %i', (shares, region, zone) => {
    const { context, world, state } = createTenantsFixture('small')
    world.topology.zones.forEach(({ hosts }, row) => {
      for (const host of hosts) world.load.allocatedMilli[host] = shares[row] * state.capacity.maxMilli[host]
    })
    expect(homeZoneIn(context, region)).toBe(zone)
    Object.assign(world.topology.zones[1], { region: 1 })
    expect([homeZoneIn(context, 0), homeZoneIn(context, 1)]).toEqual([0, 1])
  })
})

/** A zone with 100 Gbit/s each of WAN and LAN ports, 150 of gateways and firewalls, and 200 of uplinks. */
describe('the network of a zone has room', () => {
  const room = (
    peaks: Partial<Record<'in' | 'out' | 'eastWest', number>>,
    added: typeof peaks,
    firewalls = true,
  ) => {
    const { context, world, state } = createTenantsFixture()
    const { topology } = world
    const [zone] = topology.zones
    const { ports, gateways, switches, appliances, gatewaySkus, applianceSkus } = topology
    const setPorts = (table: DeviceTable, rows: readonly number[], role: number, gbps: number) => {
      let left = gbps
      for (const row of rows)
        for (let port = table.firstPort[row]; port < table.firstPort[row] + table.portCount[row]; port++)
          if (ports.role[port] === role) {
            ports.capacityGbps[port] = ports.cable[port] === -1 ? 1_000 : left
            if (ports.cable[port] !== -1) left = 0
          }
    }
    setPorts(gateways, zone.gateways, portRole.GatewayWan, 100)
    setPorts(gateways, zone.gateways, portRole.GatewayLan, 100)
    setPorts(switches, zone.edges, portRole.EdgeUp, 200)
    for (const sku of gatewaySkus) Object.assign(sku, { fabricGbps: 150 / zone.gateways.length })
    for (const sku of applianceSkus) Object.assign(sku, { fabricGbps: 160 / zone.firewalls.length })
    expect([appliances.count > 0, zone.firewalls.length]).toEqual([true, 2])
    if (!firewalls) Object.assign(zone, { firewalls: [] })
    const full = { in: 0, out: 0, eastWest: 0 }
    for (const [name, gbps] of Object.entries(peaks)) state.demand.zonePeaks[name as 'in'][0] = gbps
    return hasNetworkRoom(context, 0, { ...full, ...added })
  }

  const both = { in: 40, out: 40 }
  const exchanged = { out: 50, eastWest: 60 }
  test.each<[string, Parameters<typeof room>, boolean]>([
    ['for 65 of 100 Gbit/s out', [{ out: 40 }, { out: 25 }], true],
    ['not for more', [{ out: 40 }, { out: 25.1 }], false],
    ['for 65 in', [{ in: 40 }, { in: 25 }], true],
    ['not for more in', [{ in: 40 }, { in: 25.1 }], false],
    ['for 97.5 in both directions through gateways', [both, { in: 10, out: 7.5 }], true],
    ['not for more through gateways', [both, { in: 10, out: 7.6 }], false],
    ['for 130 with what hosts exchange on uplinks', [exchanged, { eastWest: 20 }], true],
    ['not for more on uplinks', [exchanged, { out: 0.1, eastWest: 20 }], false],
    ['in a zone without firewalls', [{ out: 40 }, { out: 25 }, false], true],
  ])('%s', (_, args, expected) => {
    expect(room(...args)).toBe(expected)
  })
})

test('peaks of a zone are what its hosts ask for, less copies, and are forgotten over two weeks', () => {
  const { context, world, state } = createTenantsFixture()
  const { load } = world
  load.wantedInGbps.set([1, 2])
  load.wantedOutGbps.set([3, 4])
  load.wantedEastWestGbps.set([5, 6])
  load.copyGbps.set([2, 0])
  const { zonePeaks } = state.demand
  const peaks = () => [zonePeaks.in[0], zonePeaks.out[0], zonePeaks.eastWest[0]]
  world.tick = 1
  updateZonePeaks(context)
  expect(peaks()).toEqual([0, 0, 0])
  world.tick = 12
  updateZonePeaks(context)
  expect(peaks()).toEqual([3, 7, 9])
  for (const peak of [zonePeaks.in, zonePeaks.out, zonePeaks.eastWest]) peak[0] = 20_160
  updateZonePeaks(context)
  expect(peaks()).toEqual([20_158, 20_158, 20_158])
})

test('the traffic of a contract is that of its requests at the peak', () => {
  const { context, state } = createTenantsFixture()
  Object.assign(state.demand.trafficFactor, { in: 2, out: 3, eastWest: 4 })
  // A web front end of 100 virtual CPUs answers 8000 requests/s, a database 14,500 of its queries for each 100.
  const services = [
    { ...webTerms, count: 10, vcpu: 10 },
    { ...webTerms, class: 'database' as const, count: 10, vcpu: 10 },
  ]
  const { in: gbpsIn, out, eastWest } = contractTraffic(context, { ...plainContract, services })
  expect(gbpsIn).toBeCloseTo(8_000 * 7.5 * 8.192e-6 * 2, 9)
  expect(out).toBeCloseTo(8_000 * 32.5 * 8.192e-6 * 3, 9)
  expect(eastWest).toBeCloseTo((8_000 * 7.5 + 14_500 * 4.5) * 8.192e-6 * 4, 9)
})
