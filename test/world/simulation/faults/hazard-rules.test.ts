import { describe, expect, test } from 'vitest'
import type { CauseKind } from '../../../../src/contract/vocabularies.ts'
import type { FaultKind } from '../../../../src/world/simulation/faults/fault-kind.ts'
import {
  activityFactor,
  drawFrameLoss,
  mistakeFactor,
  sizeFactor,
} from '../../../../src/world/simulation/faults/hazards/hazards.ts'
import type { Hazard } from '../../../../src/world/simulation/faults/hazards/hazards.ts'
import {
  createRandomFaults,
  firstCandidate,
  strainOf,
} from '../../../../src/world/simulation/faults/hazards/random-faults.ts'
import { markRepaired } from '../../../../src/world/simulation/faults/hazards/repaired.ts'
import { faultKinds } from '../../../../src/world/simulation/faults/kinds.ts'
import { RandomStreams } from '../../../../src/world/simulation/random.ts'
import type { HazardWorld } from '../../../../src/world/simulation/state.ts'
import type { MutableWorld } from '../../../../src/world/simulation/step.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import { isCarrierLine } from '../../../../src/world/simulation/topology/optics.ts'
import { FixedStream } from '../fixed-stream.ts'
import { createQuietWorld } from '../quiet-world.ts'

/** Failure probabilities by rate, rating and condition, and failure modes. */

const kinds: Readonly<Record<CauseKind, FaultKind>> = faultKinds
const hazardsOf = (kind: CauseKind, world: HazardWorld): readonly Hazard[] => {
  const { origin } = kinds[kind]
  return origin.type === 'hazard' ? origin.hazardsIn(world) : []
}
const rounded = (value: number): number => Number(value.toFixed(6))
/** For tests that change nothing in it. */
const { state: quiet } = createQuietWorld(1n)

test.each([
  [120, 1],
  [1_920, 2],
  [30, 0.5],
])('a world of %d hosts has %d times the faults', (hosts, factor) => {
  expect(sizeFactor(hosts)).toBeCloseTo(factor, 12)
})

describe('each hour a part fails', () => {
  interface Case {
    readonly rate?: number
    readonly faultsPerDay?: number
    readonly strain?: number
    readonly weight?: number
    readonly hosts?: number
    readonly kind?: CauseKind
    readonly repairedAt?: number
  }
  const now = 100 * day + 5 * hour
  const hours = 60_000

  /** The share of hours in which the first of four parts fails. */
  function failing(given: Case): number {
    const { rate = 1, faultsPerDay = 0.96, strain = 1, weight = 1, hosts = 120 } = given
    const { kind = 'HostFailure', repairedAt } = given
    const hazard: Hazard = {
      target: 'Switch',
      faultsPerDay,
      partCount: 4,
      weight: (row) => (row === 0 ? weight : 1),
      strain: () => strain,
      draw: () => ({ magnitude: 1, lasts: null }),
    }
    const { topology } = quiet
    const world = {
      now,
      tick: 0,
      random: new RandomStreams(5n),
      topology: { ...topology, version: 0, hosts: { ...topology.hosts, rows: { length: hosts } } },
    } as unknown as HazardWorld
    const repaired = new Map()
    if (repairedAt !== undefined)
      markRepaired(repaired, { kind, target: { kind: 'Switch', row: 0 } }, repairedAt)
    const state = { ...firstCandidate(world), weakBatches: [], campaign: { begins: 100 * day }, repaired }
    const origin = { type: 'hazard', hazardsIn: () => [hazard] } as const
    const draws = createRandomFaults(world, { [kind]: { origin, effects: {} } } as never, state)
    let failures = 0
    for (let step = 0; step < 360 * hours; step += 360)
      failures += draws(rate * 360).filter(({ target }) => 'row' in target && target.row === 0).length
    return failures / hours
  }

  // 0.96 faults a day are 0.04 an hour, and 0.01 for each of four parts.
  test.each<[string, Case, probability: number]>([
    ['as its kind does', {}, 0.01],
    ['twice as often at twice the rate', { rate: 2 }, 0.02],
    ['never at no rate', { rate: 0 }, 0],
    ['by its weight', { weight: 2 }, 0.016],
    ['never without a weight', { weight: 0 }, 0],
    ['by its strain', { strain: 3 }, 0.03],
    ['never without strain', { strain: 0 }, 0],
    ['by a strain of at most 24', { strain: 30, rate: 0.5 }, 0.12],
    ['more often in a larger world', { hosts: 1_920 }, 0.02],
    ['rarely after its repair', { repairedAt: now - 3 * day }, 0.003],
    ['not soon after its repair', { repairedAt: now - day }, 0],
    ['more often after a firmware upgrade', { kind: 'FirmwareFault' }, 0.18],
  ])('%s', (_, given, probability) => {
    expect(Math.abs(failing(given) - probability)).toBeLessThanOrEqual(5 * Math.sqrt(probability / hours))
  })
})

test('kinds that come at random, with the faults a day in a world of 120 hosts', () => {
  const { state } = createQuietWorld(1n)
  const rates = Object.keys(kinds).flatMap((kind) =>
    hazardsOf(kind as CauseKind, state).map(({ target, faultsPerDay }) => [
      `${kind} ${target}`,
      faultsPerDay,
    ]),
  )
  expect(Object.fromEntries(rates)).toEqual({
    'AddonThrottling Gateway': 0.08,
    'ApplianceFailure Appliance': 0.05,
    'BroadcastStorm Switch': 0.06,
    'CableCut Cable': 0.25,
    'CableFault Cable': 0.3,
    'CarrierOutage Cable': 0.25,
    'ClockDrift Host': 0.2,
    'CoolingFailure CoolingUnit': expect.any(Number),
    'DiskFailure Host': 0.6,
    'ExpiredLicense Appliance': 0.03,
    'FanFailure Host': 0.4,
    'FirmwareFault Switch': 0.12,
    'GatewayFailure Gateway': expect.any(Number),
    'HostFailure Host': 0.4,
    'MemoryErrors Host': 0.4,
    'Misconfiguration Appliance': 0.08,
    'Misconfiguration Gateway': 0.05,
    'PortFlap Port': 0.5,
    'PowerFeedLoss PowerFeed': expect.any(Number),
    'PowerSupplyFailure Host': 0.5,
    'PowerSupplyFailure Switch': 0.1,
    'RouteLeak Gateway': 0.03,
    'StuckBatteryTest PowerFeed': expect.any(Number),
    'SwitchFailure Switch': 0.12,
    'TransceiverFailure Port': 0.35,
    'WaterLeak CoolingUnit': expect.any(Number),
  })
})

test.each<[CauseKind, number]>([
  ['GatewayFailure', 0.2],
  ['PowerFeedLoss', 0.5],
  ['CoolingFailure', 0.5],
  ['StuckBatteryTest', 0.5],
  ['WaterLeak', 0.15],
])('of %s, each part has %d a year in a world of any size', (kind, perYear) => {
  for (const scale of ['small', 'medium'] as const) {
    const { state } = createQuietWorld(1n, scale)
    const [{ faultsPerDay, partCount }] = hazardsOf(kind, state)
    const hosts = state.topology.hosts.rows.length
    expect((faultsPerDay * sizeFactor(hosts) * 365) / partCount).toBeCloseTo(perYear, 9)
  }
})

describe('the strain of a part', () => {
  type Prepare = (world: MutableWorld) => void
  const broken =
    (column: Exclude<keyof MutableWorld['condition'], 'version'>): Prepare =>
    ({ condition }) =>
      void (condition[column][0] = 1)
  const celsius =
    (degrees: number): Prepare =>
    ({ facility }) =>
      void (facility.hostCelsius[0] = degrees)
  const wear =
    (share: number, utilization: number): Prepare =>
    ({ condition, load, topology }) => {
      condition.hostWear[0] = share
      load.iopsUsed[0] = utilization * topology.hostSkus[topology.hosts.sku[0]].iops
    }
  const at =
    (now: number): Prepare =>
    (world) =>
      void (world.now = now)
  const feedLoad =
    (share: number): Prepare =>
    ({ facility, topology }) =>
      void (facility.feedLoadKw[0] = share * topology.feeds.capacityKw[0])
  const nothing: Prepare = () => {}

  /** All parts are new at time 0; 1.3 is the ageing factor of an average device. */
  test.each<[CauseKind, string, Prepare, number, nth?: number]>([
    ['HostFailure', 'at 45 °C', celsius(45), 0.8 / 1.3],
    ['HostFailure', 'at 20 °C', celsius(20), 0.8 / 1.3],
    ['HostFailure', 'at 65 °C', celsius(65), 1.8 / 1.3],
    ['HostFailure', 'broken', broken('hostBroken'), 0],
    ['FanFailure', 'at 65 °C', celsius(65), 1.8 / 1.3],
    ['FanFailure', 'broken', broken('hostFanBroken'), 0],
    ['DiskFailure', 'new and idle', wear(0, 0), 0.21],
    ['DiskFailure', 'new and busy', wear(0, 1), 0.51],
    ['DiskFailure', 'half worn and idle', wear(0.5, 0), 0.735],
    ['DiskFailure', 'worn and half busy', wear(1, 0.5), 3.96],
    ['DiskFailure', 'broken', broken('hostDiskBroken'), 0],
    ['PowerSupplyFailure', 'of a new host', nothing, 1 / 1.3],
    ['PowerSupplyFailure', 'broken', broken('hostSupplyBroken'), 0],
    ['SwitchFailure', 'just before 4 days', at(4 * day - 1), 0],
    ['SwitchFailure', 'from 4 days on', at(4 * day), 0.1 / 1.3],
    ['SwitchFailure', 'just before 14 days', at(14 * day - 1), 0.1 / 1.3],
    ['SwitchFailure', 'from 14 days on', at(14 * day), 1 / 1.3],
    ['GatewayFailure', 'broken', broken('gatewayBroken'), 0],
    ['Misconfiguration', 'before 8:00', at(8 * hour - 1), 0.4],
    ['Misconfiguration', 'from 8:00 on', at(8 * hour), 1.8],
    ['Misconfiguration', 'before 18:00', at(18 * hour - 1), 1.8],
    ['Misconfiguration', 'from 18:00 on', at(18 * hour), 0.4],
    ['Misconfiguration', 'broken', broken('gatewayWithdrawn'), 0],
    ['Misconfiguration', 'of an appliance', at(8 * hour), 1.8, 1],
    ['PortFlap', 'whole', nothing, 1],
    ['PortFlap', 'broken', broken('portFlapping'), 0],
    ['TransceiverFailure', 'broken', broken('portLoss'), 0],
    ['CableCut', 'whole', nothing, 1],
    ['CableCut', 'broken', broken('cableCut'), 0],
    ['CableFault', 'broken', broken('cableLoss'), 0],
    ['PowerFeedLoss', 'without load', feedLoad(0), 0.6],
    ['PowerFeedLoss', 'at half load', feedLoad(0.5), 1.1],
    ['PowerFeedLoss', 'broken', broken('feedBroken'), 0],
    ['CoolingFailure', 'new', nothing, 0.6],
    ['CoolingFailure', 'worn out', at(60_000 * hour), 1.6],
    ['CoolingFailure', 'broken', broken('coolingBroken'), 0],
    ['ClockDrift', 'right', nothing, 1],
    ['ClockDrift', 'wrong', broken('hostClockOff'), 0],
    ['MemoryErrors', 'of a new host', nothing, 1 / 1.3],
    ['MemoryErrors', 'broken', broken('hostMemoryLoss'), 0],
    ['StuckBatteryTest', 'on the utility', nothing, 1],
    ['StuckBatteryTest', 'on battery', broken('feedBatteryEmpty'), 0],
    ['WaterLeak', 'stopped', broken('coolingBroken'), 0],
    ['RouteLeak', 'by day', at(8 * hour), 1.8],
    ['RouteLeak', 'leaking', broken('gatewayForeign'), 0],
    ['ExpiredLicense', 'expired', broken('applianceUnlicensed'), 0],
    ['CarrierOutage', 'whole', nothing, 1],
    ['CarrierOutage', 'dark', broken('cableCut'), 0],
  ])('%s: %s', (kind, _, prepare, strain, nth = 0) => {
    const { state } = createQuietWorld(1n)
    const { hosts, switches, gateways, appliances } = state.topology
    for (const table of [hosts, switches, gateways, appliances]) table.installed.fill(0)
    state.condition.hostWear.fill(0)
    state.condition.coolingInstalled.fill(0)
    prepare(state)
    expect(strainOf(state, kinds[kind], hazardsOf(kind, state)[nth], 0)).toBeCloseTo(strain, 2)
  })
})

describe('of parts by their rating', () => {
  const { topology } = quiet
  const rowOfRole = (role: string): number => topology.switches.role.indexOf(role as 'edge')
  const { kind, lengthM } = topology.cables
  const [, fiber, , , wan] = [0, 1, 2, 3, 4].map((each) => kind.indexOf(each))
  const dac = kind.indexOf(2)
  test.each<[CauseKind, string, number, number]>([
    ['BroadcastStorm', 'a switch of a rack', rowOfRole('edge'), 3],
    ['BroadcastStorm', 'an aggregation switch', rowOfRole('aggregation'), 2],
    ['BroadcastStorm', 'a core', rowOfRole('core'), 1],
    ['CableCut', 'a line to a carrier', wan, 60],
    ['CableCut', 'a fiber', fiber, 2 + Math.min(20, lengthM[fiber])],
    ['CarrierOutage', 'a line to a carrier', wan, 1],
    ['CarrierOutage', 'a fiber', fiber, 0],
    ['CableFault', 'a fiber', fiber, 0],
    ['CableFault', 'a direct attach cable', dac, 1],
    ['TransceiverFailure', 'the port of a direct attach cable', topology.cables.a[dac], 0],
    ['PortFlap', 'the port of a direct attach cable', topology.cables.a[dac], 1],
    ['PowerFeedLoss', 'a feed', 0, 1],
    ['CoolingFailure', 'a cooling unit', 0, 1],
  ])('%s: %s weighs', (cause, _, row, weight) => {
    expect(hazardsOf(cause, quiet)[0].weight(row)).toBe(weight)
  })

  test('devices weigh by their mean time between failures', () => {
    const { state } = createQuietWorld(1n)
    const { hostSkus, hosts, switchSkus, switches } = state.topology
    const [host] = hazardsOf('HostFailure', state)
    const [sw] = hazardsOf('SwitchFailure', state)
    expect(host.weight(0)).toBe(1 / hostSkus[hosts.sku[0]].mtbfHours)
    expect(sw.weight(0)).toBe(1 / switchSkus[switches.sku[0]].mtbfHours)
  })
})

describe('how a part fails', () => {
  /** Magnitude, duration, and the phases of an intermittent fault, in minutes. */
  test.each<[CauseKind, number, unknown[], nth?: number]>([
    ['HostFailure', 0.099, [1, null, 9, 40]],
    ['HostFailure', 0.1, [0.5, null]],
    ['HostFailure', 0.149, [0.5, null]],
    ['HostFailure', 0.15, [1, null]],
    ['DiskFailure', 0.5, [1, null]],
    ['PowerSupplyFailure', 0.059, [3, null]],
    ['PowerSupplyFailure', 0.06, [1, null]],
    ['PowerSupplyFailure', 0.499, [1, null]],
    ['PowerSupplyFailure', 0.5, [2, null]],
    ['FanFailure', 0.349, [0.5, null]],
    ['FanFailure', 0.35, [1, null]],
    ['FirmwareFault', 0.299, [0.634_55, null, 13, 40]],
    ['FirmwareFault', 0.3, [0.635, null]],
    ['BroadcastStorm', 0.5, [0.75, 55]],
    ['Misconfiguration', 0.5, [1, null]],
    ['Misconfiguration', 0.299, [0.174_75, 420], 1],
    ['Misconfiguration', 0.3, [0.025, 420], 1],
    ['AddonThrottling', 0.349, [0.6547, 540]],
    ['AddonThrottling', 0.35, [0.355, 540]],
    ['PortFlap', 0.299, [1, null, 12, 40]],
    ['PortFlap', 0.3, [1, 240]],
    ['PortFlap', 0.399, [1, 300]],
    ['PortFlap', 0.4, [1, null]],
    ['TransceiverFailure', 0.249, [1, null]],
    ['TransceiverFailure', 0.25, [0.009_75, null]],
    ['CableFault', 0.249, [1, null]],
    ['CableFault', 0.25, [0.009_75, null]],
    ['PowerFeedLoss', 0.5, [1, 130]],
    ['CoolingFailure', 0.349, [0.557_05, null]],
    ['CoolingFailure', 0.35, [1, null]],
    ['ClockDrift', 0.5, [0.135, 480]],
    ['MemoryErrors', 0.5, [0.25, null]],
    ['StuckBatteryTest', 0.5, [1, null]],
    ['WaterLeak', 0.5, [1, null]],
    ['RouteLeak', 0.5, [0.5, 140]],
    ['ExpiredLicense', 0.5, [0.725, null]],
    ['CarrierOutage', 0.5, [1, 165]],
  ])('%s at a draw of %d: %j', (kind, draw, expected, nth = 0) => {
    const hazard = hazardsOf(kind, quiet)[nth]
    const { magnitude, lasts, rhythm } = hazard.draw(new FixedStream(draw))
    const phases = rhythm === undefined ? [] : [rhythm.shows / minute, rhythm.rests / minute]
    expect([rounded(magnitude), lasts === null ? null : lasts / minute, ...phases]).toEqual(expected)
  })

  test.each([
    [0, 0.003],
    [0.549, 0.017_823],
    [0.55, 0.096],
    [0.849, 0.131_88],
    [0.85, 0.4475],
  ])('a bad wire loses, at a draw of %d, %d of its frames', (draw, share) => {
    expect(rounded(drawFrameLoss(new FixedStream(draw)))).toBe(share)
  })

  test.each([
    [7, 0.4],
    [8, 1.8],
    [17, 1.8],
    [18, 0.4],
    [32, 1.8],
  ])('at hour %i people make %d times as many mistakes', (hours, factor) => {
    expect(mistakeFactor(hours * hour)).toBe(factor)
  })

  test.each([
    [2, 0.594],
    [7, 0.594],
    [8, 1.584],
    [18, 1.155],
    [22, 0.594],
    [5 * 24 + 2, 0.405],
    [6 * 24 + 12, 1.08],
  ])('at hour %i of a week parts fail %d times as often', (hours, factor) => {
    expect(activityFactor(hours * hour)).toBeCloseTo(factor, 9)
  })

  test('the mean of a week is the rate of a part', () => {
    const factors = Array.from({ length: 7 * 24 }, (_, hours) => activityFactor(hours * hour))
    expect(factors.reduce((sum, factor) => sum + factor, 0) / factors.length).toBeCloseTo(1, 2)
  })

  test.each(['PowerFeedLoss', 'CarrierOutage'] as const)('a storm multiplies %s in its region', (kind) => {
    const { state } = createQuietWorld(1n)
    const [hazard] = hazardsOf(kind, state)
    const line = state.topology.cables.rows.find((cable) => isCarrierLine(state.topology, cable))!
    const row = kind === 'PowerFeedLoss' ? 0 : line
    const before = hazard.strain!(row)
    expect(before).toBeGreaterThan(0)
    state.facility.weather.stormUntil.fill(hour)
    expect(hazard.strain!(row)).toBeCloseTo(20 * before, 9)
  })
})
