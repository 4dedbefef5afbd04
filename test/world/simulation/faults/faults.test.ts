import { describe, expect, test } from 'vitest'
import type { FaultSpec } from '../../../../src/world/simulation/faults/model.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { hour, minute, stepLength } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../quiet-world.ts'

const host: FaultTarget = { kind: 'Host', row: 3 }
const order = (given: Partial<FaultSpec>): FaultSpec => ({
  kind: 'HostFailure',
  target: host,
  magnitude: 1,
  lasts: null,
  ...given,
})

describe('the condition of a target', () => {
  test('that are shares take from what the other leaves', () => {
    const { state, faults } = createQuietWorld(1n)
    const firmware = { kind: 'FirmwareFault', target: { kind: 'Switch', row: 0 }, magnitude: 0.5 } as const
    faults.inject(order(firmware))
    const second = faults.inject(order(firmware))
    expect(state.condition.switchFabricLost[0]).toBe(0.75)
    faults.repair(second)
    expect(state.condition.switchFabricLost[0]).toBe(0.5)
  })

  test('tell that they have changed', () => {
    const { state, faults } = createQuietWorld(1n)
    const before = state.condition.version
    faults.inject(order({}))
    faults.setMaintenance(5, true)
    expect(state.condition.version).toBe(before + 2)
    expect(state.condition.hostMaintenance[5]).toBe(1)
    faults.setMaintenance(5, false)
    faults.setMaintenance(5, false)
    expect(state.condition.hostMaintenance[5]).toBe(0)
  })
})

describe('a fault', () => {
  test('ends by itself when its time has come', () => {
    const { state, faults } = createQuietWorld(1n)
    const storm = faults.inject(
      order({ kind: 'BroadcastStorm', target: { kind: 'Switch', row: 0 }, lasts: 5 * minute }),
    )
    state.now = 5 * minute - stepLength
    faults.step()
    expect(storm.ended).toBeNull()
    state.now = 5 * minute
    faults.step()
    expect(storm.ended).toBe(5 * minute)
    expect(faults.active).not.toContain(storm)
    expect(faults.ended).toContain(storm)
  })

  test('has an id that no other ever has', () => {
    const { faults } = createQuietWorld(1n)
    const ids = Array.from({ length: 20 }, () => {
      const fault = faults.inject(order({}))
      faults.repair(fault)
      return fault.id
    })
    expect(new Set(ids).size).toBe(20)
  })
})

describe('wear', () => {
  test('is gone when the part is renewed, and that of SSDs when they are replaced', () => {
    const { state, faults } = createQuietWorld(1n)
    state.now = 3 * hour
    state.condition.hostWear.fill(0.6)
    const installed = state.topology.hosts.installed[3]
    faults.repair(faults.inject(order({ kind: 'DiskFailure' })))
    expect(state.condition.hostWear[3]).toBe(0)
    expect(state.topology.hosts.installed[3]).toBe(installed)
    faults.renew({ kind: 'Host', row: 4 })
    expect(state.condition.hostWear[4]).toBe(0)
    expect(state.topology.hosts.installed[4]).toBe(3 * hour)
    faults.repair(faults.inject(order({ kind: 'SwitchFailure', target: { kind: 'Switch', row: 1 } })))
    expect(state.topology.switches.installed[1]).toBe(3 * hour)
  })
})
