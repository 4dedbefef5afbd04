import { expect, test } from 'vitest'
import { sweepDays } from '../../fixtures/seeds.ts'
import { chronicleOf } from './chronicle.ts'
import { chroniclePage } from './pages.ts'

const days = sweepDays(90, 365)

test('a small company earns, buys, and says what it cannot buy', {
  timeout: 600_000 + 3_000 * days,
}, () => {
  const seen: number[] = []
  const year = chronicleOf({ seed: 3n, scale: 'small', days, onDay: (one) => seen.push(one) })
  expect(seen).toHaveLength(days)
  expect(year.periods.every(({ revenue, cost, customers }) => revenue > 0 && cost > 0 && customers > 3)).toBe(
    true,
  )
  const counted = (key: 'event.capacity-ordered' | 'event.capacity-unaffordable' | 'event.customer-signed') =>
    year.periods.reduce((sum, { events }) => sum + (events.get(key) ?? 0), 0)
  expect(counted('event.capacity-ordered')).toBeGreaterThan(0)
  expect(counted('event.capacity-unaffordable')).toBeGreaterThan(0)
  expect(counted('event.customer-signed')).toBeGreaterThan(0)
  expect(year.periods.at(-1)!.hosts).toBeGreaterThan(24)
  expect(chroniclePage(year).split('\n').length).toBeLessThan(60)
})
