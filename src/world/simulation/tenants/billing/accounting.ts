import type { WorldView } from '../../state.ts'
import { dayNumber } from '../../time.ts'
import type { Account } from '../account.ts'
import { historyDays, hourMinutes } from '../account.ts'
import type { TenantContext } from '../context.ts'
import {
  minutesPerMonth,
  perMillionRequests,
  tbPerGbit,
  trafficDollarsPerTb,
  transitDollarsPerTb,
} from '../prices.ts'
import { accumulateServed } from '../quality/delivered-traffic.ts'
import type { TenantsState } from '../state.ts'
import type { AccountingState } from './accounting-state.ts'
import { updateHostCosts } from './host-costs.ts'

const million = 1_000_000
const transitMicroPerGbit = tbPerGbit * transitDollarsPerTb * million

/**
 * Money is booked once a minute in whole millionths of a dollar, so that sums are exact: each total is the sum of the
 * amounts booked on customers and of the unattributed amounts.
 */
export interface Accounting {
  readonly totals: Readonly<AccountingState['totals']>
  /** Cost of each host in the last minute. */
  readonly costs: AccountingState['costs']
  /** Row of the current day in the ring of days. */
  readonly dayRow: number
  /** Runs at the beginning of the world, after the first step of the facility. */
  open(): void
  /** Once a minute per customer: books its revenue and cost since the last call. */
  bookAccount(account: Account): void
  /** After the last customer of a minute: books the cost of hosts and networks, and publishes the sums. */
  closeMinute(): void
  /** Pays a credit to a customer; returns the dollars paid. */
  credit(account: Account, dollars: number): number
  bonus(dollars: number): void
  eviction(dollars: number): void
  /** Retains the totals of a leaving customer. */
  close(account: Account): void
}

export function createAccounting(context: TenantContext): Accounting {
  const { world, state } = context
  const { totals, costs, minute } = state.accounting
  state.accounting.day = dayNumber(world.now)

  const startDays = (): void => {
    while (state.accounting.day < dayNumber(world.now)) {
      state.accounting.day++
      for (let service = 0; service < state.services.rowsEnd; service++) clearDay(state, service)
    }
  }

  return {
    totals,
    costs,
    get dayRow() {
      return dayRowOf(state)
    },
    open: () => updateHostCosts(costs, world),
    bookAccount: (account) => bookServices(context, account),
    closeMinute() {
      startDays()
      const cost = closeHosts(state.accounting) + closeTransit(world, state.accounting)
      totals.revenue += minute.revenue
      publishMoney(state)
      state.money.revenuePerHour = (minute.revenue * 60) / million
      state.money.costPerHour = (cost * 60) / million
      minute.revenue = 0
      updateHostCosts(costs, world)
    },
    credit(account, dollars) {
      const micro = Math.round(Math.max(0, dollars) * million)
      account.creditsMicro += micro
      totals.credits += micro
      publishMoney(state)
      return micro / million
    },
    bonus(dollars) {
      totals.bonuses += Math.round(dollars * million)
      publishMoney(state)
    },
    eviction(dollars) {
      totals.evictions += Math.round(dollars * million)
      publishMoney(state)
    },
    close(account) {
      totals.goneRevenue += account.revenueMicro
      totals.goneCredits += account.creditsMicro
      totals.goneInfrastructure += account.infrastructureMicro
      totals.goneTransit += account.transitMicro
    },
  }
}

const dayRowOf = ({ accounting }: TenantsState): number => accounting.day % historyDays

function bookServices({ world, state }: TenantContext, account: Account): void {
  const { services, accounting } = state
  const { minute } = accounting
  const dayRow = dayRowOf(state)
  accumulateServed(services, account, world.tick + 1)
  const microPerGbit = minute.addonMicroPerGbit + transitMicroPerGbit
  let revenue = 0
  let infrastructure = 0
  let network = 0
  for (const service of account.services) {
    const gbit = services.servedGbit[service]
    const at = service * historyDays + dayRow
    const earned = account.live ? serviceRevenue(state, service) : 0
    const hosts = infrastructureCost(state, service)
    const transit = Math.floor(gbit * transitMicroPerGbit)
    const carried = Math.max(transit, Math.floor(gbit * microPerGbit))
    services.revenueOfDay[at] += earned
    services.revenueTotal[service] += earned
    services.infrastructureOfDay[at] += hosts
    services.infrastructureTotal[service] += hosts
    services.transitOfDay[at] += carried
    services.transitTotal[service] += carried
    services.servedGbit[service] = 0
    services.servedRequests[service] = 0
    minute.gbit += gbit
    minute.transit += transit
    revenue += earned
    infrastructure += hosts
    network += carried
  }
  bookRevenue(account, revenue)
  account.infrastructureMicro += infrastructure
  account.transitMicro += network
  account.costPerHourMicro = (infrastructure + network) * 60
  minute.revenue += revenue
  minute.infrastructure += infrastructure
  minute.network += network
}

/** Plan price of the placed units, plus usage. */
function serviceRevenue({ services }: TenantsState, service: number): number {
  const plan = services.unitMicroPerMinute[service] * services.placed[service]
  const requests = services.servedRequests[service] * perMillionRequests
  const traffic = services.servedGbit[service] * tbPerGbit * trafficDollarsPerTb * million
  return Math.round(plan + requests + traffic)
}

function bookRevenue(account: Account, amount: number): void {
  account.revenueMicro += amount
  account.period.revenueMicro += amount
  account.revenuePerHour = (amount * 60) / million
  const slot = account.minuteSlot
  account.revenueLastHourMicro += amount - account.revenueByMinute[slot]
  account.revenueByMinute[slot] = amount
  account.failedLastHour += account.minuteFailed - account.failedByMinute[slot]
  account.failedByMinute[slot] = account.minuteFailed
  account.minuteSlot = (slot + 1) % hourMinutes
}

function clearDay(state: TenantsState, service: number): void {
  const { services } = state
  const at = service * historyDays + dayRowOf(state)
  services.revenueTotal[service] -= services.revenueOfDay[at]
  services.infrastructureTotal[service] -= services.infrastructureOfDay[at]
  services.transitTotal[service] -= services.transitOfDay[at]
  services.revenueOfDay[at] = 0
  services.infrastructureOfDay[at] = 0
  services.transitOfDay[at] = 0
}

/** Units share their host's cost in proportion to their allocated CPU. */
function infrastructureCost({ units, services, load, accounting }: TenantsState, service: number): number {
  const { total } = accounting.costs
  let cost = 0
  for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.nextOfService[unit]) {
    const host = units.host[unit]
    cost += total[host] / load.allocatedMilli[host]
  }
  return Math.floor((cost * services.vcpuMilli[service] * million) / minutesPerMonth)
}

/** Books and returns the cost of all hosts. */
function closeHosts({ totals, costs, minute }: AccountingState): number {
  const direct = Math.round((costs.directTotal * million) / minutesPerMonth)
  const facility = Math.round((costs.facilityTotal * million) / minutesPerMonth)
  totals.direct += direct
  totals.facility += facility
  totals.idleInfrastructure += direct + facility - minute.infrastructure
  minute.infrastructure = 0
  return direct + facility
}

/**
 * Books the transit of customers and attackers, and the add-ons, shared by customers in proportion to traffic;
 * returns the cost.
 */
function closeTransit({ threats }: WorldView, { totals, costs, minute }: AccountingState): number {
  let hostileGbps = 0
  for (const gbps of threats.gatewayHostileInGbps) hostileGbps += gbps
  const addons = Math.round((costs.addonsTotal * million) / minutesPerMonth)
  const transit = minute.transit + Math.round(hostileGbps * 60 * transitMicroPerGbit)
  totals.transit += transit
  totals.addons += addons
  totals.idleTransit += transit + addons - minute.network
  minute.addonMicroPerGbit = minute.gbit > 0 ? addons / minute.gbit : 0
  minute.transit = 0
  minute.network = 0
  minute.gbit = 0
  return transit + addons
}

function publishMoney({ money, accounting: { totals } }: TenantsState): void {
  money.revenue = totals.revenue / million
  money.directCost = totals.direct / million
  money.facilityCost = totals.facility / million
  money.transitCost = totals.transit / million
  money.addonCost = totals.addons / million
  money.credits = totals.credits / million
  money.bonuses = totals.bonuses / million
  money.evictionFees = totals.evictions / million
}
