import { describe, expect, test } from 'vitest'
import { latencyTerms } from '../../../../src/contract/vocabularies.ts'
import { promisedP99, userDistance } from '../../../../src/world/simulation/tenants/quality/latency.ts'
import { hour } from '../../../../src/world/simulation/time.ts'
import { createWorld } from '../../../../src/world/simulation/world.ts'

describe('the distance of users', () => {
  const distances = Array.from({ length: 1_000 }, (_, id) => userDistance(id + 1))

  test('differs by customer within bounds, and is 1 on average', () => {
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(0.4)
    expect(Math.max(...distances)).toBeLessThan(2.2)
    expect(distances.reduce((sum, each) => sum + each, 0) / distances.length).toBeCloseTo(1, 1)
  })

  test('is short for most', () => {
    const near = distances.filter((distance) => distance < 1).length
    expect(near).toBeGreaterThan(550)
    expect(near).toBeLessThan(700)
  })
})

test('the promise to a customer counts the way to its users', () => {
  const service = { count: 4, vcpu: 4, durability: 'Ephemeral' } as const
  const ofWeb = promisedP99([{ ...service, class: 'web' } as never], 'Gold', false)
  const ofApp = promisedP99([{ ...service, class: 'app' } as never], 'Gold', false)
  // A web front end computes for half as long as an application, and is farther from its users.
  expect(ofWeb).toBeGreaterThan(0.8 * ofApp)
})

test('what takes longest differs between customers', () => {
  const world = createWorld({ seed: 3n, scale: 'medium', scenario: null, warmUp: 0 })
  while (world.state.now < 2 * hour) world.step()
  const counts = new Map<string, number>()
  for (const { topTerm } of world.parts.customers.state.accounts) {
    if (topTerm < 0) continue
    const term = latencyTerms[topTerm]
    counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  expect(counts.size).toBeGreaterThanOrEqual(2)
  expect(counts.get('Network')! / all).toBeGreaterThan(0.1)
  expect(counts.get('Compute')! / all).toBeLessThan(0.85)
})
