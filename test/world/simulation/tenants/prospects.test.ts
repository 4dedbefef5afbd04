import { expect, test } from 'vitest'
import { createTenantRecords } from '../../../../src/world/records/tenants/tenants.ts'
import type { Prospect } from '../../../../src/world/simulation/tenants/contract.ts'
import { day, hour } from '../../../../src/world/simulation/time.ts'
import { accountsOf, createRunningSimulation, runFor } from './running-simulation.ts'
import { followEvents } from '../follow-events.ts'

test('a prospect that fits is placed completely when it signs', () => {
  const sim = createRunningSimulation(51, 60)
  const signed = new Map<string, boolean>()
  runFor(sim, 3 * day, () => {
    for (const { contract: wanted, placement: fit } of sim.customers.state.prospects.list)
      signed.set(wanted.name, fit.canServe)
  })
  const newcomers = accountsOf(sim).filter((account) => account.signed > 0 && account.live)
  expect(newcomers.length).toBeGreaterThan(0)
  expect(newcomers.filter(({ name }) => signed.get(name) !== true)).toEqual([])
  expect(newcomers.filter(({ placedUnits, requestedUnits }) => placedUnits < requestedUnits)).toEqual([])
})

test('a prospect signs if its record says so, and otherwise its last event says why', () => {
  const sim = createRunningSimulation(52, 24)
  const seen = new Map<string, Prospect>()
  const lastRecommendation = (name: string) => seen.get(name)!.placement.recommendation
  const outcome = new Map<string, string>()
  const newEvents = followEvents(sim.state)
  runFor(sim, 4 * day, () => {
    for (const event of newEvents()) {
      const nameOf = (key: string) => event.msg_args.find((argument) => argument.key === key)!.text
      if (event.msg_key === 'event.prospect-expired') outcome.set(nameOf('prospect'), nameOf('reason'))
      else if (event.msg_key === 'event.customer-signed') outcome.set(nameOf('customer'), 'signed')
    }
    for (const prospect of sim.customers.state.prospects.list) seen.set(prospect.contract.name, prospect)
  })
  const allowed: Record<string, RegExp> = {
    Accept: /^signed|^it has heard|offer$|^it runs/,
    AcceptWithCare: /^signed|^it has heard|offer$|^it runs/,
    AddCapacity: /no room/,
    Decline: /requirements/,
  }
  const wrong = [...outcome].filter(([name, what]) => !allowed[lastRecommendation(name)].test(what))
  expect(wrong).toEqual([])
  const accepted = [...outcome].filter(([name]) => lastRecommendation(name).startsWith('Accept'))
  const signed = accepted.filter(([, what]) => what === 'signed')
  expect(accepted.length).toBeGreaterThan(0)
  expect(signed.length).toBeGreaterThan(accepted.length / 2)
})

test('a customer has one subnet per service class, in its segment', () => {
  const sim = createRunningSimulation(52, 'medium')
  runFor(sim, hour)
  const records = createTenantRecords(sim.state, sim.customers, () => [])
  records.update()
  const services = records.customers.flatMap((customer) => customer.services)
  expect(records.subnets).toHaveLength(services.length)
  expect(new Set(records.subnets.map(({ l2vni }) => l2vni)).size).toBe(records.subnets.length)
  expect(new Set(records.segments.map(({ vni }) => vni)).size).toBe(records.segments.length)
  for (const segment of records.segments) {
    const subnets = records.subnets.filter(({ vrf_id }) => vrf_id === segment.id)
    const carriers = new Set(subnets.flatMap(({ carrier_host_ids }) => carrier_host_ids))
    expect([...carriers].map(Number).toSorted((a, b) => a - b)).toEqual(segment.carrier_host_ids.map(Number))
  }
  const airGapped = records.customers.filter(({ demands_air_gap }) => demands_air_gap)
  for (const { id } of airGapped) {
    const shared = records.hosts.filter(({ served_customer_ids: ids }) => ids.includes(id) && ids.length > 1)
    expect(shared).toEqual([])
  }
})
