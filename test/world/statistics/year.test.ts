import { expect, test } from 'vitest'
import { day, minute } from '../../../src/world/simulation/time.ts'
import { createWorld } from '../../../src/world/simulation/world.ts'

const days = 365
const monthDays = 30

test('a small company earns, buys, and says what it cannot buy', { timeout: 600_000 + 3_000 * days }, () => {
  const world = createWorld({ seed: 3n, scale: 'small', scenario: null, warmUp: 0 })
  const { state } = world
  const keys = new Set<string>()
  let booked = { revenue: 0, cost: 0 }
  while (state.now < days * day) {
    world.step()
    // The event log retains only the newest events.
    if (state.now % minute === 0) for (const { msg_key: key } of state.events.state.window) keys.add(key)
    if (state.now % (monthDays * day) !== 0) continue
    const { revenue, directCost, facilityCost, transitCost, addonCost } = state.money
    const cost = directCost + facilityCost + transitCost + addonCost
    expect(revenue).toBeGreaterThan(booked.revenue)
    expect(cost).toBeGreaterThan(booked.cost)
    expect(state.tenants.active.length).toBeGreaterThan(3)
    booked = { revenue, cost }
  }
  expect([...keys]).toEqual(
    expect.arrayContaining([
      'event.capacity-ordered',
      'event.capacity-unaffordable',
      'event.customer-signed',
    ]),
  )
  expect(state.topology.hosts.rows.length).toBeGreaterThan(24)
})
