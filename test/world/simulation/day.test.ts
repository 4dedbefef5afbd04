import { expect, test } from 'vitest'
import { messageText } from '../../../src/contract/messages/catalog.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { day, hour } from '../../../src/world/simulation/time.ts'

test('every day begins with an event at midnight', () => {
  const sim = createSimulation({ seed: 3n, scale: 12, scenario: null, warmUp: 0, speed: 60 })
  const begun: (readonly [bigint | number, string])[] = []
  for (let next = hour; next <= 2 * day + hour; next += hour) {
    while (sim.state.now < next) sim.step()
    for (const { kind, at_ns, msg_key, msg_args } of sim.snapshot().events) {
      if (kind === 'DayStarted' && !begun.some(([at]) => at === at_ns))
        begun.push([at_ns, messageText(msg_key, msg_args)])
    }
  }
  expect(begun.map(([at]) => Number(at) / 3.6e12)).toEqual([24, 48])
  expect(begun[0][1]).toMatch(/^Day 1 starts with 12 hosts and \d+ customers\.$/)
})
