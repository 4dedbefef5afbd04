import { expect, test } from 'vitest'
import { throttleCelsius } from '../../../../src/world/simulation/facility/limits.ts'
import { hour, stepLength } from '../../../../src/world/simulation/time.ts'
import { createRunningSimulation, runFor } from './running-simulation.ts'

test('requests that a hot host cannot process are not reported as lost in the network', () => {
  const sim = createRunningSimulation(3, 'small')
  runFor(sim, 19 * hour)
  const { state, customers } = sim
  const busy = [...state.load.contention.keys()].filter((host) => state.load.contention[host] > 0.5)
  for (const row of busy) {
    state.faults.inject({ kind: 'FanFailure', target: { kind: 'Host', row }, magnitude: 1, lasts: null })
  }
  const reasons: unknown[] = []
  for (const end = state.now + hour; state.now < end && reasons.length === 0; ) {
    runFor(sim, stepLength)
    if (busy.every((host) => state.facility.hostCelsius[host] <= throttleCelsius)) continue
    const { services, byId } = customers.state
    for (const { id, services: own } of sim.snapshot().collections.customers) {
      own.forEach(({ reason_tag }, at) => {
        const service = byId.get(Number(id))!.services[at]
        if (services.successRatio[service] < 0.999 && services.successRatio[service] > 0)
          reasons.push(reason_tag)
      })
    }
  }
  expect(new Set(reasons)).toEqual(new Set(['host_contended']))
})
