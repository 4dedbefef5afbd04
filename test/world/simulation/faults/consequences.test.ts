import { describe, expect, test } from 'vitest'
import { cableKinds } from '../../../../src/contract/vocabularies.ts'
import {
  cutSameDuct,
  drawAftereffects,
} from '../../../../src/world/simulation/faults/hazards/aftereffects.ts'
import type { Aftereffect } from '../../../../src/world/simulation/faults/hazards/aftereffects.ts'
import { markRepaired } from '../../../../src/world/simulation/faults/hazards/repaired.ts'
import type { RepairTimes } from '../../../../src/world/simulation/faults/hazards/repaired.ts'
import { causeCatalog } from '../../../../src/world/simulation/faults/kinds.ts'
import type { FaultSpec } from '../../../../src/world/simulation/faults/model.ts'
import { day, minute, stepLength } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../quiet-world.ts'
import type { QuietWorld } from '../quiet-world.ts'

const spec = (given: Partial<FaultSpec>): FaultSpec => ({
  kind: 'HostFailure',
  target: { kind: 'Host', row: 3 },
  magnitude: 1,
  lasts: null,
  ...given,
})

/** Makes an aftereffect certain and immediate. */
const certainly = (effect: Aftereffect): Aftereffect => ({ ...effect, chance: 1, delayMinutes: [0, 0] })

function stepFaults({ state, faults }: QuietWorld, minutes: number): void {
  for (let i = 0; i < minutes * 6; i++) {
    state.now += stepLength
    state.tick++
    faults.step()
  }
}

describe('a second failure', () => {
  test('of lines in one duct is at the place of the first', () => {
    const { state, faults } = createQuietWorld(1n)
    const { cables } = state.topology
    const row = cables.rows.find((each) => cableKinds[cables.kind[each]] === 'WanFiber')!
    const first = faults.inject(spec({ kind: 'CableCut', target: { kind: 'Cable', row } }))
    const effect = certainly(cutSameDuct(0, [0, 0]))
    const [second] = drawAftereffects(state, [effect], first, 1, state.random.stream('test'))
    state.now += minute
    const cut = faults.inject(second.spec)
    const [check] = causeCatalog.CableCut.checks
    const telemetry = { demandRatio: () => 1, recentFlaps: () => 0 }
    const km = [first, cut].map(({ target }) =>
      Number(/^\*\*open end at ([0-9.]+) km\*\*$/.exec(check.observe(state, target, telemetry).value)?.[1]),
    )
    expect(Math.abs(km[0] - km[1])).toBeLessThan(0.1)
    expect(faults.inject(spec({ kind: 'CableCut', target: cut.target })).place).not.toBe(first.place)
  })

  test('of the same is not of what another fault has broken already', () => {
    const world = createQuietWorld(1n)
    const { state, faults } = world
    const cut = (row: number): FaultSpec => spec({ kind: 'CableCut', target: { kind: 'Cable', row } })
    const first = faults.inject(cut(0))
    for (const at of [state.now + minute, state.now + 2 * minute])
      faults.state.pending.push({ at, spec: cut(1), whileActive: first.id })
    stepFaults(world, 5)
    expect(state.condition.cableCut[1]).toBe(1)
    // A failure of another SSD on the host of the first one is a separate fault.
    const disk = faults.inject(spec({ kind: 'DiskFailure' }))
    faults.state.pending.push({
      at: state.now + minute,
      spec: spec({ kind: 'DiskFailure' }),
      whileActive: disk.id,
    })
    stepFaults(world, 5)
    expect(state.condition.hostDiskBroken[3]).toBe(2)
  })

  test('comes while the first one lasts, and not after its repair', () => {
    const world = createQuietWorld(1n)
    const { state, faults } = world
    faults.randomFaultRate = 0
    const first = faults.inject(spec({ kind: 'PowerSupplyFailure', magnitude: 1 }))
    const repaired = faults.inject(spec({ kind: 'PowerSupplyFailure', target: { kind: 'Host', row: 4 } }))
    for (const { id, target } of [first, repaired]) {
      const second = spec({ kind: 'PowerSupplyFailure', target, magnitude: 2 })
      faults.state.pending.push({ at: state.now + 10 * minute, spec: second, whileActive: id })
    }
    stepFaults(world, 5)
    faults.repair(repaired)
    expect(state.condition.hostSupplyBroken[3]).toBe(1)
    stepFaults(world, 6)
    expect(state.condition.hostSupplyBroken[3]).toBe(3)
    expect(state.condition.hostSupplyBroken[4]).toBe(0)
    expect(faults.state.pending).toEqual([])
  })
})

describe('what was repaired', () => {
  const failure = { kind: 'CoolingFailure', target: { kind: 'CoolingUnit', row: 1 } } as const

  test('is forgotten after that time', () => {
    const repaired: RepairTimes = new Map()
    markRepaired(repaired, failure, day)
    markRepaired(repaired, { ...failure, target: { kind: 'CoolingUnit', row: 2 } }, 15 * day)
    expect(repaired.size).toBe(1)
  })
})
