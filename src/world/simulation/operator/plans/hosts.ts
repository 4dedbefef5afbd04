import { hostsThatFit, placeForRack, placesForRacks, roomForHosts } from '../../topology/construction/room.ts'
import { newestSku } from '../../topology/construction/site.ts'
import { hostsPerAddedRack } from '../../topology/construction/works.ts'
import { idOf } from '../../topology/tables.ts'
import type { OrderedWorks } from '../../topology/works.ts'
import type { OperatorContext } from '../context.ts'
import type { Requirement, Refusal } from '../model.ts'
import { growthPerDay, poolFill } from '../observation.ts'
import { installationShare, leadDaysMax, rackDollars } from '../prices.ts'
import { order, refuse } from '../purchasing.ts'
import { callOffSale } from '../sales.ts'
import { powerFor } from './facility.ts'

/** Hosts and racks: ordered when a pool is forecast to fill up within the delivery time. */

/** Fill above which contracts and growth are refused, less a reserve. */
const fillMax = 0.67
/** Fill of a pool after an order. */
const fillWanted = 0.6
/** Days of growth covered by an order, beyond its delivery. */
const daysAhead = 14
/** Minimum growth in hosts a day, and minimum unserved demand in hosts, of an order. */
const growthMin = 0.01
export const unservedHostsMin = 0.3
/** Bound of the racks on order for a zone. */
const racksUnderWayMax = 2
/** Bound of an order, as a share of the pool. */
const orderShareMax = 0.15
/** Share of unserved demand expected to return. */
const returningShare = 0.5

interface Forecast {
  readonly pool: number
  readonly wanted: number
  readonly because: string
}

export function planHosts(context: OperatorContext): void {
  for (let pool = 0; pool < context.capacity.pools.length; pool++) {
    const forecast = forecastPool(context, pool)
    if (forecast !== null && !callOffSale(context, pool)) orderHosts(context, forecast)
  }
}

function forecastPool(context: OperatorContext, pool: number): Forecast | null {
  const usage = context.capacity.pools[pool]
  const growth = growthPerDay(context.state.poolUse[pool])
  const unserved = unservedHosts(context, pool)
  const use = poolFill(usage) * usage.hosts + unserved * returningShare
  const coming = hostsOnOrder(context, (works) => works.pool === pool)
  const hosts = usage.hosts + coming
  // A small pool may stay full for years without further demand.
  if (growth < growthMin && unserved < unservedHostsMin) return null
  const lead = leadDaysMax('Hosts')
  if ((use + growth * lead) / hosts < fillMax) return null
  const missing = Math.ceil((use + growth * (lead + daysAhead)) / fillWanted - hosts)
  const wanted = Math.min(missing, Math.ceil(usage.hosts * orderShareMax))
  if (wanted <= 0) return null
  return {
    pool,
    wanted,
    because: `${reason(poolFill(usage), usage.hosts, growth, unserved)}${comingText(coming)}`,
  }
}

function reason(fill: number, hosts: number, growth: number, unserved: number): string {
  const [percent, limit] = [Math.round(fill * 100), Math.round(fillMax * 100)]
  const isBelow = percent < limit
  const now = `the pool is ${percent} % full${isBelow ? '' : ` (limit: ${limit} %)`}`
  const left = growth > 0 ? (fillMax * hosts - fill * hosts) / growth : Infinity
  const days = Math.max(1, Math.round(left))
  if (isBelow && days < 100)
    return `${now} and reaches its limit of ${limit} % in ${days} day${days === 1 ? '' : 's'}`
  const unservedCount = Math.round(unserved)
  return unservedCount < 1
    ? now
    : `${now} and turned away demand for ${unservedCount} host${unservedCount === 1 ? '' : 's'}`
}

const comingText = (count: number): string =>
  count === 0 ? '' : `; ${count} more host${count === 1 ? ' is' : 's are'} on order already`

/** Unserved demand for lack of this pool, in hosts of its average size. */
export function unservedHosts({ world, capacity }: OperatorContext, pool: number): number {
  const demand = world.tenants.unservedDemand.get(idOf(pool))
  if (demand === undefined) return 0
  const { hosts, maxMilli, memMbTotal, slicesTotal } = capacity.pools[pool]
  return Math.max(
    (demand.vcpu * 1000) / (maxMilli / hosts),
    demand.memMb / (memMbTotal / hosts),
    slicesTotal === 0 ? 0 : demand.slices / (slicesTotal / hosts),
  )
}

type HostWorks = Extract<OrderedWorks, { kind: 'Hosts' }>

function hostsOnOrder({ state }: OperatorContext, test: (works: HostWorks) => boolean): number {
  let count = 0
  for (const { works } of state.purchases) {
    for (const one of works) if (one.kind === 'Hosts' && test(one)) count += one.count
  }
  return count
}

function racksOnOrder({ state }: OperatorContext, zone: number): number {
  let count = 0
  for (const { works } of state.purchases) {
    for (const one of works) if (one.kind === 'Rack' && one.zone === zone) count++
  }
  return count
}

function orderHosts(context: OperatorContext, { pool, wanted, because }: Forecast): void {
  const { world, site } = context
  const { topology } = world
  const sku = topology.hostSkus[newestSku(site, pool)]
  const name = topology.pools[pool].name
  const entity = { kind: 'Pool', id: idOf(pool) } as const
  let obstacle: Refusal = 'room'
  for (const zone of zonesByUse(context, pool)) {
    const works = worksFor(context, zone, pool, wanted)
    if (works === null) continue
    const { count } = works.at(-1) as HostWorks
    const power = powerFor(context, zone, (count * sku.busyWatts) / 1000)
    if (power !== 'enough') {
      obstacle = power
      if (power === 'power on order') break
      continue
    }
    const price = count * sku.priceDollars * (1 + installationShare)
    order(context, {
      what: `${count} × ${sku.name} for ${name}${works.length > 1 ? ' with a rack' : ''} in ${topology.zones[zone].displayName}`,
      because,
      entity,
      zone,
      works,
      dollars: price + (works.length > 1 ? rackDollars : 0),
      lead: works.length > 1 ? 'Rack' : 'Hosts',
    })
    return
  }
  const need: Pick<Requirement, 'what' | 'because' | 'entity' | 'dollars'> = {
    what: `${wanted} × ${sku.name} for ${name}`,
    because,
    entity,
    dollars: wanted * sku.priceDollars,
  }
  const isComing = obstacle === 'room' && topology.zones.some((_, zone) => racksOnOrder(context, zone) > 0)
  // A lack of money for power is reported with the power order.
  if (obstacle !== 'money') refuse(context, need, isComing ? 'racks on order' : obstacle)
}

/** Rows of zones, in descending order of the pool's fill. */
function zonesByUse({ world, capacity }: OperatorContext, pool: number): number[] {
  const { topology, load } = world
  const fills = topology.zones.map((_, zone) => {
    let allocated = 0
    let all = 0
    for (const host of capacity.hostsOf[pool * topology.zones.length + zone]) {
      allocated += load.allocatedMilli[host]
      all += capacity.maxMilli[host]
    }
    return all === 0 ? 0 : allocated / all
  })
  return [...fills.keys()].toSorted((a, b) => fills[b] - fills[a] || a - b)
}

/** The works that add hosts to a zone, in its racks or in a new one; null if neither is possible. */
function worksFor(
  context: OperatorContext,
  zone: number,
  pool: number,
  wanted: number,
): readonly OrderedWorks[] | null {
  const { site } = context
  const coming = hostsOnOrder(context, (works) => works.zone === zone)
  const rows = roomForHosts(site) - hostsOnOrder(context, () => true)
  const fit = Math.min(hostsThatFit(site, zone, pool, wanted + coming) - coming, rows)
  if (fit > 0) return [{ kind: 'Hosts', zone, pool, count: Math.min(fit, wanted) }]
  const racksComing = racksOnOrder(context, zone)
  if (rows <= 0 || racksComing >= racksUnderWayMax) return null
  if (placesForRacks(site, zone) <= racksComing || placeForRack(site, zone) === null) return null
  const count = Math.min(wanted, rows, hostsPerAddedRack(site, pool))
  return [
    { kind: 'Rack', zone },
    { kind: 'Hosts', zone, pool, count },
  ]
}
