import type { Topology } from '../../topology/tables.ts'
import { createHostCosts, type HostCosts } from './host-costs.ts'

/** Millionths of a dollar since the world began. */
interface AccountingTotals {
  revenue: number
  direct: number
  facility: number
  transit: number
  addons: number
  credits: number
  bonuses: number
  evictions: number
  /** Cost of hosts without units, and of traffic that no customer asked for. */
  idleInfrastructure: number
  idleTransit: number
  /** Totals of customers that have left. */
  goneRevenue: number
  goneCredits: number
  goneInfrastructure: number
  goneTransit: number
}

/** Millionths of a dollar that were booked on customers in the current minute, and their traffic. */
interface MinuteBookings {
  revenue: number
  infrastructure: number
  transit: number
  /** Transit and the share of add-ons. */
  network: number
  gbit: number
  /** Cost of add-ons per Gbit, from the traffic of the minute before. */
  addonMicroPerGbit: number
}

export interface AccountingState {
  readonly totals: AccountingTotals
  readonly costs: HostCosts
  readonly minute: MinuteBookings
  day: number
}

export const createAccountingState = (topology: Topology): AccountingState => ({
  totals: {
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
  },
  costs: createHostCosts(topology),
  minute: { revenue: 0, infrastructure: 0, transit: 0, network: 0, gbit: 0, addonMicroPerGbit: 0 },
  day: 0,
})
