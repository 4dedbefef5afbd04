import { describe, expect, test } from 'vitest'
import type { Account } from '../../../../../src/world/simulation/tenants/account.ts'
import { stepComplaints } from '../../../../../src/world/simulation/tenants/relations/complaints.ts'
import { day, hour } from '../../../../../src/world/simulation/time.ts'
import { createTenantsFixture, drawAlways } from '../tenants-fixture.ts'

const now = 100 * day

/** The events of one minute for a customer without complaints in the last ten days. */
function minuteOf(changes: Partial<Account>, draw = 0, others = 0) {
  const { world, context, addCustomer, takeEvents } = createTenantsFixture()
  drawAlways(world, draw)
  world.now = now
  for (let i = 0; i < others; i++) addCustomer({ answerDue: now + day })
  const account = addCustomer({ lastComplaint: now - 10 * day, usualSatisfaction: 0.7, ...changes })
  stepComplaints(context, account)
  return { account, events: takeEvents() }
}

describe('a customer complains', () => {
  test.each<[string, Partial<Account>, boolean]>([
    ['below a satisfaction of 0.6', { satisfaction: 0.599 }, true],
    ['not at 0.6', { satisfaction: 0.6 }, false],
    ['when it has dropped by more than 0.18', { satisfaction: 0.7, usualSatisfaction: 0.881 }, true],
    ['not when it has dropped by less', { satisfaction: 0.7, usualSatisfaction: 0.879 }, false],
    ['not within ten days of the last time', { satisfaction: 0.5, lastComplaint: now - 10 * day + 1 }, false],
    ['not while it waits for an answer', { satisfaction: 0.5, answerDue: now + 1 }, false],
  ])('%s', (_, changes, complains) => {
    const { account, events } = minuteOf(changes)
    expect(events).toEqual(
      complains ? ['Amber Mill Shoes complained about the outages of the last weeks.'] : [],
    )
    expect(account.lastComplaint === now).toBe(complains)
  })

  test('and is used to it from then on', () => {
    expect(minuteOf({ satisfaction: 0.5 }).account.usualSatisfaction).toBe(0.5)
  })

  test.each([
    [0, 0, 2],
    [0.5, 0, 6],
    [0.75, 0, 8],
    [0, 4, 4],
    [0.5, 2, 9],
  ])('at a draw of %f with %i others waiting, the answer takes %i hours', (draw, others, hours) => {
    expect(minuteOf({ satisfaction: 0.5 }, draw, others).account.answerDue).toBe(now + hours * hour)
  })
})

describe('an answer', () => {
  const lasting = {
    satisfaction: 0.7,
    answerDue: now,
    tier: 'Gold',
    requestedUnits: 8,
    placedUnits: 8,
  } as const
  const answered = (changes: Partial<Account>) =>
    minuteOf({ ...lasting, grievances: Float64Array.of(0.4, 0.1, 0, 0, 0, 0, 0), ...changes })

  test.each<[string, Partial<Account>, number]>([
    ['takes away a fifth of what weighs most', {}, 0.32],
    ['also at the promise', { failing: 0.001, p99Ms: 100 }, 0.32],
    // 0.03, scaled by the relative distance of the grievance from its maximum of 0.85.
    ['adds to it while requests fail', { failing: 0.0011 }, 0.415882],
    ['adds to it while they are slow', { p99Ms: 100.1 }, 0.415882],
    ['adds to it while intruders are inside', { breached: true }, 0.415882],
    ['adds to it while units are missing', { placedUnits: 7 }, 0.415882],
  ])('%s', (_, changes, failures) => {
    const { account, events } = answered(changes)
    expect(account.grievances[0]).toBeCloseTo(failures, 6)
    expect(account.grievances[1]).toBe(0.1)
    expect(account.answerDue).toBe(null)
    expect(events).toEqual(failures < 0.4 ? ['Amber Mill Shoes got an answer to its complaint.'] : [])
  })

  test('does not come before it is due', () => {
    const { account, events } = answered({ answerDue: now + 1 })
    expect([account.answerDue, account.grievances[0], events]).toEqual([now + 1, 0.4, []])
  })
})
