import { describe, expect, test } from 'vitest'
import type { CauseKind } from '../../../../src/contract/vocabularies.ts'
import { stepFacility } from '../../../../src/world/simulation/facility/facility.ts'
import { faultActions, faultKinds } from '../../../../src/world/simulation/faults/kinds.ts'
import type { FaultKind } from '../../../../src/world/simulation/faults/fault-kind.ts'
import type { FaultSpec } from '../../../../src/world/simulation/faults/model.ts'
import type { MutableWorld } from '../../../../src/world/simulation/step.ts'
import { customerDefects } from '../../../../src/world/simulation/tenants/tenant.ts'
import { minute } from '../../../../src/world/simulation/time.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { createQuietWorld } from '../quiet-world.ts'

/** Effects and traits of each fault kind. */

const specOf = (kind: CauseKind, target: FaultTarget, magnitude: number): FaultSpec => ({
  kind,
  target,
  magnitude,
  lasts: null,
})

/** Row of the targets. */
const target = 1

/** Changed columns of that row, and of other rows by name and row. */
function changesIn(
  before: MutableWorld['condition'],
  after: MutableWorld['condition'],
): Record<string, number> {
  const changes: Record<string, number> = {}
  for (const [name, column] of Object.entries(after)) {
    if (typeof column === 'number') continue
    const was = before[name as 'hostBroken']
    column.forEach((value, row) => {
      if (value !== was[row]) changes[row === target ? name : `${name} ${row}`] = Number(value.toFixed(6))
    })
  }
  return changes
}

/** Kinds of that row's devices and feeds that are down. */
function stoppedIn({ facility }: MutableWorld): string[] {
  const up = {
    Host: facility.hostRunning,
    Switch: facility.switchUp,
    Gateway: facility.gatewayUp,
    Appliance: facility.applianceUp,
    PowerFeed: facility.feedLive,
  }
  return Object.entries(up).flatMap(([kind, column]) => (column[target] === 0 ? [kind] : []))
}

type Case = readonly [
  FaultTarget['kind'],
  magnitudes: readonly number[],
  Record<string, number>,
  stops?: boolean,
]
/** Several magnitudes are of simultaneous faults. */
const effects: Readonly<Record<CauseKind, readonly Case[]>> = {
  HostFailure: [
    ['Host', [1], { hostBroken: 1 }, true],
    ['Host', [0.5], { hostBroken: 1, hostHung: 1 }, true],
    ['Host', [1, 0.5], { hostBroken: 2, hostHung: 1 }, true],
  ],
  DiskFailure: [
    ['Host', [1], { hostDiskBroken: 1 }],
    ['Host', [1, 1], { hostDiskBroken: 2 }, true],
  ],
  PowerSupplyFailure: [
    ['Host', [1], { hostSupplyBroken: 1 }],
    ['Host', [2], { hostSupplyBroken: 2 }],
    ['Host', [2, 2], { hostSupplyBroken: 2 }],
    ['Host', [1, 2], { hostSupplyBroken: 3 }, true],
    ['Host', [3], { hostSupplyBroken: 3 }, true],
    ['Switch', [1], { switchSupplyBroken: 1 }],
    ['Switch', [3], { switchSupplyBroken: 3 }, true],
  ],
  FanFailure: [
    ['Host', [1], { hostFanBroken: 1 }],
    ['Host', [0.5], { hostAirBlocked: 1 }],
    ['Host', [1, 0.5], { hostFanBroken: 1, hostAirBlocked: 1 }],
  ],
  PortFlap: [['Port', [1, 1], { portFlapping: 2 }]],
  CableCut: [['Cable', [1], { cableCut: 1, cableCutPlace: 0.618_034 }]],
  TransceiverFailure: [['Port', [0.2, 0.5], { portLoss: 0.6 }]],
  CableFault: [['Cable', [0.2, 0.5], { cableLoss: 0.6 }]],
  LinkSaturation: [['Cable', [1], {}]],
  FabricSaturation: [['Switch', [1], {}]],
  CapacityExhaustion: [['Pool', [1], {}]],
  SwitchFailure: [['Switch', [1, 1], { switchBroken: 2 }, true]],
  GatewayFailure: [['Gateway', [1, 1], { gatewayBroken: 2 }, true]],
  ApplianceFailure: [['Appliance', [1, 1], { applianceBroken: 2 }, true]],
  FirmwareFault: [['Switch', [0.6, 0.5], { switchFabricLost: 0.8 }]],
  BroadcastStorm: [['Switch', [0.5, 1], { switchStorm: 2 }]],
  AddonThrottling: [['Gateway', [0.4, 0.5], { gatewayThrottle: 0.7 }]],
  Misconfiguration: [
    ['Gateway', [0.3, 0.3], { gatewayWithdrawn: 2 }],
    ['Appliance', [0.3, 0.5], { applianceMisrule: 0.65 }],
  ],
  PowerFeedLoss: [
    ['PowerFeed', [1, 1], { feedBroken: 2 }, true],
    ['PowerFeed', [1.08], { feedBroken: 1, feedTrippedAt: 1.08 }, true],
  ],
  CoolingFailure: [
    ['CoolingUnit', [1], { coolingBroken: 1 }],
    ['CoolingUnit', [0.4], { coolingLost: 0.4 }],
    ['CoolingUnit', [0.4, 0.5, 1], { coolingBroken: 1, coolingLost: 0.7 }],
  ],
  DemandSurge: [['Customer', [3], {}]],
  Attack: [['Customer', [3], {}]],
  ExpiredCertificate: [['Customer', [0.8], {}]],
  FailedRelease: [['Customer', [0.2], {}]],
  DnsError: [['Customer', [0.4], {}]],
  ClockDrift: [['Host', [0.2, 0.5], { hostClockOff: 0.6 }]],
  MemoryErrors: [['Host', [0.2, 0.5], { hostMemoryLoss: 0.6 }]],
  StuckBatteryTest: [['PowerFeed', [1], { feedBatteryEmpty: 54 * minute }]],
  WaterLeak: [['CoolingUnit', [1, 1], { coolingBroken: 2, coolingLeaking: 2 }]],
  HungController: [['CoolingUnit', [1, 1], { coolingBroken: 2, coolingFrozen: 2 }]],
  RouteLeak: [['Gateway', [0.2, 0.5], { gatewayForeign: 0.6 }]],
  ExpiredLicense: [['Appliance', [0.2, 0.5], { applianceUnlicensed: 0.6 }]],
  HostDrained: [['Host', [1], {}]],
  CarrierOutage: [['Cable', [1], { cableCut: 1, cableUnlit: 1 }]],
}

const cases = Object.entries(effects).flatMap(([kind, ofKind]) =>
  ofKind.map(([on, magnitudes, changes, stops = false]) => ({
    kind: kind as CauseKind,
    on,
    magnitudes,
    changes,
    stops,
  })),
)
test.each(cases)('$kind of a $on with magnitudes $magnitudes', ({ kind, on, magnitudes, changes, stops }) => {
  const { state, faults } = createQuietWorld(1n)
  state.now = minute
  state.condition.hostWear.fill(0)
  const before = structuredClone(state.condition)
  const at = (on === 'Customer' ? { kind: on, id: target } : { kind: on, row: target }) as FaultTarget
  const injected = magnitudes.map((magnitude) => faults.inject(specOf(kind, at, magnitude)))
  expect(changesIn(before, state.condition)).toEqual(changes)
  stepFacility(state)
  expect(stoppedIn(state)).toEqual(stops ? [on] : [])
  for (const fault of injected) faults.repair(fault)
  // The repair of a cooling unit puts in a new one.
  expect(changesIn(before, state.condition)).toEqual(
    kind === 'CoolingFailure' ? { coolingInstalled: minute } : {},
  )
})

describe('the demand of a customer in a surge of 3', () => {
  test.each([
    [0, null, 1],
    [6, null, 2],
    [12, null, 3],
    [60, null, 3],
    [60, 80, 3],
    [60, 70, 2],
    [60, 60, 1],
    // It ends before it has risen.
    [6, 11, 1.5],
  ])('after %i min, with an end after %s min, is multiplied by %d', (after, ends, factor) => {
    const { state, faults } = createQuietWorld(1n)
    const spec = specOf('DemandSurge', { kind: 'Customer', id: 3 }, 3)
    faults.inject({ ...spec, lasts: ends === null ? null : ends * minute })
    state.now = after * minute
    expect(faults.demandFactor(3)).toBeCloseTo(factor, 9)
    expect(faults.demandFactor(4)).toBe(1)
  })
})

test.each([
  [0, true],
  [52, true],
  [53, false],
])('%i minutes into a stuck battery test, whose batteries last 53, a feed is live: %s', (minutes, isLive) => {
  const { state, faults } = createQuietWorld(1n)
  state.now = minute
  faults.inject(specOf('StuckBatteryTest', { kind: 'PowerFeed', row: target }, 1))
  state.now += minutes * minute
  stepFacility(state)
  expect(state.facility.feedLive[target] > 0).toBe(isLive)
  expect(state.condition.feedBatteryEmpty[target]).toBe(54 * minute)
})

test('kinds with the same effect add up, and each ends alone', () => {
  const { state, faults } = createQuietWorld(1n)
  const at = { kind: 'CoolingUnit', row: target } as const
  const leak = faults.inject(specOf('WaterLeak', at, 1))
  const failure = faults.inject(specOf('CoolingFailure', at, 1))
  const counts = () => [state.condition.coolingBroken[target], state.condition.coolingLeaking[target]]
  expect(counts()).toEqual([2, 1])
  // Repaired once more, it takes nothing from the other.
  for (let repairs = 0; repairs < 2; repairs++) faults.repair(failure)
  expect(counts()).toEqual([1, 1])
  faults.repair(leak)
  expect(counts()).toEqual([0, 0])
})

test("a customer's own mistakes fail its requests, and no others", () => {
  const { faults } = createQuietWorld(1n)
  const at = { kind: 'Customer', id: 3 } as const
  for (const magnitude of [0.2, 0.5]) faults.inject(specOf('FailedRelease', at, magnitude))
  faults.inject(specOf('DnsError', at, 0.3))
  const shares = [3, 4].map((id) => customerDefects.map((defect) => faults.defectShare(id, defect)))
  expect(shares).toEqual([
    [0, expect.closeTo(0.6, 9), expect.closeTo(0.3, 9)],
    [0, 0, 0],
  ])
})

/** The names of kinds, in the order of their letters. */
const kindsThat = (isOne: (kind: FaultKind) => boolean): string[] =>
  Object.entries<FaultKind>(faultKinds)
    .flatMap(([name, kind]) => (isOne(kind) ? [name] : []))
    .toSorted()

test('some kinds explain shortages, reach far, or have a part renewed', () => {
  expect(kindsThat(({ explainsShortages }) => explainsShortages === true)).toEqual(
    [
      'AddonThrottling ApplianceFailure Attack BroadcastStorm CableCut CableFault CarrierOutage',
      'CoolingFailure DemandSurge ExpiredLicense FirmwareFault GatewayFailure HungController',
      'Misconfiguration PortFlap PowerFeedLoss RouteLeak StuckBatteryTest SwitchFailure',
      'TransceiverFailure WaterLeak',
    ].flatMap((line) => line.split(' ')),
  )
  expect(kindsThat(({ hasWideReach = false }) => hasWideReach)).toEqual(
    [
      'ApplianceFailure CoolingFailure GatewayFailure HungController PowerFeedLoss StuckBatteryTest',
      'SwitchFailure WaterLeak',
    ].flatMap((line) => line.split(' ')),
  )
  expect(kindsThat(({ repairRenews }) => repairRenews === 'device')).toEqual(
    'ApplianceFailure CoolingFailure GatewayFailure SwitchFailure'.split(' '),
  )
  expect(kindsThat(({ repairRenews }) => repairRenews === 'disks')).toEqual(['DiskFailure'])
})

test('scenarios may bring about faults of these magnitudes', () => {
  const ranges = Object.entries(faultActions).map(([kind, { targets, magnitude, duration }]) => [
    kind,
    targets.join(),
    magnitude === null ? null : [magnitude.min, magnitude.max, magnitude.defaultValue].join(),
    duration,
  ])
  expect(ranges).toEqual([
    ['HostFailure', 'Host', null, 'optional'],
    ['DiskFailure', 'Host', null, 'optional'],
    ['PowerSupplyFailure', 'Host,Switch', '1,3,1', 'optional'],
    ['FanFailure', 'Host', null, 'optional'],
    ['PortFlap', 'Port', null, 'optional'],
    ['CableCut', 'Cable', null, 'optional'],
    ['TransceiverFailure', 'Port', '0.001,1,0.2', 'optional'],
    ['CableFault', 'Cable', '0.001,1,0.2', 'optional'],
    ['SwitchFailure', 'Switch', null, 'optional'],
    ['GatewayFailure', 'Gateway', null, 'optional'],
    ['ApplianceFailure', 'Appliance', null, 'optional'],
    ['FirmwareFault', 'Switch', '0.05,1,0.6', 'optional'],
    ['BroadcastStorm', 'Switch', '0.05,1,0.8', 'optional'],
    ['AddonThrottling', 'Gateway', '0.05,1,0.6', 'optional'],
    ['Misconfiguration', 'Gateway,Appliance', '0.001,1,0.3', 'optional'],
    ['PowerFeedLoss', 'PowerFeed', '1,1.5,1', 'optional'],
    ['CoolingFailure', 'CoolingUnit', null, 'optional'],
    ['DemandSurge', 'Customer', '1,20,2', 'required'],
    ['Attack', 'Customer', '0.01,100,1.5', 'required'],
    ['ExpiredCertificate', 'Customer', '0.01,1,0.8', 'required'],
    ['FailedRelease', 'Customer', '0.01,1,0.3', 'required'],
    ['DnsError', 'Customer', '0.01,1,0.4', 'required'],
    ['ClockDrift', 'Host', '0.01,1,0.2', 'optional'],
    ['MemoryErrors', 'Host', '0.01,0.9,0.3', 'optional'],
    ['StuckBatteryTest', 'PowerFeed', null, 'optional'],
    ['WaterLeak', 'CoolingUnit', null, 'optional'],
    ['RouteLeak', 'Gateway', '0.05,0.95,0.6', 'optional'],
    ['ExpiredLicense', 'Appliance', '0.05,0.99,0.8', 'optional'],
    ['CarrierOutage', 'Cable', null, 'optional'],
    ['HungController', 'CoolingUnit', null, 'optional'],
  ])
})
