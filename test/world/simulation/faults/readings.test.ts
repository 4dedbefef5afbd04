import { expect, test } from 'vitest'
import { cableKinds } from '../../../../src/contract/vocabularies.ts'
import type { CauseKind } from '../../../../src/contract/vocabularies.ts'
import { causeCatalog, faultKinds } from '../../../../src/world/simulation/faults/kinds.ts'
import type { Condition } from '../../../../src/world/simulation/faults/condition.ts'
import type { Fault } from '../../../../src/world/simulation/faults/model.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { observe } from '../../../../src/world/simulation/incidents/diagnosis/confidence.ts'
import { hour } from '../../../../src/world/simulation/time.ts'
import { FixedStream } from '../fixed-stream.ts'
import { reviewedTexts } from '../../../fixtures/reviewed-texts.ts'
import { createQuietWorld, supplyPower } from '../quiet-world.ts'

const texts = reviewedTexts(new URL('./texts/', import.meta.url))

const telemetry = { demandRatio: () => 1, recentFlaps: () => 0 }

/** The reading of a cause's first check, in a world with one column of the condition set to a value. */
function read(
  kind: CauseKind,
  column: keyof Condition,
  value: number,
  targetKind: 'Host' | 'Cable' | 'Port',
  isPowered = true,
) {
  const { state } = createQuietWorld(1n)
  if (isPowered) supplyPower(state)
  const target: FaultTarget = { kind: targetKind, row: 0 }
  const values = state.condition[column]
  if (typeof values !== 'number') values[0] = value
  return observe({ world: state, catalog: causeCatalog, telemetry }, kind, target, hour)[0]
}

/** Kind, column, level and target, with the value and the detail of the reading. */
test.each([
  ['readings', true],
  ['readings-without-power', false],
] as const)('%s', (name, isPowered) => {
  for (const [reading, lines] of texts.blocks(name)) {
    const [kind, column, level, at] = reading.split(' ')
    const { value, detail } = read(
      kind as CauseKind,
      column as keyof Condition,
      Number(level),
      at as 'Host',
      isPowered,
    )
    expect([reading, value, detail]).toEqual([reading, ...lines])
  }
})

test.each([
  ['Gateway', 'AddonThrottling'],
  ['Gateway', 'Misconfiguration'],
  ['Switch', 'FirmwareFault'],
  ['Switch', 'SwitchFailure'],
  ['Appliance', 'ExpiredLicense'],
  ['Port', 'TransceiverFailure'],
  ['Cable', 'CarrierOutage'],
  ['CoolingUnit', 'CoolingFailure'],
  ['CoolingUnit', 'WaterLeak'],
] as const)('nothing answers in the dark: %s, %s', (targetKind, kind) => {
  const { state } = createQuietWorld(1n)
  state.facility.feedLive.fill(0)
  const [reading] = observe(
    { world: state, catalog: causeCatalog, telemetry },
    kind,
    { kind: targetKind, row: 0 },
    hour,
  )
  expect(reading).toMatchObject({ value: 'no answer', detail: 'It has no power.', likelihood: 1 })
})

test.each([
  [1, 0, 0, 'on utility', '226 V'],
  [0, 0, 0, 'off', '**0 V**'],
  [0, 1, 1.15, 'on utility, breaker behind it open', '**0 V**'],
])(
  'a UPS agrees with its feed: live %d, broken %d, tripped at %d',
  (live, broken, trippedAt, ups, voltage) => {
    const { state } = createQuietWorld(1n)
    state.facility.feedLive[0] = live
    state.facility.feedLoadKw[0] = state.topology.feeds.capacityKw[0]
    state.condition.feedBroken[0] = broken
    state.condition.feedTrippedAt[0] = trippedAt
    const valueOf = (kind: CauseKind) =>
      causeCatalog[kind].checks[0].observe(state, { kind: 'PowerFeed', row: 0 }, telemetry).value
    expect([valueOf('StuckBatteryTest'), valueOf('PowerFeedLoss')]).toEqual([ups, voltage])
  },
)

test('no reading tells days, which an action can belie at any moment', () => {
  const { state, addTenant } = createQuietWorld(1n)
  const customer = { kind: 'Customer', id: addTenant().id } as const
  const targets = {
    ExpiredCertificate: customer,
    FailedRelease: customer,
    ExpiredLicense: { kind: 'Appliance', row: 0 },
  } as const
  for (const [kind, target] of Object.entries(targets))
    expect(causeCatalog[kind as CauseKind].checks[0].observe(state, target, telemetry).value).not.toMatch(
      /day|midnight/,
    )
})

test.each([
  ['cableCut', 1, '-2 dBm'],
  ['portLoss', 0.001, '**-8 dBm**'],
  ['portLoss', 0.1, '**-11 dBm**'],
  ['portLoss', 0.2, '**-14 dBm**'],
  ['portLoss', 0.9, '**-14 dBm**'],
  ['portLoss', 1, '**-27 dBm**'],
] as const)('a transceiver with %s %d receives %s of its own light', (column, level, value) => {
  const reading = read('TransceiverFailure', column, level, 'Port')
  expect(reading.label).toMatch(/^Light received by \*\*.*\*\* in loopback$/)
  expect(reading.value).toBe(value)
  const below = 'A receiver needs -7 dBm or more: the transceiver is failing.'
  expect(reading.detail).toBe(value.startsWith('*') ? below : 'As much as a receiver needs.')
})

test.each([
  [27, '40 % of its capacity', 'The others make up for it: inlet air is at 27 °C at most.', 0.3],
  [31, '**40 % of its capacity**', 'It removes too little heat.', 8],
])(
  'a leak of coolant is evidence where the air is too warm: at %i °C',
  (celsius, value, detail, likelihood) => {
    const { state } = createQuietWorld(1n)
    supplyPower(state)
    state.condition.coolingLost[0] = 0.6
    state.facility.rackInletCelsius.fill(celsius)
    const target = { kind: 'CoolingUnit', row: 0 } as const
    const [reading] = observe(
      { world: state, catalog: causeCatalog, telemetry },
      'CoolingFailure',
      target,
      hour,
    )
    expect(reading).toMatchObject({ value, detail, likelihood })
  },
)

test.each([
  [0.9, '90 %', 'Every host has CPU to spare.', false],
  [0.93, '93 %', 'It is nearly full, but no unit waits.', true],
  [1.004, '100 %', 'It is nearly full, but no unit waits.', true],
  [1.02, '102 %', 'Slightly more than it has, too little for users to notice.', true],
  [1.06, '**106 %', 'Units wait for each other.', true],
])('a pool whose fullest host is asked for %d of its CPU: %s', (demand, value, detail, isPossible) => {
  const { state } = createQuietWorld(1n)
  state.load.contention[0] = demand
  const target = { kind: 'Pool', row: state.topology.hosts.pool[0] } as const
  const reading = causeCatalog.CapacityExhaustion.checks[0].observe(state, target, telemetry)
  expect(reading.value.startsWith(value)).toBe(true)
  expect([reading.detail, reading.likelihood > 0.3]).toEqual([detail, isPossible])
})

test.each([
  [499, '**open end at 250 m**', 'Replace NAME'],
  [500, '**open end at 0.45 km**', 'Have a contractor splice NAME'],
  [12_000, '**open end at 5.45 km**', 'Have a contractor splice NAME'],
])('a fiber of %d m that is cut: %s, %s', (lengthM, value, label) => {
  const { state } = createQuietWorld(1n)
  const { cables } = state.topology
  const row = cables.rows.find((each) => cableKinds[cables.kind[each]] === 'Fiber' && each % 7 === 0)!
  const target = { kind: 'Cable', row } as const
  cables.lengthM[row] = lengthM
  Object.assign(state.condition.cableCut, { [row]: 1 })
  Object.assign(state.condition.cableCutPlace, { [row]: 0.5 })
  expect(causeCatalog.CableCut.checks[0].observe(state, target, telemetry).value).toBe(value)
  const fault = { target } as Fault
  const plan = faultKinds.CableCut.planRepair(
    { name: 'NAME', fault, topology: state.topology },
    new FixedStream(0),
  )
  expect(plan.label).toBe(label)
})

test.each([
  ['traffic flood', 0],
  ['connection flood', 1],
  ['request flood', 2],
  ['break-in attempts', 3],
  ['break-in', 3, true],
  ['probing', 4],
  ['probing', 4, true],
])('hostile traffic at the gateways is read as %s', (value, threat, breached = false) => {
  const { state, addTenant } = createQuietWorld(1n)
  const target = { kind: 'Customer', id: addTenant({ breached }).id } as const
  state.threats.gatewayReaching[threat] = 9
  Object.assign(state.threats.hostile, { attackCount: 1 })
  Object.assign(state.threats.hostile.attacks[0], { customerId: target.id, class: threat })
  expect(causeCatalog.Attack.checks[0].observe(state, target, telemetry).value).toBe(`**${value}**`)
})

test.each([
  ['hostFanBroken', '**0 rpm**', 'A fan is not turning although it is driven.', 'one that stands still.'],
  ['hostAirBlocked', '4,500 rpm', 'All fans turn at the speed set.', 'cold air from the host.'],
] as const)('a host with %s has fans at %s', (column, value, detail, airDetail) => {
  const { state } = createQuietWorld(1n)
  supplyPower(state)
  state.condition[column][0] = 1
  const target = { kind: 'Host', row: 0 } as const
  const [speed, air] = causeCatalog.FanFailure.checks.map((check) => check.observe(state, target, telemetry))
  expect(speed).toMatchObject({ value, detail })
  expect(air.value).toBe('**45 % of the usual**')
  expect(air.detail.endsWith(airDetail)).toBe(true)
})

test.each([
  ['AddonThrottling', 'Gateway', { gatewayThrottle: 0.03 }, 'mostly idle', 'The add-ons keep up.'],
  [
    'AddonThrottling',
    'Gateway',
    { gatewayThrottle: 0.24 },
    'busy, 24 % of forwarding',
    'They filter hostile traffic, as they should.',
  ],
  [
    'FabricSaturation',
    'Appliance',
    { applianceDroppedGbps: 0.14, applianceRefusedGbps: 0.14 },
    'keeps up',
    'The fabric has headroom.',
  ],
] as const)('%s of a %s with %j is unlikely', (kind, targetKind, columns, value, detail) => {
  const { state } = createQuietWorld(1n)
  supplyPower(state)
  for (const [name, level] of Object.entries(columns)) state.network[name as 'gatewayThrottle'][0] = level
  const [reading] = causeCatalog[kind].checks.map((check) =>
    check.observe(state, { kind: targetKind, row: 0 }, telemetry),
  )
  expect(reading).toMatchObject({ value, detail })
  expect(reading.likelihood).toBeLessThan(1)
})

test.each([
  [1, '**1 interruption**'],
  [2, '**2 interruptions**'],
  [1_200, '**1,200 interruptions**'],
])('%d flaps of a port are counted in words', (flaps, value) => {
  const { state } = createQuietWorld(1n)
  const row = state.topology.hosts.firstPort[0]
  state.condition.portFlapping[row] = 1
  const seen = { ...telemetry, recentFlaps: () => flaps }
  expect(causeCatalog.PortFlap.checks[0].observe(state, { kind: 'Port', row }, seen).value).toBe(value)
})
