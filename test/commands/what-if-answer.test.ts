import { expect, test } from 'vitest'
import { answerText } from '../../src/practice/commands/what-if/answer.ts'
import type { Consequences } from '../../src/practice/twins/what-if.ts'

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

const none = 'No customer is hurt.'

test.each([
  [12.5, 2.25, `${none} It costs $2.25: $2.25 of revenue and $0 of SLA credits. That saves $10.`],
  [12.5, 12.5, 'it changes nothing.'],
  [12.5, 12.504, 'it changes nothing.'],
  [12.5, 13.5, `${none} It costs $14: $14 of revenue and $0 of SLA credits. That costs $1 more.`],
  [0, -0.37, `${none} It costs nothing: $0.37 more is earned. That saves $0.37.`],
])('of %d dollars, a remedy that leaves %d saves or costs the difference', (cost, left, text) => {
  const remedied = { action: 'replace lmr-a-1', targets: [], customers: [], costDollars: left }
  const last = answerText('Without lmr-a-1', costing(cost), remedied).split('\n').at(-1)
  expect(last).toBe(`With "replace lmr-a-1": ${text}`)
})

test('the first and the way to the first customer are of the one that leads, through no other customer', () => {
  const hurt = { id: 3, sinceSeconds: 60, hurtSeconds: 60, hurt: [[0, 60]], name: 'C', tier: 'Gold' }
  const money = { failedRequests: 0, revenueLostDollars: 0, creditsDollars: 0, creditsDueDollars: 0 }
  const entities = [
    { key: 'Gateway 1', name: 'a-gw1', from: null },
    { key: 'Customer 2', name: 'B', from: 'Gateway 1' },
    { key: 'Switch 4', name: 'b-edge1', from: 'Customer 2' },
    { key: 'Customer 3', name: 'C', from: 'Switch 4' },
  ]
  const customers = [
    { ...hurt, ...money, id: 5, name: 'E', sinceSeconds: 120 },
    { ...hurt, ...money },
  ]
  const answer = { ...costing(0), customers, entities } as unknown as Consequences
  const text = answerText('Without a-gw1', answer, null)
  expect(text).toContain('the first after 1 min: C (Gold) for 1 min and E (Gold) for 1 min.')
  expect(text).toContain('The way to the first: a-gw1 → b-edge1 → C.')
})

test('an answer says who fares worse without being hurt, and which part is repaired', () => {
  const worse: Consequences['customers'][number] = {
    id: 3,
    name: 'Verdigris Mill Desk',
    tier: 'Silver',
    sinceSeconds: null,
    hurt: [],
    hurtSeconds: 0,
    sparedSeconds: 0,
    failedRequests: 2_974_210,
    revenueLostDollars: 0.05,
    creditsDollars: 0,
    creditsDueDollars: 19.35,
    hasLeft: false,
  }
  const fault = {
    begin: { sim_s: 0, wall_s: 0 },
    end: { sim_s: 6_180, wall_s: 0 },
    ended_by: 'repair',
    entity: { kind: 'Switch', id: 1, name: 'lmr-a-agg1', place: 'Lumera A' },
  } as unknown as Consequences['faults'][number]
  const lines = answerText(
    'Without lmr-a-1',
    { ...costing(19.4), customers: [worse], faults: [fault] },
    null,
  ).split('\n')
  expect(lines).toContain('It gets worse for 1 more customer.')
  expect(lines).toContain(
    'It costs $19: $0.05 of revenue and $19 of SLA credits, $19 of them due when SLA periods of 30 days end, not before.',
  )
  expect(lines).toContain('What saves all: technicians repair lmr-a-agg1 after 1 h 43 min.')
})
