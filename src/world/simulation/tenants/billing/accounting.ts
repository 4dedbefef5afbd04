import { hoursPerMonth } from '../../../../contract/fields.ts'
import type { WorldView } from '../../state.ts'
import { dayNumber } from '../../time.ts'
import type { Account } from '../account.ts'
import { historyDays } from '../account.ts'
import type { TenantContext } from '../context.ts'
import { perMillionRequests, tbPerGbit, trafficDollarsPerTb, transitDollarsPerTb } from '../prices.ts'
import { turnMinutes, turnsPerHour } from '../../schedule.ts'
import { accumulateServed } from '../quality/delivered-traffic.ts'
import { countRequests } from '../quality/requests.ts'
import type { TenantsState } from '../state.ts'
import type { AccountingState } from './accounting-state.ts'
import { updateHostCosts } from './host-costs.ts'

const million = 1_000_000
const turnsPerMonth = hoursPerMonth * turnsPerHour
const transitMicroPerGbit = tbPerGbit * transitDollarsPerTb * million

/**
 * Money is booked every five minutes in whole millionths of a dollar, so that sums are exact: each total is the sum of the
 * amounts booked on customers and of the unattributed amounts.
 */
export interface Accounting {
  readonly totals: Readonly<AccountingState['totals']>
  /** Cost of each host when accounts were last closed. */
  readonly costs: AccountingState['costs']
  /** Row of the current day in the ring of days. */
  readonly dayRow: number
  /** Assesses the costs of hosts at the beginning of the world, after the first step of the facility. */
  begin(): void
  /** At the turn of a customer: books its revenue and cost since the last call. */
  bookAccount(account: Account): void
  /** Every five minutes: books the cost of hosts and networks, and publishes the sums. */
  closeTurn(): void
  /** Pays a credit to a customer; returns the dollars paid. */
  credit(account: Account, dollars: number): number
  bonus(dollars: number): void
  eviction(dollars: number): void
  /** Retains the totals of a leaving customer. */
  close(account: Account): void
}

export function createAccounting(context: TenantContext): Accounting {
  const { world, state } = context
  const { totals, costs, open } = state.accounting
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
    begin: () => updateHostCosts(costs, world),
    bookAccount: (account) => bookServices(context, account),
    closeTurn() {
      startDays()
      const cost = closeHosts(state.accounting) + closeTransit(world, state.accounting)
      totals.revenue += open.revenue
      publishMoney(state)
      state.money.revenuePerHour = (open.revenue * turnsPerHour) / million
      state.money.costPerHour = (cost * turnsPerHour) / million
      open.revenue = 0
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
  const { open } = accounting
  const dayRow = dayRowOf(state)
  accumulateServed(services, account, world.tick + 1)
  countRequests(account, world.tick + 1)
  const microPerGbit = open.addonMicroPerGbit + transitMicroPerGbit
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
    open.gbit += gbit
    open.transit += transit
    revenue += earned
    infrastructure += hosts
    network += carried
  }
  bookRevenue(account, revenue)
  account.infrastructureMicro += infrastructure
  account.transitMicro += network
  account.costPerHourMicro = (infrastructure + network) * turnsPerHour
  open.revenue += revenue
  open.infrastructure += infrastructure
  open.network += network
}

/** Plan price of the placed units, plus usage. */
function serviceRevenue({ services }: TenantsState, service: number): number {
  const plan = services.unitMicroPerMinute[service] * turnMinutes * services.placed[service]
  const requests = services.servedRequests[service] * perMillionRequests
  const traffic = services.servedGbit[service] * tbPerGbit * trafficDollarsPerTb * million
  return Math.round(plan + requests + traffic)
}

function bookRevenue(account: Account, amount: number): void {
  account.revenueMicro += amount
  account.period.revenueMicro += amount
  account.revenuePerHour = (amount * turnsPerHour) / million
  const slot = account.turnSlot
  account.revenueLastHourMicro += amount - account.revenueByTurn[slot]
  account.revenueByTurn[slot] = amount
  account.failedLastHour += account.turnFailed - account.failedByTurn[slot]
  account.failedByTurn[slot] = account.turnFailed
  account.turnSlot = (slot + 1) % turnsPerHour
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
  return Math.floor((cost * services.vcpuMilli[service] * million) / turnsPerMonth)
}

/** Books and returns the cost of all hosts. */
function closeHosts({ totals, costs, open }: AccountingState): number {
  const direct = Math.round((costs.directTotal * million) / turnsPerMonth)
  const facility = Math.round((costs.facilityTotal * million) / turnsPerMonth)
  totals.direct += direct
  totals.facility += facility
  totals.idleInfrastructure += direct + facility - open.infrastructure
  open.infrastructure = 0
  return direct + facility
}

/**
 * Books the transit of customers and attackers, and the add-ons, shared by customers in proportion to traffic;
 * returns the cost.
 */
function closeTransit({ threats }: WorldView, { totals, costs, open }: AccountingState): number {
  let hostileGbps = 0
  for (const gbps of threats.gatewayHostileInGbps) hostileGbps += gbps
  const addons = Math.round((costs.addonsTotal * million) / turnsPerMonth)
  const transit = open.transit + Math.round(hostileGbps * 60 * turnMinutes * transitMicroPerGbit)
  totals.transit += transit
  totals.addons += addons
  totals.idleTransit += transit + addons - open.network
  open.addonMicroPerGbit = open.gbit > 0 ? addons / open.gbit : 0
  open.transit = 0
  open.network = 0
  open.gbit = 0
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
