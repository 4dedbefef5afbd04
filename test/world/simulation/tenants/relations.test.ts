import { describe, expect, test } from 'vitest'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import type { Account } from '../../../../src/world/simulation/tenants/account.ts'
import { createTenantContext } from '../../../../src/world/simulation/tenants/context.ts'
import { createContractFactory } from '../../../../src/world/simulation/tenants/lifecycle/contracts.ts'
import { openAccount } from '../../../../src/world/simulation/tenants/lifecycle/signing.ts'
import {
  softenGrievance,
  worstGrievance,
} from '../../../../src/world/simulation/tenants/relations/grievances.ts'
import { reasonOf } from '../../../../src/world/simulation/tenants/relations/reasons.ts'
import { updateSatisfaction } from '../../../../src/world/simulation/tenants/quality/satisfaction.ts'
import { createTenantsState } from '../../../../src/world/simulation/tenants/state.ts'
import { RandomStream } from '../../../../src/world/simulation/random.ts'
import { day, minute } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../quiet-world.ts'
import { accountsOf, createRunningSimulation, runFor } from './running-simulation.ts'
import { followEvents } from '../follow-events.ts'

/** A customer in a world without traffic. */
function createCustomer() {
  const { state } = createQuietWorld(1n, 24)
  const context = createTenantContext(state, createTenantsState(state.topology, state.load, state.money))
  const contracts = createContractFactory(state.topology, context.state.takenNames)
  const account = openAccount(context, contracts.draft(new RandomStream(1n, 'test')))
  account.live = true
  account.requestedUnits = 0
  for (const service of account.services) context.state.services.requested[service] = 0
  const pass = (turns: number, lived: Partial<Account> = {}): number => {
    for (let i = 0; i < turns; i++) {
      Object.assign(account, { turnTotal: 1_000, turnFailed: 0, p99Ms: 1, breached: false }, lived)
      state.now += 5 * minute
      updateSatisfaction(context, account)
    }
    return account.satisfaction
  }
  return { context, account, pass }
}

const daysInTurns = (days: number): number => (days * day) / (5 * minute)

describe('satisfaction remembers for weeks', () => {
  test('an outage of an hour weighs for days and fades over weeks', () => {
    const { pass } = createCustomer()
    const before = pass(1)
    const after = pass(12, { turnFailed: 1_000 })
    expect(before - after).toBeGreaterThan(0.08)
    const nextDay = pass(daysInTurns(1))
    expect(before - nextDay).toBeGreaterThan(0.85 * (before - after))
    const monthLater = pass(daysInTurns(30))
    expect(before - monthLater).toBeLessThan(0.02 + 0.15 * (before - after))
  })

  test.each([
    ['failures', { turnFailed: 50 }, /failed requests|outages/],
    ['latency', { p99Ms: 60_000 }, /slow responses/],
    ['breach', { breached: true }, /intrusion/],
    ['redundancy', { redundancyBroken: true }, /redundancy/],
    ['requirements', { requirementsUnmet: 1 }, /requirements/],
  ] as const)('it falls through %s, which is then the reason', (cause, lived, reason) => {
    const { account, pass } = createCustomer()
    const before = pass(1)
    expect(pass(daysInTurns(4), lived)).toBeLessThan(before - 0.05)
    expect(worstGrievance(account)).toBe(cause)
    expect(reasonOf(account)).toMatch(reason)
    const unhappy = account.satisfaction
    softenGrievance(account, cause, 0.5)
    expect(pass(1)).toBeGreaterThan(unhappy + 0.02)
  })

  test('prices that were agreed long ago annoy, Bronze customers most', () => {
    const { account, pass } = createCustomer()
    const before = pass(1)
    account.priced -= 365 * day
    expect(pass(1)).toBeLessThan(before - 0.03)
  })
})

test('reputation falls while customers are badly served, and who leaves may return', () => {
  const sim = createRunningSimulation(22, 3)
  const before = sim.state.tenants.reputation
  const texts: string[] = []
  const newEvents = followEvents(sim.state)
  runFor(sim, 30 * day, () => {
    sim.state.condition.hostBroken.fill(1)
    if (sim.state.tick % 30 === 0) sim.state.condition.version++
    for (const { msg_key, msg_args } of newEvents()) {
      if (/customer-(complained|on-probation|leaving|left|evicted)/.test(msg_key)) {
        texts.push(messageText(msg_key, msg_args))
      }
    }
  })
  expect(sim.state.tenants.reputation).toBeLessThan(before - 0.05)
  expect(accountsOf(sim).every(({ lifecycle }) => lifecycle !== 'Active')).toBe(true)
  expect(sim.customers.state.formerCustomers.length).toBeGreaterThan(0)
  const without = texts.filter((text) => !/(about|Reason:|the contract of .*:) \w/.test(text))
  expect(texts.length).toBeGreaterThan(4)
  expect(without).toEqual([])
  expect(
    texts.some((text) => /gave notice. Reason: (failed requests|the outages|missing capacity)/.test(text)),
  ).toBe(true)
})
