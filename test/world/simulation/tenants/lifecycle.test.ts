import { describe, expect, test } from 'vitest'
import type { Account } from '../../../../src/world/simulation/tenants/account.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import { accountsOf, createRunningSimulation, runFor } from './running-simulation.ts'
import { followEvents } from '../follow-events.ts'

const eventsOf = (sim: Simulation, key: string) =>
  sim.state.events.state.window.filter(({ msg_key }) => msg_key === key)

/** Breaks every host of the customer permanently. */
function ruin(sim: Simulation, account: Account): void {
  const { condition } = sim.state
  for (const host of account.hosts) {
    if (condition.hostBroken[host] === 0) condition.hostBroken[host] = 1
  }
  condition.version++
}

describe('satisfaction', () => {
  test('sinks while requests fail, and comes back more slowly than it went', () => {
    const sim = createRunningSimulation(21, 'small')
    runFor(sim, 2 * hour)
    const [account] = accountsOf(sim)
    const atFirst = account.satisfaction
    expect(atFirst).toBeGreaterThan(0.7)
    runFor(sim, 6 * hour, () => ruin(sim, account))
    const atWorst = account.satisfaction
    expect(atWorst).toBeLessThan(atFirst - 0.15)
    sim.state.condition.hostBroken.fill(0)
    sim.state.condition.version++
    runFor(sim, 6 * hour)
    expect(account.satisfaction).toBeGreaterThan(atWorst)
    expect(account.satisfaction - atWorst).toBeLessThan((atFirst - atWorst) / 2)
  })

  test('an unhappy customer complains, gives a last chance, gives notice and leaves', () => {
    const sim = createRunningSimulation(22, 3)
    runFor(sim, hour)
    const [account] = accountsOf(sim)
    const rows = [...account.services]
    const seen = new Set<string>()
    const newEvents = followEvents(sim.state)
    for (const end = sim.state.now + 30 * day; sim.state.now < end && account.lifecycle !== 'Gone'; ) {
      sim.step()
      ruin(sim, account)
      seen.add(account.lifecycle)
      for (const event of newEvents()) {
        if (event.entity_kind === 'Customer' && event.entity_id === account.id) seen.add(event.msg_key)
      }
    }
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'Active',
        'event.customer-complained',
        'event.customer-on-probation',
        'Probation',
        'event.customer-leaving',
        'Leaving',
        'event.customer-left',
      ]),
    )
    expect(account.lifecycle).toBe('Gone')
    expect(sim.state.tenants.byId.has(account.id)).toBe(false)
    const { services } = sim.customers.state
    for (const row of rows) expect(services.customer[row]).not.toBe(account.id)
    for (let host = 0; host < sim.state.topology.hosts.count; host++) {
      expect(sim.state.tenants.onHost(host)).not.toContain(account.id)
    }
  })
})

test('an outage of half a day is credited once, and only what was promised', () => {
  const sim = createRunningSimulation(23, 'small')
  runFor(sim, 2 * hour)
  const [account] = accountsOf(sim)
  const credited = new Set<unknown>()
  runFor(sim, 12 * hour, () => {
    ruin(sim, account)
    for (const event of eventsOf(sim, 'event.sla-credited'))
      if (event.entity_id === account.id) credited.add(event.at_ns)
  })
  expect(account.creditsMicro).toBeGreaterThan(0)
  expect(credited.size).toBe(1)
  const { hostBroken } = sim.state.condition
  const untouched = accountsOf(sim).filter(({ hosts }) => hosts.every((host) => hostBroken[host] === 0))
  expect(untouched.filter(({ creditsMicro }) => creditsMicro > 0)).toEqual([])
})

test('prospects arrive, some sign, are set up by work and go live', () => {
  const sim = createRunningSimulation(24, 300)
  const initial = new Set(accountsOf(sim).map(({ id }) => id))
  const waitedIn = new Map<number, Set<string>>()
  const early: string[] = []
  let signedUnits = 0
  runFor(sim, 2 * day, () => {
    for (const account of accountsOf(sim)) {
      if (initial.has(account.id)) continue
      const states = waitedIn.get(account.id) ?? new Set()
      waitedIn.set(account.id, states.add(account.lifecycle))
      const { lifecycle, placedUnits, requestedUnits, requestsPerSecond } = account
      const waits = lifecycle === 'Pending' || lifecycle === 'Onboarding'
      if (waits && placedUnits < requestedUnits) early.push(`customer ${account.id} lacks units`)
      if (waits && requestsPerSecond > 0) early.push(`customer ${account.id} has users`)
      if (lifecycle === 'Active') signedUnits = Math.max(signedUnits, account.placedUnits)
    }
  })
  const live = [...waitedIn.values()].filter((states) => states.has('Active'))
  expect(live.length).toBeGreaterThan(0)
  for (const states of live) expect([...states].slice(0, 3)).toEqual(['Pending', 'Onboarding', 'Active'])
  expect(early).toEqual([])
  expect(signedUnits).toBeGreaterThan(0)
  expect(sim.customers.state.prospects.list.every(({ expires }) => expires > sim.state.now - minute)).toBe(
    true,
  )
})

test('customers grow up to their ceiling and not beyond', () => {
  const sim = createRunningSimulation(25, 60)
  runFor(sim, day, () => {
    if (sim.state.tick % 360 !== 0) return
    for (const account of accountsOf(sim)) {
      if (account.signed === 0) continue
      expect(account.requestedUnits).toBeLessThanOrEqual(account.contract.growthCeiling)
    }
  })
  const changed = sim.state.totals.events.find(({ kind }) => kind === 'CustomerGrew')
  expect(changed?.count).toBeGreaterThan(0)
})
