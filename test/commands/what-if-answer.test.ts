import { expect, test } from 'vitest'
import { answerText } from '../../src/commands/what-if/answer.ts'
import type { Consequences } from '../../src/twins/what-if.ts'

const costing = (costDollars: number): Consequences => ({
  targets: ['lmr-a-1'],
  lastsSeconds: 3_600,
  customers: [],
  costDollars,
  series: [],
  entities: [],
  reliefs: [],
  faults: [],
})

test.each([
  [12.5, 2.25, 'It costs $2.25: $2.25 of revenue and $0 of SLA credits. That saves $10.'],
  [12.5, 12.5, 'It costs $13: $13 of revenue and $0 of SLA credits.'],
  [12.5, 12.504, 'It costs $13: $13 of revenue and $0 of SLA credits.'],
  [12.5, 13.5, 'It costs $14: $14 of revenue and $0 of SLA credits. That costs $1 more.'],
  [0, 0, 'It costs nothing.'],
])('of %d dollars, a remedy that leaves %d saves or costs the difference', (cost, left, text) => {
  const remedied = { action: 'replace lmr-a-1', targets: [], customers: [], costDollars: left }
  const last = answerText('Without lmr-a-1', costing(cost), remedied).split('\n').at(-1)
  expect(last).toBe(`With "replace lmr-a-1": No customer is hurt. ${text}`)
})
