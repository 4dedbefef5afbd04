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
  unitMonthDollars,
} from './prices.ts'

/**
 * Money is booked once a simulated minute in whole millionths of a dollar, so that sums are exact: each of the
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
  /** Books what the last minute brought and cost. */
  bookMinute(): void
  credit(account: Account, dollars: number): number
  bonus(dollars: number): void
  eviction(dollars: number): void
  close(account: Account): void
}

const million = 1_000_000

export function createBooks(business: Business): Books {
  const { state, services } = business
  const totals: Books['totals'] = {
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
  }
  const costs = hostCosts(state.plant)
  const rates = new UnitRates(business)
  const today = { row: dayNumber(state.now) % daysKept, day: dayNumber(state.now) }

  const turnDays = (): void => {
    while (today.day < dayNumber(state.now)) {
      today.day++
      today.row = today.day % daysKept
      for (let service = 0; service < services.end; service++) forgetDay(business, service, today.row)
    }
  }

  const bookRevenue = (): number => {
    let all = 0
    for (const account of business.accounts) {
      let sum = 0
      for (const service of account.services) {
        const amount = account.live ? serviceRevenue(business, rates, account, service) : 0
        services.revenueOfDay[service * daysKept + today.row] += amount
        services.revenueKept[service] += amount
        sum += amount
      }
      bookOnAccount(account, sum)
      all += sum
    }
    totals.revenue += all
    return all
  }

  return {
    totals,
    costs,
    get dayRow() {
      return today.row
    },
    bookMinute() {
      turnDays()
      costs.update(state)
      const cost =
        bookInfrastructure(business, totals, costs, today.row) +
        bookTransit(business, totals, costs, today.row)
      const revenue = bookRevenue()
      publishMoney(state, totals)
      state.money.revenuePerHour = (revenue * 60) / million
      state.money.costPerHour = (cost * 60) / million
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

/** What a unit of each service pays by the minute, looked up once. */
class UnitRates {
  private readonly byService: Float64Array[] = []
  private readonly business: Business

  constructor(business: Business) {
    this.business = business
  }

  of(account: Account, service: number): number {
    const { services } = this.business
    const known = this.byService[service]
    const serial = services.serial[service]
    if (known !== undefined && known[0] === serial) return known[1]
    const dollars = unitMonthDollars(
      {
        class: services.classOf(service),
        vcpu: services.vcpuMilli[service] / 1000,
        memMb: services.memMb[service],
        ssdGb: services.ssdGb[service],
        slices: services.slices[service],
      },
      account.tier,
      account.dedicatedHosts,
    )
    const rate = (dollars * million) / minutesPerMonth
    this.byService[service] = Float64Array.of(serial, rate)
    return rate
  }
}

/** By plan for what is placed, and by use. */
function serviceRevenue(business: Business, rates: UnitRates, account: Account, service: number): number {
  const { services } = business
  const plan = rates.of(account, service) * services.placed[service]
  const requests = services.servedRequests[service] * perMillionRequests
  const traffic = services.servedGbit[service] * tbPerGbit * trafficDollarsPerTb * million
  services.servedRequests[service] = 0
  services.servedGbit[service] = 0
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

/** Spreads each host's cost over the units on it, by the CPU that they were promised. */
function bookInfrastructure(
  business: Business,
  totals: Books['totals'],
  costs: HostCosts,
  dayRow: number,
): number {
  const { services, units, state } = business
  const { allocatedMilli } = state.load
  const direct = Math.round((costs.directTotal * million) / minutesPerMonth)
  const facility = Math.round((costs.facilityTotal * million) / minutesPerMonth)
  let assigned = 0
  for (const account of business.accounts) {
    let sum = 0
    for (const service of account.services) {
      let cost = 0
      for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.nextOfService[unit]) {
        const host = units.host[unit]
        cost += costs.total[host] / allocatedMilli[host]
      }
      const amount = Math.floor((cost * services.vcpuMilli[service] * million) / minutesPerMonth)
      services.infrastructureOfDay[service * daysKept + dayRow] += amount
      services.infrastructureKept[service] += amount
      sum += amount
    }
    account.infrastructureMicro += sum
    account.costPerHourMicro = sum * 60
    assigned += sum
  }
  totals.direct += direct
  totals.facility += facility
  totals.idleInfrastructure += direct + facility - assigned
  return direct + facility
}

/** Traffic of customers and of attackers, and the add-ons that customers share by their traffic. */
function bookTransit(business: Business, totals: Books['totals'], costs: HostCosts, dayRow: number): number {
  const { services, state } = business
  const addons = Math.round((costs.addonsTotal * million) / minutesPerMonth)
  let served = 0
  for (const account of business.accounts) {
    for (const service of account.services) served += services.servedGbit[service]
  }
  let hostile = 0
  for (const gbps of state.threats.gatewayHostileInGbps) hostile += gbps
  const perGbit = tbPerGbit * transitDollarsPerTb * million
  const addonPerGbit = served > 0 ? addons / served : 0
  let assigned = 0
  let transitAssigned = 0
  for (const account of business.accounts) {
    let sum = 0
    for (const service of account.services) {
      const gbit = services.servedGbit[service]
      const transit = Math.floor(gbit * perGbit)
      const amount = transit + Math.floor(gbit * addonPerGbit)
      services.transitOfDay[service * daysKept + dayRow] += amount
      services.transitKept[service] += amount
      transitAssigned += transit
      sum += amount
    }
    account.transitMicro += sum
    account.costPerHourMicro += sum * 60
    assigned += sum
  }
  const transit = transitAssigned + Math.round(hostile * 60 * perGbit)
  totals.transit += transit
  totals.addons += addons
  totals.idleTransit += transit + addons - assigned
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
