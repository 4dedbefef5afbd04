import { deserialize, serialize } from 'node:v8'
import { describe, expect, test } from 'vitest'
import { collectorNames } from '../../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import { createSimulation, type Simulation } from '../../../src/records/simulation.ts'
import { hostsThatFit, placeForRack } from '../../../src/simulation/topology/build/room.ts'
import { upgradableRoles, type Works } from '../../../src/simulation/topology/works.ts'
import type { ScaleName } from '../../../src/simulation/topology/sizing.ts'
import type { SavedWorld } from '../../../src/simulation/world.ts'
import { cablingViolations } from '../../properties/cabling.ts'
import { watchCountersAndMoney, watchEveryStep } from '../../properties/counters-and-money.ts'
import { watchIdsAndReferences } from '../../properties/ids-and-references.ts'
import { rangeViolations } from '../../properties/ranges.ts'
import { threatAndCapacityViolations } from '../../properties/threats-and-capacity.ts'
import { trafficViolations } from '../../properties/traffic.ts'
import { violationsIn } from '../../properties/invariants.ts'
import { viewOf } from '../../properties/world-view.ts'
import { day, hour } from '../../../src/simulation/time.ts'

const patient = { timeout: 120_000 }

const worldOf = (scale: number | ScaleName, seed = 7n, saved: SavedWorld | null = null): Simulation =>
  createSimulation({ seed, scale, scenario: null, warmUp: 0, speed: 60 }, saved)

/** Works of every kind, and as many racks and hosts as fit in `rounds` rounds. */
function* allWorks({ state: { site } }: Simulation, rounds: number): Generator<Works> {
  const { zones, pools } = site.topology
  for (let round = 0; round < rounds; round++) {
    for (let zone = 0; zone < zones.length; zone++) {
      if (placeForRack(site, zone) !== null) yield { kind: 'Rack', zone }
      for (let pool = 0; pool < pools.length; pool++) {
        const count = hostsThatFit(site, zone, pool, 3)
        if (count > 0) yield { kind: 'Hosts', zone, pool, count }
      }
    }
  }
  for (const role of upgradableRoles) yield { kind: 'Links', zone: 0, role, gbps: 100 }
  yield { kind: 'Device', device: 'Switch', row: zones[0].cores[0], fabricGbps: 4_000 }
  yield { kind: 'Device', device: 'Gateway', row: 0, fabricGbps: 1_000 }
  yield { kind: 'Device', device: 'Appliance', row: 0, fabricGbps: 1_000 }
  yield { kind: 'Cooling', zone: 0, kw: 20 }
  yield { kind: 'Power', zone: 0, kw: 25 }
  yield { kind: 'Renewal', host: 3 }
}

/** Runs a world while all works are carried out, and holds it against the invariants after each. */
function violationsWhileGrowing(sim: Simulation, rounds: number): string[] {
  const everyStep = watchEveryStep()
  const checks = [
    watchIdsAndReferences(),
    cablingViolations,
    trafficViolations,
    threatAndCapacityViolations,
    watchCountersAndMoney(),
    rangeViolations,
  ]
  const wrong: string[] = []
  const runAndLook = (steps: number): void => {
    for (let step = 0; step < steps; step++) {
      sim.step()
      wrong.push(...everyStep(sim))
    }
    const look = viewOf(sim)
    for (const check of checks) wrong.push(...check(look))
  }
  runAndLook(30)
  for (const works of allWorks(sim, rounds)) {
    sim.parts.construct(works)
    runAndLook(7)
    if (wrong.length > 0) return [`after ${JSON.stringify(works)}`, ...wrong.slice(0, 10)]
  }
  runAndLook(360)
  return wrong
}

describe('a world that is built on', () => {
  test.each([
    ['small', 2, 45],
    ['medium', 4, 250],
    [600, 1, 650],
    [6, 3, 14],
  ] as const)('keeps all invariants at scale %s', patient, (scale, rounds, hostsMin) => {
    const sim = worldOf(scale)
    expect(violationsWhileGrowing(sim, rounds)).toEqual([])
    const { collections } = sim.snapshot()
    expect(collections.hosts.length).toBe(sim.state.topology.hosts.count)
    expect(collections.hosts.length).toBeGreaterThanOrEqual(hostsMin)
    expect(collections.cables.length).toBe(sim.state.topology.cables.count)
  })

  test('shows new hosts in records, history and exposition, and they take units', patient, () => {
    const sim = worldOf('small')
    for (let step = 0; step < 60; step++) sim.step()
    const exposition = createExposition({ collectors: collectorNames })
    exposition.render(sim.snapshot())
    const before = sim.state.topology.hosts.count
    sim.parts.construct({ kind: 'Rack', zone: 1 })
    sim.parts.construct({ kind: 'Hosts', zone: 1, pool: 0, count: 2 })
    for (let step = 0; step < 60; step++) sim.step()
    const { hosts, azs, hostPools, switches } = sim.snapshot().collections
    const added = hosts.slice(before)
    expect(added.map(({ online, pool_id, sku_name }) => [online, pool_id, sku_name])).toEqual([
      [true, 1, 'Kestrel R1-96'],
      [true, 1, 'Kestrel R1-96'],
    ])
    expect(azs[1].racks.at(-1)).toMatchObject({ host_count: 2, hosts_online: 2, power_capacity_kw: 22 })
    expect(hostPools[0].host_ids).toEqual(expect.arrayContaining(added.map(({ id }) => id)))
    expect(switches.filter(({ rack_id }) => rack_id === azs[1].racks.at(-1)?.id)).toHaveLength(2)
    const text = exposition
      .render(sim.snapshot())
      .map(({ bytes }) => new TextDecoder().decode(bytes))
      .join('')
    for (const { id } of added) expect(text).toContain(`dcsim_host_info{host="${id}"`)
    const shown = sim.history.entities.filter(({ subject }) => subject === 'hosts')
    expect(shown).toHaveLength(before + 2)
    const account = sim.customers.state.accounts[0]
    const services = sim.customers.state.services
    services.requested[account.services[0]] += 200
    account.requestedUnits += 200
    sim.customers.state.capacity.roomVersion++
    for (let step = 0; step < 12; step++) sim.step()
    expect(
      Math.max(
        ...sim
          .snapshot()
          .collections.hosts.slice(before)
          .map((host) => host.unit_count),
      ),
    ).toBeGreaterThan(0)
  })

  test('continues from its saved state as if it had not been stopped', patient, () => {
    const sim = worldOf('small', 11n)
    for (let step = 0; step < 60; step++) sim.step()
    for (const works of allWorks(sim, 1)) sim.parts.construct(works)
    for (let step = 0; step < 60; step++) sim.step()
    const saved = deserialize(serialize(sim.savedWorld())) as SavedWorld
    const continued = worldOf('small', 11n, saved)
    for (const world of [sim, continued]) {
      for (let step = 0; step < 30; step++) world.step()
      world.parts.construct({ kind: 'Rack', zone: 1 })
      world.parts.construct({ kind: 'Hosts', zone: 1, pool: 0, count: 1 })
      for (let step = 0; step < 720; step++) world.step()
    }
    expect(continued.snapshot().collections).toEqual(sim.snapshot().collections)
  })
})

test('a world that its operator has enlarged for weeks keeps all invariants', patient, () => {
  const world = { seed: 21n, scale: 'small', warmUp: 35 * day, span: 2 * hour, lookEvery: hour } as const
  expect(violationsIn(world)).toEqual([])
})
