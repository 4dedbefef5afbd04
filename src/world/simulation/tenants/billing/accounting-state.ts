import type { Topology } from '../../topology/tables.ts'
import type { Owned } from '../../part.ts'
import { createHostCosts } from './host-costs.ts'

export type AccountingState = Owned<ReturnType<typeof createAccountingState>>

export const createAccountingState = (topology: Topology) => ({
  /** Millionths of a dollar since the world began. */
  totals: {
    revenue: 0,
    direct: 0,
    facility: 0,
    transit: 0,
    addons: 0,
    credits: 0,
    bonuses: 0,
    evictions: 0,
    /** Cost of hosts without units, and of transit of hostile traffic. */
    idleInfrastructure: 0,
    idleTransit: 0,
    /** Totals of former customers. */
    goneRevenue: 0,
    goneCredits: 0,
    goneInfrastructure: 0,
    goneTransit: 0,
  },
  costs: createHostCosts(topology),
  /** Millionths of a dollar booked on customers since accounts were closed, and their traffic. */
  open: {
    revenue: 0,
    infrastructure: 0,
    transit: 0,
    /** Transit and the share of add-ons. */
    network: 0,
    gbit: 0,
    /** Cost of add-ons per Gbit, from the traffic of the turn before. */
    addonMicroPerGbit: 0,
  },
  day: 0,
})
