import { expect, test } from 'vitest'
import { chronicleOf } from './chronicle.ts'
import { chroniclePage } from './pages.ts'

test('a small company lives through a year: it earns, buys, and says what it cannot buy', {
  timeout: 1_800_000,
}, () => {
  const days: number[] = []
  const year = chronicleOf({ seed: 3n, scale: 'small', days: 365, onDay: (one) => days.push(one) })
  expect(days).toHaveLength(365)
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
