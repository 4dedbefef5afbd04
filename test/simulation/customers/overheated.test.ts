import { expect, test } from 'vitest'
import { throttleCelsius } from '../../../src/simulation/network/cooling.ts'
import { hour, stepLength } from '../../../src/simulation/time.ts'
import { livingWorld, run } from './living.ts'

test('what a host is too hot to work through is not told to be lost on the way', () => {
  const sim = livingWorld(3, 'small')
  run(sim, 19 * hour)
  const { state, customers } = sim
  const busiest = Array.from(state.load.cpuUsedMilli).reduce(
    (most, used, row, all) => (used > all[most] ? row : most),
    0,
  )
  state.faults.inject({
    kind: 'FanFailure',
    target: { kind: 'Host', row: busiest },
    magnitude: 1,
    lasts: null,
  })
  const told: unknown[] = []
  for (const end = state.now + hour; state.now < end && told.length === 0; ) {
    run(sim, stepLength)
    if (state.physical.hostCelsius[busiest] <= throttleCelsius) continue
    const { services, byId } = customers.business
    for (const { id, services: own } of sim.snapshot().collections.customers) {
      own.forEach(({ reason_tag }, at) => {
        const service = byId.get(Number(id))!.services[at]
        if (services.ok[service] < 0.999 && services.ok[service] > 0) told.push(reason_tag)
      })
    }
  }
  expect(new Set(told)).toEqual(new Set(['host_contended']))
})
