import { expect, test } from 'vitest'
import type { Band } from '../../../../src/contract/vocabularies.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../quiet-world.ts'

test.each<[Band, number | null]>([
  ['Critical', 0],
  ['Major', 0],
  ['Minor', 1],
  ['Watch', 5],
])('a courier brings the part for a %s incident, ordered after %s hours of waiting', (band, hours) => {
  const world = createQuietWorld(9n)
  // Monday, 10:00.
  world.state.now = 7 * day + 10 * hour
  world.state.tick = world.state.now / 10_000_000
  const { inventory } = world.work.dispatcher
  while (inventory.take('ssd', world.state.now)) continue
  world.injectFault(
    { kind: 'DiskFailure', target: { kind: 'Host', row: 0 }, magnitude: 1, lasts: null },
    band,
  )
  let waited: number | null = null
  world.run(9 * hour, () => {
    for (const order of world.work.dispatcher.open)
      if (order.isExpedited) waited ??= world.state.now - order.blockedSince
  })
  expect(waited === null ? null : Math.floor(waited / minute)).toBe(hours === null ? null : 60 * hours)
})
