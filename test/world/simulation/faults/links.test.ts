import { expect, test } from 'vitest'
import type { CauseKind } from '../../../../src/contract/vocabularies.ts'
import { faultKinds } from '../../../../src/world/simulation/faults/kinds.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { hasTransceiver, isOptical } from '../../../../src/world/simulation/topology/optics.ts'
import { day } from '../../../../src/world/simulation/time.ts'
import { selectTargets } from '../../../../src/world/simulation/scenarios/target-selection.ts'
import { createQuietWorld } from '../quiet-world.ts'

/** Faults of links fit the medium: transceivers are in ports with fiber, other cables include their connectors. */

const fits = (topology: Parameters<typeof isOptical>[0], kind: CauseKind, target: FaultTarget): boolean => {
  if (kind === 'TransceiverFailure') return target.kind === 'Port' && hasTransceiver(topology, target.row)
  if (kind === 'CableFault') return target.kind === 'Cable' && !isOptical(topology, target.row)
  return true
}

test('what breaks by itself breaks where it can', () => {
  const world = createQuietWorld(3n, 'medium')
  world.faults.randomFaultRate = 20
  for (const end = 2 * day; world.state.now < end; world.state.now += 10_000_000, world.state.tick++)
    world.faults.step()
  const { active, ended } = world.faults
  const faults = [...active, ...ended]
  const count = (kind: CauseKind): number => faults.filter((fault) => fault.kind === kind).length
  expect(count('TransceiverFailure')).toBeGreaterThan(5)
  expect(count('CableFault')).toBeGreaterThan(5)
  expect(faults.filter(({ kind, target }) => !fits(world.state.topology, kind, target))).toEqual([])
})

test('scenarios aim transceiver failures at ports with a transceiver, and cable faults at other cables', () => {
  const { state } = createQuietWorld(1n, 'medium')
  const selector = {
    id: null,
    zone: null,
    role: null,
    side: null,
    name: null,
    tier: null,
    share: 1,
    count: 0,
    pick: 'first',
  }
  for (const [kind, on] of [
    ['TransceiverFailure', 'Port'],
    ['CableFault', 'Cable'],
  ] as const) {
    const { applies } = faultKinds[kind].action!
    const targets = selectTargets(state, { ...selector, kind: on } as never, (target) =>
      applies!(state, target as never),
    )
    expect(targets.length).toBeGreaterThan(20)
    expect(targets.filter((target) => !fits(state.topology, kind, target))).toEqual([])
  }
})
