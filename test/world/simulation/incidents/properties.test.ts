import { describe, expect, test } from 'vitest'
import { isServed } from '../../../../src/world/simulation/incidents/monitors/customers.ts'
import { activeTruths } from '../../../../src/world/simulation/truth/truth.ts'
import { hour, minute, toNs } from '../../../../src/world/simulation/time.ts'
import { sweepSeeds } from '../../../fixtures/seeds.ts'
import { createRunningWorld } from '../running-world.ts'
import type { RunningWorld, Scale } from '../running-world.ts'

/** A world with many faults, included in failure messages. */
interface World {
  readonly seed: bigint
  readonly scale: Scale
  readonly spontaneity: number
  readonly hours: number
}

const sweep = (seeds: readonly bigint[], rest: Omit<World, 'seed'>): World[] =>
  seeds.map((seed) => ({ seed, ...rest }))

const worlds: readonly World[] = [
  ...sweep(sweepSeeds(100, 2, 20), { scale: 'small', spontaneity: 8, hours: 8 }),
  { seed: 124n, scale: 'small', spontaneity: 8, hours: 12 },
  ...sweep(sweepSeeds(200, 1, 10), { scale: 'medium', spontaneity: 8, hours: 5 }),
  ...sweep(sweepSeeds(300, 0, 3), { scale: 400, spontaneity: 8, hours: 2 }),
]

/** Every 5 simulated minutes, and at the end. */
const every = 30

describe.each(worlds)('seed $seed, scale $scale, spontaneity $spontaneity, $hours h from 08:00', (given) => {
  test('incidents keep their promises', () => {
    const world = createRunningWorld(given.seed, given.scale, given.spontaneity, 8 * hour)
    const unseen = new Map<string, number>()
    const unreported: string[] = []
    const broken: string[] = []
    world.run(given.hours * hour, () => {
      if (world.state.tick % every !== 0) return
      broken.push(...brokenRecords(world))
      unreported.push(...unreportedForLong(world, unseen))
    })
    broken.push(...brokenRecords(world), ...unfinished(world))
    expect({ broken, unreported }).toEqual({ broken: [], unreported: [] })
  })
})

/** Violations in records: times out of order, unknown ids, causes shown before their confirmation. */
function brokenRecords({ state, records, incidents }: RunningWorld): string[] {
  records.update()
  const now = toNs(state.now)
  const broken: string[] = []
  const seen = new Set<number>()
  for (const incident of [...records.incidents, ...records.resolvedIncidents]) {
    const id = Number(incident.id)
    const must = (holds: boolean, what: string) => holds || broken.push(`incident ${id}: ${what}`)
    must(!seen.has(id) && id >= 1 && id <= incidents.state.openedCount, 'its id is used twice or never given')
    seen.add(id)
    const { started_at_ns: started, last_changed_at_ns: changed, resolved_at_ns: resolved } = incident
    must(
      started <= changed && changed <= (resolved ?? now) && (resolved ?? now) <= now,
      'its moments are not in order',
    )
    must(isOrdered(incident.timeline.map(({ at_ns }) => at_ns)), 'its timeline is not in order')
    must(
      incident.confirmed ||
        (incident.root_kind === 'Unknown' && incident.root_entity_id === null && incident.rack_id === null),
      'it shows a cause that is not confirmed',
    )
    must(
      incident.causes.every(({ confidence }) => confidence >= 0 && confidence <= 100),
      'a confidence is no percentage',
    )
    must(
      incident.causes.filter(({ confirmed }) => confirmed).length === Number(incident.confirmed),
      'not one confirmed cause',
    )
    must(
      incident.affected_host_ids.every((host) => host >= 1 && host <= state.topology.hosts.count),
      'it names no host',
    )
    must(incident.affected_host_ids.length <= 50, 'it names too many hosts')
    must(
      incident.affected_host_total >= incident.affected_host_ids.length,
      'it counts fewer hosts than it names',
    )
    must(incident.revenue_at_risk_per_hour_dollars >= 0, 'less than no revenue is at risk')
    must(incident.evidence.filter(({ leading }) => leading).length <= 1, 'two observations lead')
    must(incident.work_order_ids.length > 0, 'it has no work order')
    const open = incident.resolved_at_ns === null
    must(
      !open || incident.affected_customer_ids.every((customer) => state.tenants.byId.has(Number(customer))),
      'it names no customer',
    )
  }
  return broken
}

const isOrdered = (moments: readonly (number | bigint)[]): boolean =>
  moments.every((moment, at) => at === 0 || moment >= moments[at - 1])

/** Impaired customers, and faults with impaired customers, without an incident for 10 minutes. */
function unreportedForLong(
  { state, faults, incidents, blastRadius }: RunningWorld,
  unseen: Map<string, number>,
): string[] {
  const reported = new Set([...incidents.state.open.values()].flatMap(({ impact }) => impact.customers))
  const suffering = new Set<string>()
  for (const tenant of state.tenants.active) {
    const suffers =
      tenant.failing > 0.011 || tenant.p99Ms > 1.02 * tenant.p99BudgetMs || tenant.strandedUnits > 0
    if (isServed(tenant) && suffers && !reported.has(tenant.id)) suffering.add(`customer ${tenant.name}`)
  }
  for (const { faultId, kind, affectedCustomerIds, incidentId } of activeTruths(state, faults, blastRadius)) {
    const unreported =
      affectedCustomerIds.length > 0 &&
      incidentId === null &&
      affectedCustomerIds.every((id) => !reported.has(id))
    if (unreported) suffering.add(`${kind} ${faultId}`)
  }
  for (const who of unseen.keys()) if (!suffering.has(who)) unseen.delete(who)
  for (const who of suffering) if (!unseen.has(who)) unseen.set(who, state.now)
  return [...unseen].flatMap(([who, since]) =>
    state.now - since >= 10 * minute ? [`${who}, at ${state.now / hour} h`] : [],
  )
}

/** Resolved incidents with an active confirmed cause. */
const unfinished = ({ incidents }: RunningWorld): string[] =>
  incidents.state.resolved.flatMap((at) =>
    at.root !== null && (at.root.ended === null || at.root.ended > at.resolved!)
      ? [`incident ${at.id} is not over`]
      : [],
  )
