import type { Collections, CustomerRecord } from '../../../src/contract/collections.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import { devicesOf, portedKinds, sum } from './checked-world.ts'
import type { Check, CheckedWorld } from './checked-world.ts'

/** Invariant 5: counters are monotonic, failures do not exceed requests, and money adds up. */
export function watchCountersAndMoney(): Check {
  const never = watchCounters()
  return (look) => [
    ...never(look),
    ...look.snapshot.collections.customers.flatMap(requestViolations),
    ...look.snapshot.collections.customers.flatMap(marginViolations),
    ...costViolations(look.snapshot.collections),
    ...bookViolations(look),
  ]
}

function watchCounters(): Check {
  let before = new Map<string, number | bigint>()
  return (look) => {
    const now = countersOf(look)
    const wrong: string[] = []
    for (const [name, value] of now) {
      const last = before.get(name)
      if (last !== undefined && value < last) wrong.push(`${name} fell from ${last} to ${value}`)
    }
    before = now
    return wrong
  }
}

/** All monotonic counters by name. */
function countersOf({ snapshot }: CheckedWorld): Map<string, number | bigint> {
  const { collections, diagnostics, totals, simTimeNs } = snapshot
  const counters = new Map<string, number | bigint>([
    ['time', simTimeNs],
    ['tick', diagnostics.simulation.tick],
    ['events', diagnostics.counts.events],
    ['incidents opened', diagnostics.counts.incidents_opened],
    ['quests done', diagnostics.counts.quests_done],
    ['newest evicted event', snapshot.newestEvictedNs],
  ])
  for (const kind of portedKinds) {
    for (const { id, ports } of devicesOf(collections, kind)) {
      for (const port of ports) {
        const who = `${kind} ${id}, port ${port.port_id}:`
        counters.set(`${who} bytes out`, port.bytes_egress_total)
        counters.set(`${who} bytes in`, port.bytes_ingress_total)
        counters.set(`${who} errors`, port.error_count)
        counters.set(`${who} flaps`, port.link_flaps)
      }
    }
  }
  for (const customer of collections.customers) {
    const who = `customer ${customer.id}:`
    counters.set(`${who} requests`, customer.total_requests_lifetime)
    counters.set(`${who} failed requests`, customer.failed_requests_lifetime)
    counters.set(`${who} revenue`, customer.revenue_total_dollars)
    counters.set(`${who} credits`, customer.sla_credits_dollars)
  }
  for (const { root_kind, count } of diagnostics.root_kinds_confirmed)
    counters.set(`${root_kind} confirmed`, count)
  for (const { kind, severity, count } of totals.events) counters.set(`events ${kind} ${severity}`, count)
  for (const { band, symptom_kind, count } of totals.incidentsOpened) {
    counters.set(`opened ${band} ${symptom_kind}`, count)
  }
  for (const { band, root_kind, count } of totals.incidentsResolved)
    counters.set(`resolved ${band} ${root_kind}`, count)
  for (const { band, counts, seconds } of totals.timeToResolve) {
    counters.set(`seconds to resolve ${band}`, seconds)
    counts.forEach((count, bucket) => counters.set(`time to resolve ${band}, bucket ${bucket}`, count))
  }
  return counters
}

function requestViolations(customer: CustomerRecord): string[] {
  const { id, failed_requests_lifetime: failed, total_requests_lifetime: total, failed_last_hour } = customer
  const wrong: string[] = []
  if (failed > total) wrong.push(`customer ${id}: ${failed} of ${total} requests failed`)
  if (failed_last_hour > failed)
    wrong.push(`customer ${id}: ${failed_last_hour} failed in an hour, ${failed} ever`)
  return wrong
}

const cents = (dollars: number): number => Math.round(dollars * 100)

function marginViolations(customer: CustomerRecord): string[] {
  const who = `customer ${customer.id}`
  const wrong: string[] = []
  const check = (what: string, whole: number, parts: number): void => {
    if (cents(whole) !== parts) wrong.push(`${who}: ${what} is ${whole}, its parts make ${parts / 100}`)
  }
  const revenue = cents(customer.margin_revenue_dollars)
  const cost = cents(customer.margin_cost_dollars)
  check('margin', customer.margin_dollars, revenue - cost)
  const infrastructure = cents(customer.cost_infrastructure_dollars)
  check('cost', customer.margin_cost_dollars, infrastructure + cents(customer.cost_transit_dollars))
  const services = customer.service_margins
  check(
    'revenue',
    customer.margin_revenue_dollars,
    sum(services, (service) => cents(service.revenue_dollars)),
  )
  check(
    'cost of services',
    customer.margin_cost_dollars,
    sum(services, (service) => cents(service.cost_dollars)),
  )
  for (const { service, revenue_dollars, cost_dollars, margin_dollars } of services) {
    check(`margin of ${service}`, margin_dollars, cents(revenue_dollars) - cents(cost_dollars))
  }
  return wrong
}

function costViolations({ hosts, azs, gateways }: Collections): string[] {
  const wrong: string[] = []
  for (const host of hosts) {
    const parts = cents(host.monthly_cost_direct_dollars) + cents(host.monthly_cost_facility_dollars)
    if (cents(host.monthly_cost_total_dollars) !== parts) wrong.push(`host ${host.id}: monthly cost`)
  }
  for (const { id, monthly_cost_dollars } of azs) {
    const own = hosts.filter(({ az_id }) => az_id === id)
    const parts = sum(own, (host) => cents(host.monthly_cost_total_dollars))
    const addons = gateways
      .filter(({ az_id }) => az_id === id)
      .flatMap(({ security_addons }) => security_addons)
    const bought = sum(
      addons.filter(({ owned }) => owned),
      (addon) => cents(addon.monthly_dollars),
    )
    if (cents(monthly_cost_dollars) !== parts + bought) {
      wrong.push(`zone ${id} costs ${monthly_cost_dollars}, its hosts and add-ons ${(parts + bought) / 100}`)
    }
    const basis = sum(own, ({ facility_basis }) => facility_basis)
    if (Math.abs(basis - 1) > 1e-4 * own.length) wrong.push(`zone ${id}: facility shares make ${basis}`)
  }
  return wrong
}

/**
 * Bookings are exact to the millionth: totals, with what was booked on customers since they were closed, are the sums over
 * customers and unattributed amounts.
 */
function bookViolations({ sim }: CheckedWorld): string[] {
  const { state, customers } = sim
  const { accounts, accounting } = customers.state
  const { totals, open } = accounting
  const infrastructure = sum(accounts, ({ infrastructureMicro }) => infrastructureMicro)
  const transit = sum(accounts, ({ transitMicro }) => transitMicro)
  const balances: Readonly<Record<string, readonly [number, number]>> = {
    revenue: [
      totals.revenue + open.revenue,
      totals.goneRevenue + sum(accounts, ({ revenueMicro }) => revenueMicro),
    ],
    credits: [totals.credits, totals.goneCredits + sum(accounts, ({ creditsMicro }) => creditsMicro)],
    hosts: [
      totals.direct + totals.facility + open.infrastructure,
      totals.idleInfrastructure + totals.goneInfrastructure + infrastructure,
    ],
    network: [
      totals.transit + totals.addons + open.network,
      totals.idleTransit + totals.goneTransit + transit,
    ],
    'published money': [totals.revenue, Math.round(state.money.revenue * 1e6)],
  }
  return Object.entries(balances).flatMap(([what, [whole, parts]]) =>
    Math.abs(whole - parts) < 1
      ? []
      : [`accounting: ${what} is ${whole / 1e6}, its parts make ${parts / 1e6} dollars`],
  )
}

/** The fastest counters, checked after every step in the state of the world itself. */
export function watchEveryStep(): (sim: Simulation) => string[] {
  const before = new Map<number, { total: number; failed: number; revenue: number }>()
  let money = { revenue: 0, direct: 0, facility: 0, transit: 0, credits: 0 }
  let emitted = 0
  return ({ state, customers }) => {
    const wrong: string[] = []
    for (const account of customers.state.accounts) {
      const { id, totalRequests: total, failedRequests: failed, revenueMicro: revenue } = account
      const last = before.get(id)
      if (last === undefined) before.set(id, { total, failed, revenue })
      else {
        if (total < last.total || failed < last.failed || revenue < last.revenue)
          wrong.push(`customer ${id} fell`)
        if (failed - last.failed > total - last.total) wrong.push(`customer ${id}: more failed than came`)
        last.total = total
        last.failed = failed
        last.revenue = revenue
      }
    }
    const { revenue, directCost, facilityCost, transitCost, credits } = state.money
    const now = { revenue, direct: directCost, facility: facilityCost, transit: transitCost, credits }
    for (const key of Object.keys(now) as (keyof typeof now)[]) {
      if (now[key] < money[key]) wrong.push(`money: ${key} fell from ${money[key]} to ${now[key]}`)
    }
    money = now
    if (state.events.state.emitted < emitted) wrong.push('events were taken back')
    emitted = state.events.state.emitted
    return wrong
  }
}
