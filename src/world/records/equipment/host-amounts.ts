import type { HostCosts } from '../../simulation/tenants/view.ts'
import { round } from '../../simulation/numeric.ts'
import type { RecordedWorld } from '../world.ts'

/**
 * Quantities of a host, rounded as in its record. Records of zones and pools sum the rounded quantities, so that
 * every published total is the sum of its published parts.
 */
export const usedMilliCpu = ({ load }: RecordedWorld, host: number): number =>
  Math.round(load.cpuUsedMilli[host])

export const iopsDone = ({ topology, load }: RecordedWorld, host: number): number =>
  Math.min(topology.hostSkus[topology.hosts.sku[host]].iops, Math.round(load.iopsUsed[host]))

/** Total monthly cost of a host, in cents. */
export const monthlyCostCents = (costs: HostCosts, host: number): number =>
  Math.round(100 * round(costs.direct[host], 2)) + Math.round(100 * round(costs.facility[host], 2))
