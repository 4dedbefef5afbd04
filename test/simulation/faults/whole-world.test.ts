import { describe, expect, test } from 'vitest'
import { defenseCapacity } from '../../../src/simulation/attacks/attackers.ts'
import { day, hour } from '../../../src/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'
import { spontaneous } from './spontaneous.ts'

describe('by themselves', () => {
  test('every kind that can be injected comes up within two months', () => {
    const kinds = new Set(spontaneous(2n, 120, 60).map(({ kind }) => kind))
    expect([...kinds].toSorted()).toEqual([
      'AddonThrottling',
      'ApplianceFailure',
      'Attack',
      'BroadcastStorm',
      'CableCut',
      'CableFault',
      'CoolingFailure',
      'DemandSurge',
      'DiskFailure',
      'FanFailure',
      'FirmwareFault',
      'GatewayFailure',
      'HostFailure',
      'Misconfiguration',
      'PortFlap',
      'PowerFeedLoss',
      'PowerSupplyFailure',
      'SwitchFailure',
      'TransceiverFailure',
    ])
  })

  test('a hundred times the hosts see about three times the faults', () => {
    const few = spontaneous(3n, 24, 20).length / 20
    const many = spontaneous(3n, 2_400, 2).length / 2
    expect(few).toBeGreaterThan(5)
    expect(many / few).toBeGreaterThan(2)
    expect(many / few).toBeLessThan(5)
  })

  test('twice the spontaneity breaks about twice as much', () => {
    const once = spontaneous(4n, 120, 20, 1).length
    const twice = spontaneous(4n, 120, 20, 2).length
    expect(twice / once).toBeGreaterThan(1.6)
    expect(twice / once).toBeLessThan(2.4)
  })
})

describe('attacks', () => {
  test('are sized against the defences in front of their target, and most stay below them', () => {
    const { state, faults, run } = createRunningWorld(7n, 'medium', 6, 9 * hour)
    let below = 0
    let all = 0
    const seen = new Set<number>()
    run(2 * day, () => {
      for (const { id, attack, magnitude } of faults.active) {
        if (attack === null || seen.has(id)) continue
        seen.add(id)
        all++
        if (magnitude < defenseCapacity(state, attack.customerId, attack.class)) below++
      }
    })
    expect(all).toBeGreaterThan(20)
    expect(below / all).toBeGreaterThan(0.6)
    expect(below / all).toBeLessThan(0.98)
  })
})
