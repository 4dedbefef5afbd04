import { describe, expect, test } from 'vitest'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import type { EventKind } from '../../../../src/contract/vocabularies.ts'
import { createSimulation } from '../../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import { day, hour } from '../../../../src/world/simulation/time.ts'
import type { Micros } from '../../../../src/world/simulation/time.ts'
import type { SavedWorld } from '../../../../src/world/simulation/world.ts'
import { followEvents } from '../follow-events.ts'

const worldOf = (
  seed: bigint,
  scale: number | 'small' = 'small',
  saved: SavedWorld | null = null,
): Simulation => createSimulation({ seed, scale, scenario: null, warmUp: 0, speed: 60 }, saved)

interface Announcement {
  readonly kind: EventKind
  readonly day: number
  readonly text: string
}

/** The operator's announcements while a world runs to a given time, or until `isDone`. */
function announcementsUntil(
  sim: Simulation,
  until: Micros,
  isDone: () => boolean = () => false,
): Announcement[] {
  const announcements: Announcement[] = []
  const newEvents = followEvents(sim.state)
  while (sim.state.now < until && !isDone()) {
    sim.step()
    for (const { at_ns, kind, msg_key, msg_args } of newEvents()) {
      if (/^(Capacity|Hardware|Staff)/.test(kind))
        announcements.push({ kind, day: Number(at_ns) / 86_400e9, text: messageText(msg_key, msg_args) })
    }
  }
  return announcements
}

/** A rich company with unserved demand for several hosts of its first pool. */
function withDemand(sim: Simulation): Simulation {
  const { state } = sim.parts.operator
  state.reserves = 2e6
  state.marginPerHour = 1_000
  state.hoursCounted = 168
  demand(sim)
  return sim
}

const demand = ({ customers }: Simulation): void => {
  const wanted = { units: 200, vcpu: 900, memMb: 2e6, ssdGb: 1_000, slices: 0, gbps: 0 }
  customers.state.unservedDemand.set(1, wanted)
}

const firstPlan = 6 * hour + 60e6

/** Delivers orders within hours instead of weeks. */
function deliverSoon({ parts, state }: Simulation): void {
  for (const purchase of parts.operator.state.purchases as { due: Micros }[]) {
    purchase.due = Math.min(purchase.due, state.now + 3 * hour)
  }
}

describe('the operator', () => {
  test('orders hosts for a pool that runs out, has them installed, and they serve', () => {
    const sim = withDemand(worldOf(3n))
    const { topology } = sim.state
    const before = topology.hosts.count
    const ordered = announcementsUntil(sim, firstPlan)
    const first = ordered.find(({ text }) => text.includes('General x86'))
    expect(first?.text).toMatch(
      /^Ordered \d+ × Kestrel R1-96 for General x86.* in [A-Z][A-Za-z ]+ [A-D] for \$[\d,]+, delivery in \d+ days: the pool is \d+ % full/,
    )
    const purchase = sim.parts.operator.state.purchases.find(({ what }) => what.includes('General x86'))!
    const hosts = purchase.works.flatMap((works) => (works.kind === 'Hosts' ? [works.count] : []))[0]
    expect(purchase.due).toBeGreaterThan(sim.state.now + 6 * day)
    deliverSoon(sim)
    // Equipment exists only after its delivery and installation.
    announcementsUntil(sim, purchase.due)
    expect(purchase.workOrder).toBeNull()
    const inPool = () => sim.snapshot().collections.hostPools[0].host_count
    const countBefore = inPool()
    const announcements = announcementsUntil(sim, purchase.due + 4 * day, () => purchase.works.length === 0)
    expect(announcements.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['CapacityDelivered', 'CapacityAdded']),
    )
    // The zone is named once.
    const { displayName: zone } = topology.zones[purchase.zone]
    for (const { text } of announcements.filter(({ text }) => text.includes(purchase.what)))
      expect(text.split(zone)).toHaveLength(2)
    const order = sim.snapshot().collections.workOrders.find(({ id }) => id === purchase.workOrder)
    expect(order).toMatchObject({ kind: 'Install', actor: 'Staff', incident_id: null })
    expect(order?.kind_label).toContain(purchase.what)
    expect(order?.resolved_at_ns).not.toBeNull()
    expect(inPool()).toBe(countBefore + hosts)
    expect(topology.hosts.count).toBeGreaterThanOrEqual(before + hosts)
    announcementsUntil(sim, sim.state.now + hour)
    const added = sim
      .snapshot()
      .collections.hosts.filter(({ age_hours }) => age_hours >= 0 && age_hours < 4 * 24)
    expect(added.length).toBeGreaterThanOrEqual(hosts)
    expect(added.every(({ online }) => online)).toBe(true)
  })
})
