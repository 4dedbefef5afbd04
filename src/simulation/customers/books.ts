import type { WorldState } from '../state.ts'
import { dayNumber } from '../time.ts'
import { type Account, daysKept, minutesKept } from './account.ts'
import type { Business } from './business.ts'
import { hostCosts, type HostCosts } from './host-costs.ts'
import {
  minutesPerMonth,
  perMillionRequests,
  tbPerGbit,
  trafficDollarsPerTb,
  transitDollarsPerTb,
} from './prices.ts'
import { countServed } from './served.ts'

/**
 * Money is booked minute by minute in whole millionths of a dollar, so that sums are exact: each of the
 * world's totals is the sum of what was booked on customers and of what is nobody's.
 */
export interface Books {
  /** Totals since the world began, in millionths of a dollar. */
  readonly totals: {
    revenue: number
    direct: number
    facility: number
    transit: number
    addons: number
    credits: number
    bonuses: number
    evictions: number
    /** Cost of hosts on which nobody stands, and of traffic that nobody asked for. */
    idleInfrastructure: number
    idleTransit: number
    /** What customers who have left once brought and cost. */
    goneRevenue: number
    goneCredits: number
    goneInfrastructure: number
    goneTransit: number
  }
  /** Last month's cost of each host, by row. */
  readonly costs: HostCosts
  readonly dayRow: number
  /** Once a minute for each customer: books what it brought and cost since the last time. */
  bookAccount(account: Account): void
  /** After the last customer of a minute: books what hosts and networks cost, and sums up. */
  closeMinute(): void
  credit(account: Account, dollars: number): number
  bonus(dollars: number): void
  eviction(dollars: number): void
  close(account: Account): void
}

const million = 1_000_000

const emptyTotals = (): Books['totals'] => ({
  revenue: 0,
  direct: 0,
  facility: 0,
  transit: 0,
  addons: 0,
  credits: 0,
  bonuses: 0,
  evictions: 0,
  idleInfrastructure: 0,
  idleTransit: 0,
  goneRevenue: 0,
  goneCredits: 0,
  goneInfrastructure: 0,
  goneTransit: 0,
})

export function createBooks(business: Business): Books {
  const { state, services } = business
  const totals = emptyTotals()
  const costs = hostCosts(state.plant)
  const today = { row: dayNumber(state.now) % daysKept, day: dayNumber(state.now) }

  const turnDays = (): void => {
    while (today.day < dayNumber(state.now)) {
      today.day++
      today.row = today.day % daysKept
      for (let service = 0; service < services.end; service++) forgetDay(business, service, today.row)
    }
  }

  /** Booked on customers since the last whole minute. */
  const since: Since = {
    revenue: 0,
    infrastructure: 0,
    transit: 0,
    network: 0,
    gbit: 0,
    addonMicroPerGbit: 0,
  }

  return {
    totals,
    costs,
    get dayRow() {
      return today.row
    },
    bookAccount: (account) => bookServices(business, costs, since, today.row, account),
    closeMinute() {
      turnDays()
      const cost = closeHosts(totals, costs, since) + closeTransit(state, totals, costs, since)
      totals.revenue += since.revenue
      publishMoney(state, totals)
      state.money.revenuePerHour = (since.revenue * 60) / million
      state.money.costPerHour = (cost * 60) / million
      since.revenue = 0
      costs.update(state)
    },
    credit(account, dollars) {
      const micro = Math.round(Math.max(0, dollars) * million)
      account.creditsMicro += micro
      totals.credits += micro
      publishMoney(state, totals)
      return micro / million
    },
    bonus(dollars) {
      totals.bonuses += Math.round(dollars * million)
      publishMoney(state, totals)
    },
    eviction(dollars) {
      totals.evictions += Math.round(dollars * million)
      publishMoney(state, totals)
    },
    close(account) {
      totals.goneRevenue += account.revenueMicro
      totals.goneCredits += account.creditsMicro
      totals.goneInfrastructure += account.infrastructureMicro
      totals.goneTransit += account.transitMicro
    },
  }
}

/** Books what a customer brought and cost since it was booked last, on the day of the ring that is on. */
function bookServices(
  business: Business,
  costs: HostCosts,
  since: Since,
  dayRow: number,
  account: Account,
): void {
  const { services } = business
  countServed(services, account, business.state.tick + 1)
  const perGbit = since.addonMicroPerGbit + transitMicroPerGbit
  let revenue = 0
  let infrastructure = 0
  let network = 0
  for (const service of account.services) {
    const gbit = services.servedGbit[service]
    const at = service * daysKept + dayRow
    const earned = account.live ? serviceRevenue(business, service) : 0
    const hosts = infrastructureOf(business, costs, service)
    const transit = Math.floor(gbit * transitMicroPerGbit)
    const carried = Math.max(transit, Math.floor(gbit * perGbit))
    services.revenueOfDay[at] += earned
    services.revenueKept[service] += earned
    services.infrastructureOfDay[at] += hosts
    services.infrastructureKept[service] += hosts
    services.transitOfDay[at] += carried
    services.transitKept[service] += carried
    services.servedGbit[service] = 0
    services.servedRequests[service] = 0
    since.gbit += gbit
    since.transit += transit
    revenue += earned
    infrastructure += hosts
    network += carried
  }
  bookOnAccount(account, revenue)
  account.infrastructureMicro += infrastructure
  account.transitMicro += network
  account.costPerHourMicro = (infrastructure + network) * 60
  since.revenue += revenue
  since.infrastructure += infrastructure
  since.network += network
}

/** By plan for what is placed, and by use. */
function serviceRevenue({ services }: Business, service: number): number {
  const plan = services.unitMicroPerMinute[service] * services.placed[service]
  const requests = services.servedRequests[service] * perMillionRequests
  const traffic = services.servedGbit[service] * tbPerGbit * trafficDollarsPerTb * million
  return Math.round(plan + requests + traffic)
}

function bookOnAccount(account: Account, amount: number): void {
  account.revenueMicro += amount
  account.period.revenueMicro += amount
  account.revenuePerHour = (amount * 60) / million
  const slot = account.minuteSlot
  account.revenueLastHourMicro += amount - account.revenueByMinute[slot]
  account.revenueByMinute[slot] = amount
  account.failedLastHour += account.minuteFailed - account.failedByMinute[slot]
  account.failedByMinute[slot] = account.minuteFailed
  account.minuteSlot = (slot + 1) % minutesKept
}

function forgetDay({ services }: Business, service: number, row: number): void {
  const at = service * daysKept + row
  services.revenueKept[service] -= services.revenueOfDay[at]
  services.infrastructureKept[service] -= services.infrastructureOfDay[at]
  services.transitKept[service] -= services.transitOfDay[at]
  services.revenueOfDay[at] = 0
  services.infrastructureOfDay[at] = 0
  services.transitOfDay[at] = 0
}

/** What falls on a service of its hosts' cost: a host's is spread over its units by the CPU promised to them. */
function infrastructureOf({ units, services, state }: Business, costs: HostCosts, service: number): number {
  const { allocatedMilli } = state.load
  let cost = 0
  for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.nextOfService[unit]) {
    const host = units.host[unit]
    cost += costs.total[host] / allocatedMilli[host]
  }
  return Math.floor((cost * services.vcpuMilli[service] * million) / minutesPerMonth)
}

/** What was booked on customers since the last whole minute, in millionths of a dollar, and their traffic. */
interface Since {
  revenue: number
  infrastructure: number
  transit: number
  /** Transit and the share of add-ons. */
  network: number
  gbit: number
  /** Add-ons a minute, over the traffic of the minute before. */
  addonMicroPerGbit: number
}

const transitMicroPerGbit = tbPerGbit * transitDollarsPerTb * million

/** Books what hosts cost; what no customer bears is nobody's. */
function closeHosts(totals: Books['totals'], costs: HostCosts, since: Since): number {
  const direct = Math.round((costs.directTotal * million) / minutesPerMonth)
  const facility = Math.round((costs.facilityTotal * million) / minutesPerMonth)
  totals.direct += direct
  totals.facility += facility
  totals.idleInfrastructure += direct + facility - since.infrastructure
  since.infrastructure = 0
  return direct + facility
}

/** Traffic of customers and of attackers, and the add-ons that customers share by their traffic. */
function closeTransit(state: WorldState, totals: Books['totals'], costs: HostCosts, since: Since): number {
  let hostile = 0
  for (const gbps of state.threats.gatewayHostileInGbps) hostile += gbps
  const addons = Math.round((costs.addonsTotal * million) / minutesPerMonth)
  const transit = since.transit + Math.round(hostile * 60 * transitMicroPerGbit)
  totals.transit += transit
  totals.addons += addons
  totals.idleTransit += transit + addons - since.network
  since.addonMicroPerGbit = since.gbit > 0 ? addons / since.gbit : 0
  since.transit = 0
  since.network = 0
  since.gbit = 0
  return transit + addons
}

function publishMoney(state: WorldState, totals: Books['totals']): void {
  const { money } = state
  money.revenue = totals.revenue / million
  money.directCost = totals.direct / million
  money.facilityCost = totals.facility / million
  money.transitCost = totals.transit / million
  money.addonCost = totals.addons / million
  money.credits = totals.credits / million
  money.bonuses = totals.bonuses / million
  money.evictionFees = totals.evictions / million
}
