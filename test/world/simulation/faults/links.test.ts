import { describe, expect, test } from 'vitest'
import type { CauseKind } from '../../../../src/contract/vocabularies.ts'
import { faultKinds } from '../../../../src/world/simulation/faults/kinds.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { hasTransceiver, isOptical } from '../../../../src/world/simulation/topology/optics.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import { selectTargets } from '../../../../src/world/simulation/scenarios/target-selection.ts'
import { createPortRecords } from '../../../../src/world/records/equipment/ports.ts'
import { createQuietWorld } from '../quiet-world.ts'
import { createRunningWorld } from '../running-world.ts'

/** Faults of links fit the medium: transceivers are in ports with fiber, other cables include their connectors. */

const fits = (topology: Parameters<typeof isOptical>[0], kind: CauseKind, target: FaultTarget): boolean => {
  if (kind === 'TransceiverFailure') return target.kind === 'Port' && hasTransceiver(topology, target.row)
  if (kind === 'CableFault') return target.kind === 'Cable' && !isOptical(topology, target.row)
  return true
}

test('cables between racks are fiber, those of hosts are not', () => {
  const { state } = createQuietWorld(1n, 'medium')
  const { topology } = state
  const kindOf = (port: number): boolean => isOptical(topology, topology.ports.cable[port])
  expect(Array.from(topology.hosts.firstPort).some(kindOf)).toBe(false)
  const optical = Array.from({ length: topology.cables.count }, (_, row) => row).filter((row) =>
    isOptical(topology, row),
  )
  expect(optical.length).toBeGreaterThan(20)
})

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

describe.each(['CableFault', 'PortFlap', 'CableCut'] as const)('%s at the cable of a host', (kind) => {
  test('raises no suspicion of a transceiver', () => {
    const world = createRunningWorld(2n, 'medium', 0, 10 * hour)
    const { topology } = world.state
    world.run(10 * minute)
    for (const magnitude of [0.3, 1]) {
      const port = topology.hosts.firstPort[magnitude === 1 ? 5 : 40]
      const target: FaultTarget =
        kind === 'PortFlap' ? { kind: 'Port', row: port } : { kind: 'Cable', row: topology.ports.cable[port] }
      world.faults.inject({ kind, target, magnitude, lasts: null })
    }
    world.run(10 * minute)
    const causes = [...world.incidents.state.open.values()].flatMap((incident) => incident.causes)
    expect(causes.map((cause) => cause.kind)).toContain(kind)
    expect(causes.filter((cause) => !fits(topology, cause.kind, cause.target))).toEqual([])
  })
})

test('a bad cable shows in the error counters of both ends, and is replaced', () => {
  const world = createRunningWorld(2n, 'medium', 0, 10 * hour)
  const { topology } = world.state
  world.run(10 * minute)
  const port = topology.hosts.firstPort[3]
  const peer = topology.ports.peer[port]
  const row = topology.ports.cable[port]
  const fault = world.faults.inject({
    kind: 'CableFault',
    target: { kind: 'Cable', row },
    magnitude: 0.2,
    lasts: null,
  })
  world.run(5 * minute)
  const records = createPortRecords(world.state, () => {})
  records.update()
  for (const end of [port, peer]) {
    expect(world.state.network.portErrors[end]).toBeGreaterThan(0)
    expect(records.listOf(end, 1)[0]).toMatchObject({ media: 'Dac', state: 'Errored' })
  }
  world.run(12 * hour, () => fault.ended !== null)
  const orders = world.work.state.finished.filter((order) => order.fault === fault)
  expect(orders.map(({ label }) => label)).toEqual([expect.stringMatching(/^Replace cable /)])
  expect(orders[0].steps.map(({ detail }) => detail).join('; ')).toMatch(
    /Fetch a cable.*Check errors at both ends/,
  )
  expect([...world.incidents.state.open.values()][0].causes[0].observations[0]).toMatchObject({
    value: '**20 % of frames**',
  })
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
