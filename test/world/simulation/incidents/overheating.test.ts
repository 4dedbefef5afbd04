import { describe, expect, test } from 'vitest'
import { causeCatalog } from '../../../../src/world/simulation/faults/kinds.ts'
import {
  lacksCooling,
  presentReach,
} from '../../../../src/world/simulation/incidents/correlation/blast-radius.ts'
import {
  createSimilarity,
  similarityMin,
} from '../../../../src/world/simulation/incidents/correlation/similarity.ts'
import type { Symptom } from '../../../../src/world/simulation/incidents/model.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import { createRunningWorld } from '../running-world.ts'
import type { RunningWorld } from '../running-world.ts'
import { symptomAt } from './symptom-fixture.ts'

const from = 10 * hour
const unitOf = ({ state }: RunningWorld, nth = 0): FaultTarget => ({
  kind: 'CoolingUnit',
  row: state.topology.zones[0].coolingUnits[nth],
})

function worldAt(seed: bigint): RunningWorld {
  const world = createRunningWorld(seed, 'small', 0, from)
  world.run(10 * minute)
  return world
}

const fail = ({ faults }: RunningWorld, target: FaultTarget, magnitude: number) =>
  faults.inject({ kind: 'CoolingFailure', target, magnitude, lasts: null })

/** Heats host 0, at a given inlet temperature. */
function heat({ state: { facility, topology } }: RunningWorld, celsius: number, inlet: number): void {
  facility.hostCelsius[0] = celsius
  facility.rackInletCelsius[topology.hosts.rack[0]] = inlet
}

describe('a host suffers from a lack of cooling', () => {
  const world = worldAt(1n)
  const { state, blastRadius } = world

  test.each([
    ['that is merely warm in warm air', 62, 30, false],
    ['that is hot in cool air', 76, 24, false],
    ['that is hot in warm air', 69, 30, true],
  ])('not unless it overheats in air that is too warm: one %s', (_, celsius, inlet, suffers) => {
    heat(world, celsius, inlet)
    expect(lacksCooling(state, 0)).toBe(suffers)
    expect(presentReach(state, blastRadius, unitOf(world))(0)).toBe(suffers)
    const { explains } = createSimilarity(state, blastRadius)
    const silent = symptomAt('host-silent', { kind: 'Host', row: 0 })
    for (const cause of [
      symptomAt('cooling-stopped', unitOf(world)),
      symptomAt('zone-hot', { kind: 'Zone', row: 0 }),
    ])
      expect(explains(cause, silent) >= similarityMin).toBe(suffers)
  })
})

describe('a leak of coolant', () => {
  test('is evidence only where the zone is too warm', () => {
    const world = worldAt(1n)
    const { state, incidents } = world
    fail(world, unitOf(world), 0.6)
    const observe = () =>
      causeCatalog.CoolingFailure.checks[0].observe(state, unitOf(world), incidents.context.telemetry)
    world.run(minute)
    expect(observe()).toMatchObject({
      value: '40 % of its capacity',
      detail: expect.stringMatching(/^The others make up for it: inlet air is at 2\d °C at most\.$/),
    })
    expect(observe().likelihood).toBeLessThan(1)
    heat(world, 50, 31)
    expect(observe()).toMatchObject({
      value: '**40 % of its capacity**',
      detail: 'It removes too little heat.',
      likelihood: 8,
    })
  })

  test('is not why a host with a blocked airway is hot', () => {
    const world = worldAt(2n)
    const { state, faults, incidents, run } = world
    const { hosts } = state.topology
    const leak = fail(world, unitOf(world), 0.6)
    const busiest = hosts.rows
      .filter((row) => hosts.zone[row] === 0)
      .toSorted((a, b) => state.facility.hostCelsius[b] - state.facility.hostCelsius[a])[0]
    const target = { kind: 'Host', row: busiest } as const
    const blocked = faults.inject({ kind: 'FanFailure', target, magnitude: 0.5, lasts: null })
    run(3 * hour, () => incidents.state.open.values().some(({ confirmed }) => confirmed))
    const [incident] = incidents.state.open.values()
    expect(incident.headline.kind).toBe('Overheating')
    expect(incident.root).toBe(blocked)
    expect(leak.incidentId).toBeNull()
  })
})

describe('where all cooling has stopped', () => {
  test('one incident has the hosts that overheat, and the heat that fades after the repair', () => {
    const world = worldAt(3n)
    const { state, faults, incidents, run } = world
    const failed = state.topology.zones[0].coolingUnits.map((_, nth) => fail(world, unitOf(world, nth), 1))
    const isHot = () =>
      incidents.state.open.values().some(({ symptoms }) => symptoms.values().some(isOfHotHost))
    const isOfHotHost = ({ signal, subject }: Symptom): boolean =>
      signal === 'host-hot' && subject.kind === 'Host' && lacksCooling(state, subject.row)
    run(day, isHot)
    expect(isHot()).toBe(true)
    run(20 * minute)
    const opened = incidents.state.openedCount
    for (const fault of failed) if (fault.ended === null) faults.repair(fault)
    run(2 * hour)
    expect(incidents.state.openedCount).toBe(opened)
    expect(incidents.state.open.size).toBe(0)
    for (const { timeline } of incidents.state.resolved)
      expect(timeline.some(({ detail }) => detail.includes('What remains'))).toBe(false)
  })
})
