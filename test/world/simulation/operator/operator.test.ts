import { deserialize, serialize } from 'node:v8'
import { describe, expect, test } from 'vitest'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import type { EventKind } from '../../../../src/contract/vocabularies.ts'
import { createSimulation } from '../../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import { growthPerDay } from '../../../../src/world/simulation/operator/observation.ts'
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

  test('says what it cannot afford', () => {
    const sim = withDemand(worldOf(3n))
    sim.parts.operator.state.reserves = -1e9
    const announcements = announcementsUntil(sim, firstPlan)
    expect(announcements.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^Cannot afford \d+ × Kestrel R1-96 .*: \$[\d,]+ needed, \$0 available\. It is needed because the pool/,
        ),
      ]),
    )
    expect(sim.parts.operator.state.purchases).toEqual([])
  })

  test('and what instalments would cost more than the margin bears', () => {
    const sim = withDemand(worldOf(3n))
    sim.parts.operator.state.marginPerHour = 0.01
    const announcements = announcementsUntil(sim, firstPlan)
    expect(announcements.every(({ kind }) => kind === 'CapacityRefused')).toBe(true)
    expect(sim.parts.operator.state.purchases).toEqual([])
  })

  test('says that there is no room', () => {
    const sim = withDemand(worldOf(3n))
    const { site } = sim.state
    site.racksMax.fill(0)
    ;(site.sizing as { hostsPerRack: number }).hostsPerRack = 0
    const announcements = announcementsUntil(sim, firstPlan)
    const texts = announcements.map(({ text }) => text)
    expect(texts).toContainEqual(expect.stringMatching(/^No room for \d+ × Kestrel R1-96 for General x86\./))
  })

  test('orders power where it runs short, and says so when the grid gives no more', () => {
    const sim = withDemand(worldOf(3n))
    const { site, topology } = sim.state
    const { state } = sim.parts.operator
    for (let zone = 0; zone < topology.zones.length; zone++) state.zonePeakKw[zone] = 1_000
    const ordered = announcementsUntil(sim, firstPlan)
    expect(ordered[0].text).toMatch(/^Ordered \d+ kW more on both power feeds of /)
    expect(state.purchases.every(({ works }) => works[0].kind === 'Power')).toBe(true)
    state.purchases.length = 0
    topology.feeds.capacityKw.set(site.feedKwAtFirst.map((kw) => kw * 2))
    for (let zone = 0; zone < topology.zones.length; zone++) state.zonePeakKw[zone] = 1_000
    demand(sim)
    const refused = announcementsUntil(sim, day + firstPlan)
    expect(refused.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^No power for .*: the grid connection is at its limit\./),
    )
  })

  test('replaces an old host and sells it', () => {
    const sim = withDemand(worldOf(5n))
    sim.customers.state.unservedDemand.clear()
    const { hosts, hostSkus } = sim.state.topology
    const host = hosts.pool.findIndex((pool) => pool === 0)
    hosts.installed[host] = -6 * 365 * day
    const id = sim.snapshot().collections.hosts[host].id
    const { purchases, totals } = sim.parts.operator.state
    const ordered = announcementsUntil(sim, 2 * day, () => purchases.length > 0)
    deliverSoon(sim)
    const announcements = [...ordered, ...announcementsUntil(sim, 9 * day, () => totals.renewed > 0)]
    const renewal = announcements.find(({ kind }) => kind === 'HardwareRenewed')
    expect(renewal?.text).toContain(hosts.name[host])
    expect(renewal?.text).toMatch(/and sold the old one for \$\d/)
    const record = sim.snapshot().collections.hosts[host]
    expect(record).toMatchObject({
      id,
      sku_name: hostSkus[1].name,
      age_hours: 0,
      physical_vcpu: hostSkus[1].vcpu,
    })
    announcementsUntil(sim, sim.state.now + hour)
    expect(sim.snapshot().collections.hosts[host].online).toBe(true)
  })

  test('replaces old network devices, one at a time', () => {
    const sim = withDemand(worldOf(5n))
    sim.customers.state.unservedDemand.clear()
    const { switches, gateways } = sim.state.topology
    const old = [0, 1].map((row) => switches.name[row])
    for (const row of [0, 1]) switches.installed[row] = -5.5 * 365 * day
    gateways.installed[0] = -5.5 * 365 * day
    const { purchases } = sim.parts.operator.state
    const ordered = announcementsUntil(sim, 2 * day, () => purchases.length > 0)
    const isRenewal = ({ text }: Announcement): boolean => text.includes('years old')
    expect(ordered.filter(isRenewal)).toHaveLength(1)
    expect(ordered.find(isRenewal)?.text).toMatch(
      new RegExp(`^Ordered a .* Gbit/s for ${old[0]} for .*: it is 5\\.5 years old\\.$`),
    )
    deliverSoon(sim)
    announcementsUntil(sim, 4 * day, () => switches.installed[0] > 0)
    expect(switches.installed[0]).toBeGreaterThan(0)
    expect(announcementsUntil(sim, 6 * day, () => purchases.length > 0).find(isRenewal)?.text).toContain(
      old[1],
    )
  })

  test('hires when work waits', () => {
    const sim = withDemand(worldOf(5n, 8))
    sim.customers.state.unservedDemand.clear()
    announcementsUntil(sim, 10 * hour)
    const { waiting, totals, purchases } = sim.parts.operator.state
    waiting.set('network', 3)
    const ordered = announcementsUntil(sim, 3 * day, () => purchases.some(({ hires }) => hires !== null))
    deliverSoon(sim)
    const announcements = [...ordered, ...announcementsUntil(sim, 9 * day, () => totals.hired > 0)]
    expect(announcements.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Hired a technician for network for \$.*, to start in \d+ days: /),
        expect.stringMatching(/ starts as a technician for network\.$/),
      ]),
    )
    const { staff } = sim.parts.operations.dispatcher.roster
    expect(staff[staff.length - 1].skill).toBe('network')
  })

  test('continues its purchases from the saved state', () => {
    const sim = withDemand(worldOf(9n))
    announcementsUntil(sim, firstPlan)
    deliverSoon(sim)
    announcementsUntil(sim, 9 * day, () =>
      sim.parts.operator.state.purchases.some(({ workOrder }) => workOrder !== null),
    )
    const saved = deserialize(serialize(sim.savedWorld())) as SavedWorld
    const continued = worldOf(9n, 'small', saved)
    const until = sim.state.now + 2 * day
    expect(announcementsUntil(continued, until)).toEqual(announcementsUntil(sim, until))
    expect(continued.snapshot().collections).toEqual(sim.snapshot().collections)
    expect(sim.parts.operator.state.totals.installed).toBeGreaterThan(0)
  })
})

test('growth is the slope of the use over days', () => {
  expect(growthPerDay([5, 6, 7, 8, 9, 10])).toBeCloseTo(1)
  expect(growthPerDay([9, 8, 7, 6, 5])).toBe(0)
  expect(growthPerDay([1, 9])).toBe(0)
})
