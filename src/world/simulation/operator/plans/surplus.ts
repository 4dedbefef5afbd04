import { hostConditionPct } from '../../faults/hazards/wear.ts'
import { day, dayOfYear } from '../../time.ts'
import type { OperatorContext } from '../context.ts'
import type { Sale } from '../model.ts'
import { growthPerDay } from '../observation.ts'
import { leadTime } from '../prices.ts'
import { announceSalePlanned } from '../announcements.ts'
import { isOnOrder } from '../purchasing.ts'
import { outstandingDebtOf, resaleOf } from '../sales.ts'
import { spendable } from '../treasury.ts'
import { unservedHosts, unservedHostsMin } from './hosts.ts'

/** Sells hosts that have been empty for weeks and are not needed by the forecast. */

const emptyHoursMin = 42 * 24
/** Days of growth that the remaining hosts of a pool must cover. */
const daysAhead = 90
/** Maximum fill of the remaining hosts by then, well below the fill that triggers an order. */
const fillMax = 0.5
/** A site keeps a host of each pool to be able to offer it; a used pool keeps a few in each of its zones. */
const poolHostsMin = 1
const zoneHostsMin = 4
/** Bound of the hosts in one sale. */
const saleMax = 4
const daysObserved = 28

export function observeEmptyHosts({ world, state }: OperatorContext): void {
  for (const host of world.topology.hosts.rows)
    state.emptyHours[host] = world.load.unitCount[host] > 0 ? 0 : state.emptyHours[host] + 1
}

export function planSurplus(context: OperatorContext): void {
  for (let pool = 0; pool < context.capacity.pools.length; pool++) {
    const most = Math.min(saleMax, spareHosts(context, pool))
    if (most <= 0) continue
    for (let zone = 0; zone < context.world.topology.zones.length; zone++) {
      const hosts = sellable(context, pool, zone).slice(0, most)
      if (hosts.length === 0 || !canPayOff(context, hosts)) continue
      const weeks = Math.floor(Math.min(...hosts.map((host) => context.state.emptyHours[host])) / (24 * 7))
      const because = `empty for ${weeks} weeks and not needed before ${monthAt(context.world.now + daysAhead * day)}`
      planSale(context, pool, zone, hosts, because)
      break
    }
  }
}

/** Whether the debt on hosts beyond their proceeds is affordable. */
function canPayOff({ world, state }: OperatorContext, hosts: readonly number[]): boolean {
  const owed = hosts.reduce((sum, host) => sum + outstandingDebtOf(world, host) - resaleOf(world, host), 0)
  return owed <= Math.max(0, spendable(state, world))
}

/** Number of surplus hosts of a pool for the next months, from its peak use and growth. */
function spareHosts(context: OperatorContext, pool: number): number {
  const { state, capacity } = context
  const history = state.poolUse[pool]
  if (history.length < daysObserved || unservedHosts(context, pool) >= unservedHostsMin) return 0
  if (isOnOrder(context, (works) => works.kind === 'Hosts' && works.pool === pool)) return 0
  if (state.sales.some((sale) => sale.pool === pool)) return 0
  const wanted = (Math.max(...history) + growthPerDay(history) * daysAhead) / fillMax
  return capacity.pools[pool].hosts - Math.max(poolHostsMin, Math.ceil(wanted))
}

/** Surplus empty hosts of a pool in a zone, in ascending order of condition. */
function sellable(context: OperatorContext, pool: number, zone: number): number[] {
  const { world, state, capacity } = context
  const { topology, condition } = world
  const group = capacity.hostsOf[pool * topology.zones.length + zone]
  const isUsed = Math.max(...state.poolUse[pool]) > 0
  const most = Math.min(
    group.length - (isUsed ? 1 : 0),
    topology.zones[zone].hosts.length - zoneHostsMin - hostsOnSale(context, zone),
  )
  if (most <= 0) return []
  return Array.from(group)
    .filter(
      (host) =>
        state.emptyHours[host] >= emptyHoursMin &&
        condition.hostMaintenance[host] === 0 &&
        !isOnOrder(context, (works) => works.kind === 'Renewal' && works.host === host),
    )
    .toSorted((a, b) => hostConditionPct(world, a) - hostConditionPct(world, b) || a - b)
    .slice(0, most)
}

const hostsOnSale = ({ state }: OperatorContext, zone: number): number =>
  state.sales.reduce((count, sale) => count + (sale.zone === zone ? sale.hosts.length : 0), 0)

/** The empty hosts of a pool that can be sold at once, those with the least debt first. */
export function emptyHostsOf(context: OperatorContext, pool: number): number[] {
  const { world, state, capacity } = context
  if (state.sales.some((sale) => sale.pool === pool)) return []
  const { topology, load, condition } = world
  const empty = topology.hosts.rows.filter(
    (host) =>
      topology.hosts.pool[host] === pool &&
      load.unitCount[host] === 0 &&
      condition.hostMaintenance[host] === 0,
  )
  const isWorthIt = (host: number): boolean => outstandingDebtOf(world, host) <= resaleOf(world, host)
  const most = Math.min(saleMax, capacity.pools[pool].hosts - poolHostsMin)
  return empty
    .filter(
      (host) => isWorthIt(host) && topology.zones[topology.hosts.zone[host]].hosts.length > zoneHostsMin,
    )
    .slice(0, Math.max(0, most))
}

export function planSale(
  { world, state, deliveries }: OperatorContext,
  pool: number,
  zone: number,
  hosts: readonly number[],
  because: string,
): void {
  const sale: Sale = {
    pool,
    zone,
    hosts: hosts.toSorted((a, b) => a - b),
    because,
    due: world.now + leadTime('Sale', deliveries),
    workOrder: null,
  }
  state.sales.push(sale)
  announceSalePlanned(world, sale)
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)
const lastDays = [31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365] as const

const monthAt = (at: number): string => months[lastDays.findIndex((last) => dayOfYear(at) <= last)]
