import { describe, expect, test } from 'vitest'
import {
  createAttackSource,
  defenseCapacity,
} from '../../../../src/world/simulation/faults/hazards/attackers.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'
import { randomFaultsOf } from './random-faults.ts'

describe('by themselves', () => {
  test('every kind that can be injected comes up within five years, or two months at thirty times the rate', () => {
    const kinds = new Set(randomFaultsOf(2n, 120, 60, 30).map(({ kind }) => kind))
    expect([...kinds].toSorted()).toEqual(
      [
        'AddonThrottling ApplianceFailure Attack BroadcastStorm CableCut CableFault CarrierOutage',
        'ClockDrift CoolingFailure DemandSurge DiskFailure DnsError ExpiredCertificate ExpiredLicense',
        'FailedRelease FanFailure FirmwareFault GatewayFailure HostFailure MemoryErrors',
        'Misconfiguration PortFlap PowerFeedLoss PowerSupplyFailure RouteLeak StuckBatteryTest',
        'SwitchFailure TransceiverFailure WaterLeak',
      ].flatMap((line) => line.split(' ')),
    )
  })

  test('a hundred times the hosts see about seven times the faults', () => {
    const few = randomFaultsOf(3n, 24, 60).length / 60
    const many = randomFaultsOf(3n, 2_400, 2).length / 2
    expect(few).toBeGreaterThan(2)
    expect(many / few).toBeGreaterThan(5)
    expect(many / few).toBeLessThan(10)
  })

  test('twice the spontaneity breaks about twice as much', () => {
    const once = randomFaultsOf(4n, 120, 20, 1).length
    const twice = randomFaultsOf(4n, 120, 20, 2).length
    expect(twice / once).toBeGreaterThan(1.6)
    expect(twice / once).toBeLessThan(2.4)
  })
})

describe('attacks', () => {
  test('are sized against the defenses in front of their target, and most stay below them', () => {
    const { state, run } = createRunningWorld(7n, 'medium', 0, 9 * hour)
    run(minute)
    const draw = createAttackSource(state)
    const begins = 1e9
    const attacks = Array.from({ length: 400 }, () => draw(begins))
    const below = attacks.filter((spec) => {
      const { target, magnitude, attackClass } = spec!
      if (target.kind !== 'Customer') throw new Error('an attack is aimed at a customer')
      return magnitude < defenseCapacity(state, target.id, attackClass!)
    })
    expect(below.length / attacks.length).toBeGreaterThan(0.6)
    expect(below.length / attacks.length).toBeLessThan(0.95)
  })
})
