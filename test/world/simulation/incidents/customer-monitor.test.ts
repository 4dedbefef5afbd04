import { expect, test } from 'vitest'
import {
  createCustomerMonitor,
  createCustomerMonitorState,
} from '../../../../src/world/simulation/incidents/monitors/customers.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'
import type { RunningWorld } from '../running-world.ts'

/** A monitor active since the first minute of Monday; `each` is called once a simulated minute. */
function monitorOf(world: RunningWorld) {
  const monitor = createCustomerMonitor(world.state, createCustomerMonitorState())
  return {
    ratioOf: (id: number) => monitor.demandRatio(id),
    watch: (span: number, each: () => void = () => {}) =>
      world.run(span, () => {
        if (world.state.now % minute !== 0) return
        monitor.followDemand()
        each()
      }),
  }
}

test('mornings and weekends are no surge: each hour is compared with the same hour of other weeks', () => {
  const world = createRunningWorld(5n, 'small')
  const { ratioOf, watch } = monitorOf(world)
  watch(12 * hour)
  const customers = world.state.tenants.active.map(({ id }) => ({ id, most: 0, peak: 0, low: Infinity }))
  watch(6 * day, () => {
    for (const customer of customers) {
      const requests = world.state.tenants.byId.get(customer.id)?.requestsPerSecond ?? 0
      customer.most = Math.max(customer.most, ratioOf(customer.id))
      customer.peak = Math.max(customer.peak, requests)
      customer.low = Math.min(customer.low, requests)
    }
  })
  expect(customers.filter(({ peak, low }) => peak < 2 * low)).toEqual([])
  expect(customers.filter(({ most }) => most >= 1.3)).toEqual([])
})
