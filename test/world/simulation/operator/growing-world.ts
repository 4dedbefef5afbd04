import { createSimulation } from '../../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import type { ScaleName } from '../../../../src/world/simulation/topology/sizing.ts'
import type { SavedWorld } from '../../../../src/world/simulation/world.ts'
import { hostsThatFit, placeForRack } from '../../../../src/world/simulation/topology/construction/room.ts'
import { upgradableRoles } from '../../../../src/world/simulation/topology/works.ts'
import type { Works } from '../../../../src/world/simulation/topology/works.ts'
import { cablingViolations } from '../../properties/cabling.ts'
import { watchCountersAndMoney, watchEveryStep } from '../../properties/counters-and-money.ts'
import { watchIdsAndReferences } from '../../properties/ids-and-references.ts'
import { powerViolations } from '../../properties/power.ts'
import { rangeViolations } from '../../properties/ranges.ts'
import { sumViolations } from '../../properties/sums.ts'
import { threatAndCapacityViolations } from '../../properties/threats-and-capacity.ts'
import { trafficViolations } from '../../properties/traffic.ts'
import { checkedWorldOf } from '../../properties/checked-world.ts'

export const worldOf = (scale: number | ScaleName, seed = 7n, saved: SavedWorld | null = null): Simulation =>
  createSimulation({ seed, scale, scenario: null, warmUp: 0, speed: 60 }, saved)

/** Works of every kind, in each of `rounds` rounds as many racks and hosts as fit. */
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
  yield { kind: 'Generation' }
  if (zones.length < site.topology.zoneCapacity) yield { kind: 'Zone', region: 0, hosts: 9 }
  yield { kind: 'Renewal', host: 3 }
}

/** Runs a world step by step and checks the invariants at the end of each run; returns the violations. */
export function createRun(sim: Simulation): (steps: number) => string[] {
  const everyStep = watchEveryStep()
  const checks = [
    watchIdsAndReferences(),
    cablingViolations,
    trafficViolations,
    threatAndCapacityViolations,
    watchCountersAndMoney(),
    powerViolations,
    sumViolations,
    rangeViolations,
  ]
  return (steps) => {
    const wrong: string[] = []
    for (let step = 0; step < steps; step++) {
      sim.step()
      wrong.push(...everyStep(sim))
    }
    const look = checkedWorldOf(sim)
    for (const check of checks) wrong.push(...check(look))
    return wrong
  }
}

/** Runs a world while all works are carried out, and checks the invariants after each. */
export function violationsWhileGrowing(sim: Simulation, rounds: number): string[] {
  const run = createRun(sim)
  const wrong = run(30)
  for (const works of allWorks(sim, rounds)) {
    sim.parts.construct(works)
    wrong.push(...run(7))
    if (wrong.length > 0) return [`after ${JSON.stringify(works)}`, ...wrong.slice(0, 10)]
  }
  return [...wrong, ...run(360)]
}
