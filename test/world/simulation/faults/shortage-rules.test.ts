import { describe, expect, test } from 'vitest'
import { faultKinds } from '../../../../src/world/simulation/faults/kinds.ts'
import type { Fault, FaultSpec } from '../../../../src/world/simulation/faults/model.ts'
import { createShaping } from '../../../../src/world/simulation/faults/shaping.ts'
import { applianceCeilingGbps } from '../../../../src/world/simulation/network/view.ts'
import { createShortages } from '../../../../src/world/simulation/faults/shortages.ts'
import type { MutableWorld } from '../../../../src/world/simulation/step.ts'
import type { Tenant } from '../../../../src/world/simulation/tenants/tenant.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { createQuietWorld } from '../quiet-world.ts'

/** Limits and delays of shortages, and traffic shaping. */

const { topology } = createQuietWorld(1n).state
const cable = topology.ports.cable[topology.hosts.firstPort[0]]
const port = topology.hosts.firstPort[0]
const zoneOf = topology.hosts.zone[0]
const [edge] = topology.zones[zoneOf].edges
const [edgeElsewhere] = topology.zones[1 - zoneOf].edges
const dropAtLink = ({ network }: MutableWorld, share: number, at = port): void => {
  network.portDroppedGbps[at] = share * topology.ports.capacityGbps[at]
  network.droppingPorts = share > 0 ? 1 : 0
}

function shortagesOf(world: MutableWorld, active: readonly Fault[]) {
  const begun: FaultSpec[] = []
  const ended: Fault[] = []
  const shortages = createShortages(world, faultKinds, new Map(), {
    active,
    begin: (spec) => (begun.push(spec), { ...spec, ended: null } as unknown as Fault),
    end: (fault) => ended.push(fault),
  })
  return { shortages, begun, ended }
}

describe('a link that is too small', () => {
  /** Faults after minutes in which the link drops traffic (`x`) or does not (`.`). */
  function faultsAfter(minutes: string, others: readonly Fault[] = []) {
    const { state: world } = createQuietWorld(1n)
    const { shortages, begun, ended } = shortagesOf(world, others)
    for (const each of minutes) {
      dropAtLink(world, each === 'x' ? 0.01 : 0)
      shortages.step()
      world.now += minute
    }
    return { shortages, begun, ended, counts: [begun.length, ended.length] }
  }

  test.each([
    ['x', [0, 0]],
    ['xxxx', [0, 0]],
    ['xxxxx', [1, 0]],
    ['x...x', [1, 0]],
    ['x....', [0, 0]],
    ['xxxxx........', [1, 0]],
    ['xxxxx.........', [1, 1]],
    // It was forgotten, and begins again.
    ['x.........xxxx', [0, 0]],
    ['x.........xxxxx', [1, 0]],
  ])('%s begins and ends as a fault so often: %j', (minutes, expected) => {
    expect(faultsAfter(minutes).counts).toEqual(expected)
  })

  test.each([
    ['xxxxx', 0],
    ['x...x', 0],
    ['x.........xxxxx', 10],
  ])('%s begins at its first minute, number %i', (minutes, expected) => {
    const start = createQuietWorld(1n).state.now
    expect(faultsAfter(minutes).begun.map(({ began }) => began)).toEqual([start + expected * minute])
  })

  test('begins when the fault that explained it has ended', () => {
    const { state: world } = createQuietWorld(1n)
    const active = [other('SwitchFailure', edge)]
    const { shortages, begun } = shortagesOf(world, active)
    const start = world.now
    for (let n = 0; n < 10; n++, world.now += minute) {
      if (n === 3) active.pop()
      dropAtLink(world, 0.01)
      shortages.step()
    }
    expect(begun.map(({ began }) => began)).toEqual([start + 2 * minute])
  })

  const other = (kind: Fault['kind'], row: number): Fault =>
    ({ kind, target: { kind: kind === 'HostFailure' ? 'Host' : 'Switch', row } }) as Fault
  test.each<[string, Fault, number]>([
    ['a dead switch in its zone', other('SwitchFailure', edge), 0],
    ['a dead switch in another zone', other('SwitchFailure', edgeElsewhere), 1],
    ['a dead host', other('HostFailure', 0), 1],
    ['a supply of a switch in its zone', other('PowerSupplyFailure', edge), 1],
  ])('beside %s', (_, fault, count) => {
    expect(faultsAfter('xxxxx', [fault]).counts).toEqual([count, 0])
  })

  test('is claimed as a fault at once, and once', () => {
    const { shortages, begun } = faultsAfter('x')
    const target = { kind: 'Cable', row: cable } as const
    const fault = shortages.claim(target)!
    expect(begun).toEqual([
      { kind: 'LinkSaturation', target, magnitude: expect.any(Number), lasts: null, began: 0 },
    ])
    expect(shortages.claim(target)).toBe(fault)
    expect(shortages.claim({ kind: 'Cable', row: cable + 1 })).toBeNull()
    fault.ended = 0
    expect(shortages.claim(target)).toBeNull()
    expect(begun.length).toBe(1)
  })

  test('is claimed as of its first minute, even if another fault explains it', () => {
    const { shortages, begun } = faultsAfter('xxxxx', [other('SwitchFailure', edge)])
    shortages.claim({ kind: 'Cable', row: cable })
    expect(begun.map(({ began }) => began)).toEqual([createQuietWorld(1n).state.now])
  })
})

describe('a pool that is too small becomes a fault or not', () => {
  const begins = (prepare: (world: MutableWorld) => void, others: readonly Fault[] = []): boolean => {
    const { state: world, addTenant } = createQuietWorld(1n)
    world.facility.hostRunning.fill(1)
    addTenant({ p99Ms: 220 })
    world.load.contention[0] = 1.1
    prepare(world)
    const { shortages, begun } = shortagesOf(world, others)
    for (let n = 0; n <= 4; n++, world.now += minute) shortages.step()
    return begun.some(({ kind }) => kind === 'CapacityExhaustion')
  }
  const mate = topology.hosts.rows.find(
    (row) => row > 0 && topology.hosts.pool[row] === topology.hosts.pool[0],
  )!
  const stranger = topology.hosts.rows.find((row) => topology.hosts.pool[row] !== topology.hosts.pool[0])!
  const inMaintenance = ({ facility, condition }: MutableWorld): void => {
    facility.hostRunning[mate] = 0
    condition.hostMaintenance[mate] = 1
  }
  const surge = (id: number): Fault => ({ kind: 'DemandSurge', target: { kind: 'Customer', id } }) as Fault
  test.each<[string, (world: MutableWorld) => void, Fault[], boolean]>([
    ['as it is', () => {}, [], true],
    ['with a host down', ({ facility }) => void (facility.hostRunning[mate] = 0), [], false],
    [
      'with a host of another pool down',
      ({ facility }) => void (facility.hostRunning[stranger] = 0),
      [],
      true,
    ],
    ['with a host in maintenance', inMaintenance, [], true],
    ['in a surge of its customer', () => {}, [surge(1)], false],
    ['in a surge of one that is gone', () => {}, [surge(2)], true],
  ])('%s', (_, prepare, others, expected) => {
    expect(begins(prepare, others)).toBe(expected)
  })
})

type SearchedKind = 'LinkSaturation' | 'FabricSaturation' | 'CapacityExhaustion'
/** Reports of a search: kind and row of the target, magnitude. */
function found(
  kind: SearchedKind,
  prepare: (world: MutableWorld) => void,
  known = false,
  tenant?: Partial<Tenant>,
) {
  const { state: world, addTenant } = createQuietWorld(1n)
  world.facility.hostRunning.fill(1)
  if (tenant !== undefined) addTenant(tenant)
  prepare(world)
  const reports: string[] = []
  const report = (target: FaultTarget, magnitude: number): void => {
    reports.push(`${target.kind} ${'row' in target && target.row} ${Number(magnitude.toFixed(6))}`)
  }
  faultKinds[kind].origin.search(world, { report, isKnown: () => known })
  return reports.join()
}

const fabricOf = (row: number): number => topology.switchSkus[topology.switches.sku[row]].fabricGbps
const drops =
  (device: 'switch' | 'appliance', row: number, gbps: number) =>
  ({ network }: MutableWorld): void =>
    void (network[`${device}DroppedGbps`][row] = gbps)
const refuses = ({ network }: MutableWorld): void => {
  network.applianceDroppedGbps[2] = 1 + 0.0039 * ceiling
  network.applianceRefusedGbps[2] = 1
}
const gatewayDrops =
  (gbps: number) =>
  ({ network }: MutableWorld): void => {
    network.gatewayCeilingGbps.fill(10)
    network.gatewayDroppedGbps[1] = gbps
  }
const ceiling = applianceCeilingGbps(topology, 2)
const rounded = (gbps: number): number => Number(gbps.toFixed(6))
const [link, fabric] = ['LinkSaturation', 'FabricSaturation'] as const
const linkGbps = 0.0041 * topology.ports.capacityGbps[port]
test.each<[string, SearchedKind, (world: MutableWorld) => void, string]>([
  ['a link drops 0.4 %', link, (world) => dropAtLink(world, 0.004), ''],
  ['a link drops more', link, (world) => dropAtLink(world, 0.0041), `Cable ${cable} ${rounded(linkGbps)}`],
  ['a switch drops 0.4 %', fabric, drops('switch', 0, 0.004 * fabricOf(0)), ''],
  ['more', fabric, drops('switch', 0, 0.0041 * fabricOf(0)), `Switch 0 ${rounded(0.0041 * fabricOf(0))}`],
  ['an appliance drops less than 0.4 %, and what its rules refuse', fabric, refuses, ''],
  ['more', fabric, drops('appliance', 2, 0.0041 * ceiling), `Appliance 2 ${rounded(0.0041 * ceiling)}`],
  ['a gateway drops 0.4 % of what it forwards', fabric, gatewayDrops(0.04), ''],
  ['more', fabric, gatewayDrops(0.041), 'Gateway 1 0.041'],
])('%s', (_, kind, prepare, expected) => {
  expect(found(kind, prepare)).toEqual(expected)
})

test.each([
  // More than one host, and more than 12 % of those that run.
  [24, 2, 1.26, ''],
  [24, 3, 1.26, 'Pool 0 3'],
  [24, 3, 1.25, ''],
  [16, 2, 1.26, 'Pool 0 2'],
  [17, 2, 1.26, ''],
  [2, 1, 1.26, ''],
  [2, 2, 1.26, 'Pool 0 2'],
])(
  'of %i running hosts of a pool, %i with a contention of %d are short: %j',
  (running, count, contention, expected) => {
    const prepare = (world: MutableWorld): void => {
      world.topology.hosts.pool.fill(0)
      world.facility.hostRunning.fill(0, running)
      world.load.contention.fill(contention, 0, count)
    }
    expect(found('CapacityExhaustion', prepare)).toEqual(expected)
  },
)

const pool = topology.hosts.pool[0]
test.each<[Partial<Tenant>, contention: number, known: boolean, magnitude: number]>([
  [{ p99Ms: 200 }, 1.05, false, 0],
  [{ p99Ms: 200 }, 1.051, false, 1],
  [{ p99Ms: 199 }, 1.051, false, 0],
  [{ p99Ms: 199 }, 1.051, true, 1],
  [{ p99Ms: 140 }, 1.001, true, 1],
  [{ p99Ms: 140 }, 1, true, 0],
  [{ p99Ms: 139 }, 1.001, true, 0],
  [{ failing: 0.01 }, 1.051, false, 1],
  [{ failing: 0.0099 }, 1.051, false, 0],
  [{ starving: 0.05 }, 1.051, false, 1],
  [{ starving: 0.0499 }, 1.051, false, 0],
  [{ p99Ms: 200, requestedUnits: 4 }, 0, false, 3],
  [{ p99Ms: 200, requestedUnits: 4, lifecycle: 'Onboarding' }, 0, false, 0],
  [{ p99Ms: 200, requestedUnits: 4, hosts: new Int32Array(0) }, 0, false, 0],
])(
  'a customer with %j at a contention of %d, short before: %s, lacks %i',
  (tenant, contention, known, magnitude) => {
    const prepare = (world: MutableWorld): void => void (world.load.contention[0] = contention)
    expect(found('CapacityExhaustion', prepare, known, tenant)).toBe(
      magnitude === 0 ? '' : `Pool ${pool} ${magnitude}`,
    )
  },
)

describe('traffic is shaped', () => {
  const shapingOf = (...tenants: readonly Partial<Tenant>[]) => {
    const { state, blastRadius, addTenant } = createQuietWorld(1n)
    for (const tenant of tenants)
      addTenant({ servedInGbps: 0, servedOutGbps: 1, placedUnits: 0, requestedUnits: 0, ...tenant })
    const shaping = createShaping(state, blastRadius, new Map())
    shaping.reduceDemand({ kind: 'Host', row: 0 })
    return { state, factors: () => tenants.map((_, at) => shaping.factor(at + 1)) }
  }
  test.each<[string, Partial<Tenant>, Partial<Tenant>, boolean]>([
    ['with more traffic', { servedOutGbps: 1.1 }, {}, true],
    ['with more traffic in', { servedInGbps: 0.1 }, {}, true],
    ['that copies', { copyGbps: 0.1 }, {}, true],
    ['with more units', { placedUnits: 1, requestedUnits: 1 }, {}, true],
    ['that lacks a unit', { requestedUnits: 1, servedOutGbps: 0 }, { servedOutGbps: 1e5 }, true],
    ['on Bronze', { tier: 'Bronze', servedOutGbps: 0.67 }, {}, true],
    ['on Bronze with less traffic', { tier: 'Bronze', servedOutGbps: 0.66 }, {}, false],
    ['on Gold', { tier: 'Gold', servedOutGbps: 2.67 }, {}, true],
    ['on Gold with less traffic', { tier: 'Gold', servedOutGbps: 2.66 }, {}, false],
    ['on Platinum', { tier: 'Platinum', servedOutGbps: 5.34 }, {}, true],
    ['on Platinum with less traffic', { tier: 'Platinum', servedOutGbps: 5.33 }, {}, false],
    ['elsewhere', { hosts: Int32Array.of(1), servedOutGbps: 9 }, {}, false],
  ])('of a customer %s rather than of another', (_, one, other, isShaped) => {
    const busy = { servedOutGbps: 1e9 }
    // Three are shaped; two are far busier than both.
    expect(shapingOf(busy, busy, other, one).factors().slice(2)).toEqual(isShaped ? [1, 0.7] : [0.7, 1])
  })

  test.each([
    [12 * hour - 1, 0.7],
    [12 * hour, 1],
  ])('for 12 hours: after %d µs by %d', (after, factor) => {
    const { state, factors } = shapingOf({})
    state.now += after
    expect(factors()).toEqual([factor])
  })
})
