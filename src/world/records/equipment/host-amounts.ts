import type { HostCosts } from '../../simulation/tenants/view.ts'
import { round } from '../../simulation/numeric.ts'
import type { RecordedWorld } from '../world.ts'

/**
 * Amounts of a host as its record states them, rounded. Records of zones and pools add these up, not the amounts
 * behind them, so that every published total is the sum of its published parts.
 */
export const usedMilliCpu = ({ load }: RecordedWorld, host: number): number =>
  Math.round(load.cpuUsedMilli[host])

export const iopsDone = ({ topology, load }: RecordedWorld, host: number): number =>
  Math.min(topology.hostSkus[topology.hosts.sku[host]].iops, Math.round(load.iopsUsed[host]))

/** The whole monthly cost of a host, in cents. */
export const monthlyCostCents = (costs: HostCosts, host: number): number =>
  Math.round(100 * round(costs.direct[host], 2)) + Math.round(100 * round(costs.facility[host], 2))
