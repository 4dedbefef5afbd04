import { expect, test } from 'vitest'
import type { Snapshot } from '../../../src/contract/collections.ts'
import { isDue, schedule } from '../../../src/world/simulation/schedule.ts'
import { day } from '../../../src/world/simulation/time.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import { isNight, sweepSeeds } from '../../fixtures/seeds.ts'
import { begin, fingerprint } from './fingerprint.ts'

/** Makes the next step compute what follows from inputs that have not changed. */
function forget({ state, customers }: Simulation): void {
  const { facility, network } = state
  // Between minutes temperatures and draws stay as they were, no matter what is computed beside.
  if (isDue(schedule.heat, state.tick)) facility.conditionVersion = -1
  network.links.conditionVersion = -1
  for (const known of [
    network.routes.known,
    network.flows.known,
    customers.state.quality.known,
    customers.state.placement.known,
  ])
    known.fill(-1)
}

/** Without the revenue that incidents put at risk: it is booked in turns, and theirs is that of the last news. */
function fingerprintOf(snapshot: Snapshot): string {
  const { incidents, resolvedIncidents } = snapshot.collections
  for (const incident of [...incidents, ...resolvedIncidents]) incident.revenue_at_risk_per_hour_dollars = 0
  return fingerprint(snapshot)
}

/** A step computes only what can have changed. */
test.each(sweepSeeds(5, 2, 1))(
  'a world that computes everything in every step is the same, seed %d',
  (seed) => {
    const world = { seed, scale: 'medium', span: isNight ? 5 * day : day / 2 } as const
    const [sparing, diligent] = [begin(world), begin(world)]
    while (sparing.state.now < world.span) {
      sparing.step()
      forget(diligent)
      diligent.step()
    }
    const snapshot = sparing.snapshot()
    expect(fingerprintOf(diligent.snapshot())).toBe(fingerprintOf(snapshot))
    expect(snapshot.diagnostics.counts.incidents_opened).toBeGreaterThan(0)
  },
)
