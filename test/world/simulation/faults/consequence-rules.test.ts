import { describe, expect, test } from 'vitest'
import type { CauseKind } from '../../../../src/contract/vocabularies.ts'
import type { FaultKind } from '../../../../src/world/simulation/faults/fault-kind.ts'
import { drawAftereffects } from '../../../../src/world/simulation/faults/hazards/aftereffects.ts'
import { batchFactor, updateWeakBatches } from '../../../../src/world/simulation/faults/hazards/batches.ts'
import type { WeakBatch } from '../../../../src/world/simulation/faults/hazards/batches.ts'
import {
  campaignFactor,
  planCampaign,
} from '../../../../src/world/simulation/faults/hazards/firmware-campaign.ts'
import { sizeFactor } from '../../../../src/world/simulation/faults/hazards/hazards.ts'
import { drawMishap } from '../../../../src/world/simulation/faults/hazards/mishaps.ts'
import { markRepaired, repairedFactor } from '../../../../src/world/simulation/faults/hazards/repaired.ts'
import { faultKinds } from '../../../../src/world/simulation/faults/kinds.ts'
import type { Fault } from '../../../../src/world/simulation/faults/model.ts'
import type { MutableWorld } from '../../../../src/world/simulation/step.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { FixedStream } from '../fixed-stream.ts'
import { createQuietWorld } from '../quiet-world.ts'

/** Aftereffects, mishaps, attacks, surges and common causes, by rates and draws. */

const kinds: Readonly<Record<CauseKind, FaultKind>> = faultKinds
const rounded = (value: number): number => Number(value.toFixed(6))
/** For tests that change nothing in it. */
const { state: quiet } = createQuietWorld(1n)

describe('another fault follows', () => {
  /** Chance and delay in minutes of each. */
  test.each<[CauseKind, unknown[]]>([
    ['HostFailure', [[0.07, 20, 150]]],
    ['DiskFailure', [[0.13, 8, 60]]],
    ['PowerSupplyFailure', [[0.13, 5, 60]]],
    [
      'CableCut',
      [
        [0.6, 0, 1],
        [0.5, 0, 1],
        [0.4, 0, 2],
      ],
    ],
    [
      'SwitchFailure',
      [
        [0.25, 5, 70],
        [0.12, 5, 60],
      ],
    ],
    [
      'GatewayFailure',
      [
        [0.4, 3, 40],
        [0.2, 5, 60],
      ],
    ],
    ['ApplianceFailure', [[0.25, 5, 60]]],
    ['FirmwareFault', [[0.2, 10, 120]]],
    [
      'PowerFeedLoss',
      [
        [0.45, 0, 6],
        [0.25, 1, 30],
        [0.25, 0, 10],
        [0.6, 3, 40],
      ],
    ],
    ['CoolingFailure', [[0.15, 10, 90]]],
    ['WaterLeak', [[0.35, 35, 90]]],
    ['FanFailure', []],
  ])('%s: %j', (kind, expected) => {
    const { aftereffects = [] } = kinds[kind]
    expect(aftereffects.map(({ chance, delayMinutes: [min, max] }) => [chance, min, max])).toEqual(expected)
  })

  test.each([
    [1, 0.249, true],
    [1, 0.25, false],
    [2, 0.499, true],
    [2, 0.5, false],
    [9, 0.999, true],
    [0, 0, false],
  ])(
    'at a rate of %d a draw of %d brings about one that has a chance of a quarter: %s',
    (rate, draw, follows) => {
      const spec = {
        kind: 'HostFailure',
        target: { kind: 'Host', row: 1 },
        magnitude: 1,
        lasts: null,
      } as const
      const effect = { chance: 0.25, delayMinutes: [10, 20], follow: () => spec } as const
      const pending = drawAftereffects(quiet, [effect], { id: 7 } as Fault, rate, new FixedStream(draw))
      const at = Math.round(10 + 10 * draw) * minute
      expect(pending).toEqual(follows ? [{ at, spec, whileActive: 7 }] : [])
    },
  )

  /** The first fault is at row 0: feed A of its zone. */
  test.each<[CauseKind, nth: number, draw: number, magnitude: number, unknown]>([
    ['DiskFailure', 0, 0.5, 1, ['DiskFailure', 'Host', 0, 1]],
    ['PowerSupplyFailure', 0, 0.5, 1, ['PowerSupplyFailure', 'Host', 0, 2]],
    ['PowerSupplyFailure', 0, 0.5, 2, ['PowerSupplyFailure', 'Host', 0, 1]],
    ['PowerSupplyFailure', 0, 0.5, 3, null],
    ['SwitchFailure', 0, 0, 1, ['SwitchFailure', 'Switch', 1, 1]],
    ['SwitchFailure', 1, 0, 1, ['FirmwareFault', 'Switch', 1, 0.6]],
    ['GatewayFailure', 0, 0, 1, ['AddonThrottling', 'Gateway', 1, 0.5]],
    ['GatewayFailure', 1, 0, 1, ['GatewayFailure', 'Gateway', 1, 1]],
    ['PowerFeedLoss', 0, 0.299, 1, ['PowerSupplyFailure', 'Switch', expect.any(Number), 2]],
    ['PowerFeedLoss', 0, 0.3, 1, ['PowerSupplyFailure', 'Host', expect.any(Number), 2]],
    ['PowerFeedLoss', 2, 0, 1, ['CoolingFailure', 'CoolingUnit', 0, 1]],
    ['CoolingFailure', 0, 0, 1, ['CoolingFailure', 'CoolingUnit', 1, 1]],
    ['WaterLeak', 0, 0, 1, ['PowerFeedLoss', 'PowerFeed', 0, 1]],
  ])(
    '%s, its aftereffect %i at a draw of %d, of a magnitude of %d: %j',
    (kind, nth, draw, magnitude, expected) => {
      // Zones of the small world have one gateway.
      const { state, faults } = createQuietWorld(1n, kind === 'GatewayFailure' ? 60 : 'small')
      const targets: Partial<Record<CauseKind, FaultTarget['kind']>> = {
        SwitchFailure: 'Switch',
        GatewayFailure: 'Gateway',
        PowerFeedLoss: 'PowerFeed',
        CoolingFailure: 'CoolingUnit',
        WaterLeak: 'CoolingUnit',
      }
      const target = { kind: targets[kind] ?? 'Host', row: 0 } as FaultTarget
      const fault = faults.inject({ kind, target, magnitude, lasts: null })
      const spec = kinds[kind].aftereffects![nth].follow(state, fault, new FixedStream(draw))
      const { target: hit } = spec ?? {}
      expect(spec && [spec.kind, hit!.kind, 'row' in hit! && hit.row, spec.magnitude]).toEqual(expected)
    },
  )
})

describe('work goes wrong', () => {
  const mishapOf = (work: 'repair' | 'upkeep', target: FaultTarget, rate: number, draw: number) =>
    drawMishap(quiet, work, target, rate, new FixedStream(draw))
  const gateway = { kind: 'Gateway', row: 0 } as const

  test.each([
    ['repair', 1, 0.0299, true],
    ['repair', 1, 0.03, false],
    ['repair', 2, 0.0599, true],
    ['repair', 0, 0, false],
    ['upkeep', 1, 0.0599, true],
    ['upkeep', 1, 0.06, false],
    ['upkeep', 1_000, 0.999, true],
  ] as const)('in %s at a rate of %d and a draw of %d: %s', (work, rate, draw, isWrong) => {
    expect(mishapOf(work, gateway, rate, draw) !== null).toBe(isWrong)
  })

  const { topology } = quiet
  const lonely = topology.racks.hosts.find((hosts) => hosts.length > 1)!
  const [host, neighbor] = lonely
  const edge = topology.switches.role.indexOf('edge')
  const cable = topology.ports.cable[topology.hosts.firstPort[host]]
  test.each<['repair' | 'upkeep', FaultTarget, number, unknown]>([
    ['repair', { kind: 'Host', row: host }, 0, ['HostFailure', 'Host', neighbor, 1, null, 1]],
    ['repair', { kind: 'Host', row: host }, 0.5, ['PortFlap', 'Port', expect.any(Number), 1, null, 5]],
    ['repair', { kind: 'Switch', row: edge }, 0.499, ['BroadcastStorm', 'Switch', edge, 1, 40, 4]],
    ['repair', { kind: 'Switch', row: edge }, 0.5, ['PortFlap', 'Port', expect.any(Number), 1, null, 5]],
    ['repair', gateway, 0.5, ['Misconfiguration', 'Gateway', 0, 1, null, 5]],
    ['repair', { kind: 'Appliance', row: 0 }, 0.5, ['Misconfiguration', 'Appliance', 0, 0.175, null, 5]],
    [
      'repair',
      { kind: 'Cable', row: cable },
      0.299,
      ['BroadcastStorm', 'Switch', expect.any(Number), 1, 32, 3],
    ],
    ['repair', { kind: 'Cable', row: cable }, 0.3, ['CableCut', 'Cable', expect.any(Number), 1, null, 3]],
    ['repair', { kind: 'PowerFeed', row: 0 }, 0.5, undefined],
    ['repair', { kind: 'CoolingUnit', row: 0 }, 0.5, undefined],
    ['upkeep', { kind: 'PowerFeed', row: 0 }, 0.5, ['PowerFeedLoss', 'PowerFeed', 0, 1, 53, 5]],
    ['upkeep', { kind: 'CoolingUnit', row: 0 }, 0.5, ['CoolingFailure', 'CoolingUnit', 0, 1, null, 5]],
    ['repair', { kind: 'Customer', id: 1 }, 0.5, undefined],
    ['repair', { kind: 'Pool', row: 0 }, 0.5, undefined],
  ])('in %s of %j, at a draw of %d: %j', (work, target, draw, expected) => {
    const { spec, at } = mishapOf(work, target, 1_000, draw) ?? {}
    const lasts = spec?.lasts ?? null
    const row = spec && 'row' in spec.target && spec.target.row
    expect(
      spec && [
        spec.kind,
        spec.target.kind,
        row,
        rounded(spec.magnitude),
        lasts === null ? null : lasts / minute,
        at! / minute,
      ],
    ).toEqual(expected)
  })
})

test.each([
  [199, 200],
  [200, 200],
])('with %i faults pending, upkeep that goes wrong leaves %i', (before, after) => {
  const { faults } = createQuietWorld(1n)
  const spec = { kind: 'FanFailure', target: { kind: 'Host', row: 1 }, magnitude: 1, lasts: null } as const
  const { pending } = faults.state
  for (let n = 0; n < before; n++) pending.push({ at: day, spec, whileActive: null })
  faults.randomFaultRate = 1_000
  faults.renew({ kind: 'CoolingUnit', row: 0 })
  expect(pending.length).toBe(after)
})

test.each([
  [0.4, 0.49, null],
  [0.4, 0.51, 1.01],
  [0.55, 0.55, 1.2],
])('with feeds at %d and %d of their capacity, the survivor of one trips at %s', (a, b, load) => {
  const { state, faults } = createQuietWorld(1n)
  const { feeds } = state.topology
  const fault = faults.inject({
    kind: 'PowerFeedLoss',
    target: { kind: 'PowerFeed', row: 0 },
    magnitude: 1,
    lasts: null,
  })
  state.facility.feedLoadKw[0] = a * feeds.capacityKw[1]
  state.facility.feedLoadKw[1] = b * feeds.capacityKw[1]
  const spec = kinds.PowerFeedLoss.aftereffects![3].follow(state, fault, new FixedStream(0))
  expect(spec && [spec.target, spec.magnitude]).toEqual(
    load === null ? null : [{ kind: 'PowerFeed', row: 1 }, load],
  )
})

test.each([
  ['ExpiredCertificate', [0.775, 345], 0.05],
  ['FailedRelease', [0.165, 88], 0.2],
  ['DnsError', [0.4, 170], 0.08],
] as const)('%s: %j at a draw of 0.5, mostly by day', (kind, drawn, perDay) => {
  const { state, addTenant } = createQuietWorld(1n)
  addTenant()
  const begun = (hours: number, draw: number) => {
    state.now = hours * hour
    state.random.stream = (name) => new FixedStream(name.endsWith('.how') ? 0.5 : draw)
    const { origin } = kinds[kind]
    return origin.type === 'external' ? origin.createSource(state)(1) : null
  }
  const probability = (perDay * sizeFactor(24)) / 8_640
  const { magnitude, lasts } = begun(9, 0)!
  expect([rounded(magnitude), lasts! / minute]).toEqual(drawn)
  expect(begun(9, 1.799 * probability)).not.toBeNull()
  expect(begun(9, 1.801 * probability)).toBeNull()
  expect(begun(2, 0.401 * probability)).toBeNull()
})

describe('attacks and surges begin', () => {
  function begun(
    kind: 'Attack' | 'DemandSurge',
    occurrence: number,
    severity: number,
    rate = 1,
    isDefended = true,
  ) {
    const { state, addTenant } = createQuietWorld(1n)
    addTenant({ tier: 'Bronze', hosts: new Int32Array(0) })
    addTenant({ tier: 'Bronze' })
    addTenant({ tier: 'Platinum' })
    state.threats.gatewayCapacity.fill(isDefended ? 100 / state.topology.zones[0].gateways.length : 0)
    state.threats.applianceCapacity.fill(0)
    state.random.stream = (name) => new FixedStream(name.endsWith('.how') ? severity : occurrence)
    const { origin } = kinds[kind]
    return origin.type === 'external' ? origin.createSource(state)(rate) : null
  }
  const size = sizeFactor(24)
  test.each([
    ['Attack', 0.8],
    ['DemandSurge', 1],
  ] as const)('%s: %d times a day in a world of 120 hosts', (kind, perDay) => {
    for (const rate of [1, 3]) {
      const probability = (rate * perDay * size) / 8_640
      expect(begun(kind, probability * 1.000_001, 0.5, rate)).toBeNull()
      expect(begun(kind, probability * 0.999_999, 0.5, rate)).not.toBeNull()
    }
    expect(begun(kind, 0, 0.5, 0)).toBeNull()
  })

  /** Defenses stop 100 or nothing. Customer 2 has weight 1, customer 3 weight 3. */
  test.each<[number, boolean, unknown[]]>([
    [0, true, [2, 'Volumetric', 25, 8]],
    [0.249, true, [2, 'Volumetric', 38.695, 23]],
    [0.251, true, [3, 'Volumetric', 38.805, 23]],
    [0.279, false, [3, 'Volumetric', 7.022, 25]],
    [0.281, false, [3, 'Protocol', 1.4835, 22]],
    [0.499, true, [3, 'Protocol', 52.445, 34]],
    [0.501, false, [3, 'Application', 8.513, 83]],
    [0.721, true, [3, 'Intrusion', 64.655, 182]],
    [0.761, true, [3, 'Intrusion', 104.352, 190]],
    [0.841, false, [3, 'Scan', 344.35, 153]],
    [0.929, true, [3, 'Scan', 109.728, 168]],
    [0.931, true, [3, 'Scan', 156.688, 169]],
  ])('at a draw of %d, defended: %s, as %j', (draw, isDefended, expected) => {
    const { target, attackClass, magnitude, lasts } = begun('Attack', 0, draw, 1, isDefended)!
    expect([(target as { id: number }).id, attackClass, rounded(magnitude), lasts! / minute]).toEqual(
      expected,
    )
  })

  test.each([
    [0, [2, 2, 40]],
    [0.119, [2, 2.119, 66]],
    [0.12, [2, 1.316, 66]],
    [0.5, [3, 1.525, 150]],
  ])('a surge at a draw of %d: %j', (draw, expected) => {
    const { target, magnitude, lasts } = begun('DemandSurge', 0, draw)!
    expect([(target as { id: number }).id, rounded(magnitude), lasts! / minute]).toEqual(expected)
  })
})

describe('parts fail together', () => {
  const batch = (given: Partial<WeakBatch>, { topology: { hosts } }: MutableWorld): WeakBatch => ({
    kind: 'DiskFailure',
    device: 'Host',
    zone: hosts.zone[2],
    sku: hosts.sku[2],
    installedFrom: hosts.installed[2],
    installedUntil: hosts.installed[2],
    failsUntil: day,
    ...given,
  })
  test.each<[string, (world: MutableWorld) => Partial<WeakBatch>[], number]>([
    ['of its delivery', () => [{}], 9],
    ['of two that it is of', () => [{}, {}], 81],
    ['of another kind', () => [{ kind: 'FanFailure' }], 1],
    ['of another device', () => [{ device: 'Switch' }], 1],
    ['of another zone', () => [{ zone: 7 }], 1],
    ['of another model', () => [{ sku: 77 }], 1],
    ['that came later', ({ topology }) => [{ installedFrom: topology.hosts.installed[2] + 1 }], 1],
    ['that came earlier', ({ topology }) => [{ installedUntil: topology.hosts.installed[2] - 1 }], 1],
  ])('in a weak batch %s', (_, batches, factor) => {
    const weak = batches(quiet).map((given) => batch(given, quiet))
    expect(batchFactor(quiet, weak, 'DiskFailure', 'Host', 2)).toBe(factor)
  })

  const perDay = 0.1 * sizeFactor(24)
  test.each<[string, draw: number, rate: number, before: number, after: number]>([
    ['begins', perDay - 1e-6, 1, 0, 1],
    ['does not begin', perDay + 1e-6, 1, 0, 0],
    ['begins at twice the rate', 2 * perDay - 1e-6, 2, 0, 1],
    ['is the last of eight', 0, 1, 7, 8],
    ['is not a ninth', 0, 1, 8, 8],
  ])('once in ten days: one %s', (_, draw, rate, before, after) => {
    const weak = Array.from({ length: before }, () => batch({}, quiet))
    updateWeakBatches(quiet, weak, new FixedStream(draw), rate)
    expect(weak.length).toBe(after)
  })

  test.each([
    [0, 'DiskFailure', 5],
    [0.26, 'DiskFailure', 6],
    [0.261, 'PowerSupplyFailure', 6],
    [0.522, 'FanFailure', 8],
    [0.696, 'HostFailure', 9],
    [0.827, 'TransceiverFailure', 10],
  ])('a batch drawn at %d is of %s and fails for %i days', (draw, kind, days) => {
    const weak: WeakBatch[] = [batch({ failsUntil: 0 }, quiet)]
    updateWeakBatches(quiet, weak, new FixedStream(draw), 1_000)
    expect(weak.map((each) => [each.kind, each.failsUntil / day])).toEqual([[kind, days]])
  })

  test.each([
    [10 * day + 3 * hour - 1, 1],
    [10 * day + 3 * hour, 18],
    [10 * day + 15 * hour - 1, 18],
    [10 * day + 15 * hour, 1],
    [9 * day + 5 * hour, 1],
    [11 * day + 5 * hour, 1],
  ])('after an upgrade on day 10, at %d µs: %d times as often', (now, factor) => {
    const { state } = createQuietWorld(1n)
    state.now = now
    expect(campaignFactor(state, { begins: 10 * day }, state.topology.zones[0].edges[0])).toBe(factor)
  })

  test.each([
    [12 * day - 1, 0, 10],
    [12 * day, 0, 34],
    [12 * day, 0.999, 60],
  ])(
    'an upgrade of two zones from day 10 is planned again at %d µs, at a draw of %d, for day %i',
    (now, draw, next) => {
      const { state } = createQuietWorld(1n)
      const campaign = { begins: 10 * day }
      state.now = now
      planCampaign(state, campaign, new FixedStream(draw))
      expect(campaign.begins / day).toBe(next)
    },
  )
})

test.each([
  [2 * day - 1, 0],
  [2 * day, 0.3],
  [14 * day - 1, 0.3],
  [14 * day, 1],
])('%d µs after its repair a part fails %d times as often', (age, factor) => {
  const repaired = new Map()
  const failure = { kind: 'FanFailure', target: { kind: 'Host', row: 1 } } as const
  markRepaired(repaired, failure, day)
  expect(repairedFactor(repaired, failure, day + age)).toBe(factor)
})
