import { deserialize, serialize } from 'node:v8'
import { describe, expect, test } from 'vitest'
import type { HostRecord, Snapshot } from '../../../../src/contract/collections.ts'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { collectorNames } from '../../../../src/metrics/declaration/collectors.ts'
import { createExposition } from '../../../../src/metrics/exposition/exposition.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import { outstandingDebtOf, resaleOf } from '../../../../src/world/simulation/operator/sales.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import type { Micros } from '../../../../src/world/simulation/time.ts'
import { idOf } from '../../../../src/world/simulation/topology/tables.ts'
import type { SavedWorld } from '../../../../src/world/simulation/world.ts'
import { createRun, worldOf } from './growing-world.ts'
import { followEvents } from '../follow-events.ts'

const patient = { timeout: 180_000 }
const stepsPerHour = 360
/** After the operator's first plan. */
const firstPlan = 6 * hour + minute

/** The dedicated hosts of this seed's world are empty. */
const seed = 3n
const dedicated = 3

/** A world with dedicated hosts that have been empty for two months. */
function withSurplus(): Simulation {
  const sim = worldOf('small', seed)
  const { state } = sim.parts.operator
  const { hosts } = sim.state.topology
  sim.state.faults.randomFaultRate = 0
  for (const host of hosts.rows) if (hosts.pool[host] === dedicated) state.emptyHours[host] = 60 * 24
  state.poolUse[dedicated] = Array.from({ length: 28 }, () => 0)
  state.reserves = 1e6
  return sim
}

/** Moves the buyer's collection to within hours instead of days. */
function sellSoon({ parts, state }: Simulation): void {
  for (const sale of parts.operator.state.sales as { due: Micros }[]) sale.due = state.now + hour
}

function runUntil(sim: Simulation, until: Micros, isDone: () => boolean = () => false): string[] {
  const texts: string[] = []
  const newEvents = followEvents(sim.state)
  while (sim.state.now < until && !isDone()) {
    sim.step()
    for (const { kind, msg_key, msg_args } of newEvents()) {
      const text = messageText(msg_key, msg_args)
      if (/^(Sale|HardwareSold)/.test(kind) || text.includes('Take out')) texts.push(text)
    }
  }
  return texts
}

/** No record shows the host any more, and all totals exclude it. */
function expectGone(sim: Simulation, before: Snapshot, record: HostRecord): void {
  const { id } = record
  const { collections, diagnostics } = sim.snapshot()
  expect(collections.hosts.some((each) => each.id === id)).toBe(false)
  expect(collections.hosts).toHaveLength(before.collections.hosts.length - 1)
  expect(diagnostics.counts.hosts).toBe(collections.hosts.length)
  expect(diagnostics.counts.ports).toBe(before.diagnostics.counts.ports - record.ports.length)
  expect(diagnostics.counts.cables).toBe(collections.cables.length)
  expect(collections.cables).toHaveLength(before.collections.cables.length - record.ports.length)
  const pool = collections.hostPools.find((each) => each.id === record.pool_id)!
  expect(pool.host_ids).not.toContain(id)
  const rackOf = ({ azs }: typeof collections) =>
    azs.flatMap(({ racks }) => racks).find((rack) => rack.id === record.rack_id)!
  expect(rackOf(collections).used_u).toBe(rackOf(before.collections).used_u - record.u_size)
  expect(rackOf(collections).host_count).toBe(rackOf(before.collections).host_count - 1)
  for (const { peer } of record.ports) {
    const { ports } = collections.switches.find((each) => each.id === peer!.device_id)!
    const port = ports.find(({ port_id }) => port_id === peer!.port_id)!
    expect(port).toMatchObject({ state: 'Free', peer: null, cable_ids: [], cable_able: true, gbps_tx: 0 })
  }
  expect(sim.history.entities.some((one) => one.subject === 'hosts' && one.id === id)).toBe(false)
  const text = createExposition({ collectors: collectorNames })
    .render(sim.snapshot())
    .map(({ bytes }) => new TextDecoder().decode(bytes))
    .join('')
  expect(text).not.toContain(`host="${id}"`)
  expect(text).toContain(`dcsim_hosts ${collections.hosts.length}\n`)
}

describe('a host that is not needed', () => {
  test('is taken out and sold, and the records follow', patient, () => {
    const sim = withSurplus()
    const run = createRun(sim)
    expect(run(30)).toEqual([])
    const { operator } = sim.parts
    const planned = runUntil(sim, firstPlan)
    expect(planned).toEqual([
      expect.stringMatching(
        /^Plans to sell \S+ of .+ in \d+ days: empty for 8 weeks and not needed before August\.$/,
      ),
    ])
    const [sale] = operator.state.sales
    const [host] = sale.hosts
    const id = idOf(host)
    const before = structuredClone(sim.snapshot())
    const record = before.collections.hosts.find((each) => each.id === id)!
    sellSoon(sim)
    const texts = runUntil(sim, 3 * day, () => operator.state.sales[0]?.workOrder !== null)
    const order = sim.snapshot().collections.workOrders.find((each) => each.kind === 'Decommission')!
    expect(order.steps.map(({ kind }) => kind)).toEqual('Travel Inspect Clean Dismount Configure'.split(' '))
    sim.step()
    expect(sim.snapshot().collections.hosts.find((each) => each.id === id)).toMatchObject({
      unit_count: 0,
      online: false,
      inv_status: 'Maintenance',
    })
    let worth = 0
    let reserves = 0
    texts.push(
      ...runUntil(sim, 5 * day, () => {
        const isSold = operator.state.totals.sold > 0
        if (!isSold) {
          // Its value in the step of the sale.
          worth = resaleOf(sim.state, host) - outstandingDebtOf(sim.state, host)
          reserves = operator.state.reserves
        }
        return isSold
      }),
    )
    expect(operator.state.reserves - reserves).toBeCloseTo(worth, 6)
    const name = sim.state.topology.hosts.name[host]
    expect(texts.filter((text) => !text.startsWith('On hold'))).toEqual([
      expect.stringMatching(`^[A-Z]\\S+ [A-Z]\\. started: Take out ${name} of `),
      expect.stringMatching(`^[A-Z]\\S+ [A-Z]\\. finished [^:]+ after its beginning: Take out ${name} of `),
      expect.stringMatching(
        `^Sold ${name} of .+ for \\$6,\\d+, at a loss of \\$[12],\\d+ against what was still owed: empty for 8 weeks and not needed before August\\.$`,
      ),
    ])

    expectGone(sim, before, record)
    expect(run(2 * stepsPerHour)).toEqual([])
  })

  test('continues from a state that was saved before it was sold', patient, () => {
    const sim = withSurplus()
    runUntil(sim, firstPlan)
    sellSoon(sim)
    runUntil(sim, 3 * day, () => sim.parts.operator.state.sales[0]?.workOrder !== null)
    for (const isSold of [false, true]) {
      runUntil(sim, 6 * day, () => !isSold || sim.parts.operator.state.totals.sold > 0)
      const continued = worldOf('small', seed, deserialize(serialize(sim.savedWorld())) as SavedWorld)
      expect(continued.snapshot()).toEqual(sim.snapshot())
      for (const world of [sim, continued]) runUntil(world, world.state.now + 8 * hour)
      expect(continued.snapshot()).toEqual(sim.snapshot())
      expect(continued.parts.operator.state).toEqual(sim.parts.operator.state)
    }
    expect(sim.parts.operator.state.totals.sold).toBe(1)
  })
})

describe.each([11n, 12n, 13n])('hosts that are taken out of the world of seed %s', (one) => {
  test('leave room for others, and all invariants hold', patient, () => {
    const sim = worldOf('small', one)
    const { topology, faults, load } = sim.state
    faults.randomFaultRate = 0
    const run = createRun(sim)
    expect(run(60)).toEqual([])
    const { hosts } = topology
    // In each zone, the host with the fewest units in the largest pool.
    const leaving = topology.zones.map(
      (zone) =>
        zone.hosts
          .filter((host) => hosts.pool[host] === 0)
          .toSorted((a, b) => load.unitCount[a] - load.unitCount[b])[0],
    )
    for (const host of leaving) faults.setMaintenance(host, true)
    expect(run(3 * stepsPerHour)).toEqual([])
    const gone = leaving.filter((host) => load.unitCount[host] === 0)
    expect(gone.length).toBeGreaterThan(0)
    const names = [...hosts.name]
    const places = gone.map((host) => [
      hosts.rack[host],
      hosts.startU[host],
      hosts.pool[host],
      hosts.zone[host],
    ])
    sim.parts.construct({ kind: 'Removal', hosts: gone })
    for (const host of leaving) if (!gone.includes(host)) faults.setMaintenance(host, false)
    expect(sim.snapshot().collections.hosts.map(({ id }) => Number(id) - 1)).toEqual([...hosts.rows])
    expect(run(1)).toEqual([])
    expect(run(stepsPerHour)).toEqual([])
    places.forEach(([, , pool, zone]) => sim.parts.construct({ kind: 'Hosts', zone, pool, count: 1 }))
    expect(run(stepsPerHour)).toEqual([])
    const added = hosts.rows.filter((host) => host >= names.length)
    expect(added).toHaveLength(gone.length)
    for (const host of added) {
      expect(names).not.toContain(hosts.name[host])
      expect(sim.snapshot().collections.hosts.find(({ id }) => id === idOf(host))?.online).toBe(true)
    }
    const taken = hosts.rows.flatMap((host) =>
      Array.from(
        { length: hosts.uSize[host] },
        (_, unit) => `${hosts.rack[host]} ${hosts.startU[host] + unit}`,
      ),
    )
    expect(new Set(taken).size).toBe(taken.length)
    const saved = deserialize(serialize(sim.savedWorld())) as SavedWorld
    const continued = worldOf('small', one, saved)
    for (const world of [sim, continued]) for (let step = 0; step < 60; step++) world.step()
    expect(continued.snapshot()).toEqual(sim.snapshot())
  })
})
