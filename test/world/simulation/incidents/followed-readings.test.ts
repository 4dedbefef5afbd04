import { expect, test } from 'vitest'
import { createSimulation } from '../../../../src/world/records/simulation.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { followEvents } from '../follow-events.ts'
import { createRunningWorld } from '../running-world.ts'

/** Readings and sentences follow the world. */

test('an array that a second SSD loses is read again, and after the repair the reading says when it was taken', () => {
  const { faults, incidents, run } = createRunningWorld(2n, 'small', 0, 10 * hour)
  run(10 * minute)
  const fail = { kind: 'DiskFailure', target: { kind: 'Host', row: 3 }, magnitude: 1, lasts: null } as const
  const first = faults.inject(fail)
  run(10 * minute)
  const [incident] = incidents.state.open.values()
  const readings = () => incident.causes[0].observations.map(({ value, detail }) => `${value}: ${detail}`)
  expect(readings()).toEqual(['**1 SSD failed**: The array is running degraded.'])
  const second = faults.inject(fail)
  run(3 * minute)
  expect(readings()).toEqual(['**2 SSDs failed**: The array is lost: it does not survive a second failure.'])
  faults.repair(first)
  run(3 * minute)
  expect(readings()).toEqual([expect.stringMatching(/^\*\*1 SSD failed/)])
  faults.repair(second)
  run(20 * minute)
  expect(incident.resolved).not.toBeNull()
  expect(readings()).toEqual([
    expect.stringMatching(/^\*\*2 SSDs failed\*\*: The array is lost: .+\. Read at 10:\d\d\.$/),
  ])
})

test('nothing is healthy again in the dark', () => {
  const { state, faults, run } = createRunningWorld(2n, 'small', 0, 10 * hour)
  run(10 * minute)
  const [zone] = state.topology.zones
  const [a, b] = zone.feeds
  const [host] = zone.hosts
  const [edge] = zone.edges
  for (const target of [{ kind: 'Host', row: host } as const, { kind: 'Switch', row: edge } as const])
    faults.inject({ kind: 'PowerSupplyFailure', target, magnitude: 2, lasts: null })
  const lose = (row: number) =>
    faults.inject({ kind: 'PowerFeedLoss', target: { kind: 'PowerFeed', row }, magnitude: 1, lasts: null })
  const since = followEvents(state)
  lose(a)
  run(10 * minute)
  lose(b)
  run(20 * minute)
  expect(since().filter(({ kind }) => kind === 'PartRestored')).toEqual([])
  faults.active.slice().forEach((fault) => faults.repair(fault))
  run(15 * minute)
  const restored = since().filter(({ kind }) => kind === 'PartRestored')
  expect(restored.map(({ entity_kind: kind }) => kind)).toEqual(expect.arrayContaining(['Switch']))
})

test.each(['FailedRelease', 'ExpiredCertificate', 'DnsError'] as const)(
  'no service that users call runs as promised while their requests fail by %s',
  (kind) => {
    const sim = createSimulation({ seed: 2n, scale: 'small', scenario: null, warmUp: 0, speed: 60 })
    sim.state.faults.randomFaultRate = 0
    while (sim.state.now < hour) sim.step()
    const { customers } = sim.snapshot().collections
    const running = customers.find(({ services }) => services.every(({ state }) => state === 'Running'))!
    const target = { kind: 'Customer', id: Number(running.id) } as const
    sim.state.faults.inject({ kind, target, magnitude: 0.5, lasts: hour })
    for (let step = 0; step < 12; step++) sim.step()
    sim.snapshot()
    expect(running.health).toBeLessThan(0.99)
    expect(running.services.map(({ state }) => state)).toContain('Degraded')
  },
)
